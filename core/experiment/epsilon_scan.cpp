#include "core/experiment/epsilon_scan.h"

#include <algorithm>
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

std::vector<double> scanEpsilons(const calibration::EpsilonSpan& span, double origin) {
    if (!(span.low < span.high)) {
        return {span.high};
    }
    const double decades = std::log10((span.high - origin) / (span.low - origin));
    // Rounding must not add a step to whole decades.
    constexpr double kRounding = 1e-9;
    const int steps =
        std::max(1, static_cast<int>(std::ceil(kStepsPerDecade * decades - kRounding)));
    std::vector<double> epsilons{span.low};
    for (int step = 1; step < steps; ++step) {
        const double next = between(span.low, span.high, origin, static_cast<double>(step) / steps);
        if (next > epsilons.back()) {
            epsilons.push_back(next);
        }
    }
    epsilons.push_back(span.high);
    return epsilons;
}

double epsilonBetween(double low, double high, double origin) {
    const double middle = between(low, high, origin, 0.5);
    return middle > low && middle < high ? middle : low;
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

}  // namespace epsilens::experiment
