#include "core/experiment/epsilon_scan.h"

#include <cmath>

#include <fmt/format.h>

#include "core/base/job_part.h"
#include "core/base/numbers.h"

namespace epsilens::experiment {
namespace {

constexpr int kDigits = 6;

/// Between two epsilons, with 6 digits where that leaves it between them.
double between(double low, double high, double origin, double share) {
    const double exact =
        origin + (low - origin) * std::pow((high - origin) / (low - origin), share);
    const double typed = parseNumber(formatSignificant(exact, kDigits), "epsilon").value_or(exact);
    return typed > low && typed < high ? typed : exact;
}

}  // namespace

std::vector<double> cutEpsilons(double low, double high, double origin, int parts) {
    if (!(low < high)) {
        return {high};
    }
    std::vector<double> epsilons{low};
    for (int part = 1; part < parts; ++part) {
        const double next = between(low, high, origin, static_cast<double>(part) / parts);
        if (next > epsilons.back()) {
            epsilons.push_back(next);
        }
    }
    epsilons.push_back(high);
    return epsilons;
}

JobContext tryingPart(const JobContext& job, double begin, double end,
                      std::span<const double> epsilons, const std::string& found) {
    const std::string first = formatSignificant(epsilons.front(), 3);
    const std::string last = formatSignificant(epsilons.back(), 3);
    const std::string stage = fmt::format("{}trying ε = {}{}", found, first,
                                          first == last ? std::string() : " to " + last);
    return {job.stop, [part = partOf(job, begin, end), stage](const Progress& progress) {
                part.progress(progress.fraction, stage);
            }};
}

std::vector<double> scanEpsilons(const calibration::EpsilonSpan& span, double origin) {
    return cutEpsilons(span.low, span.high, origin, kScanSteps);
}

}  // namespace epsilens::experiment
