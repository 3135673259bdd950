#include "core/calibration/limit_spans.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "core/base/pass_on.h"
#include "core/calibration/epsilon_search.h"

namespace epsilens::calibration {

namespace {

std::vector<double> pointsOf(const EpsilonSpan& shown, double origin) {
    const EpsilonSpan all = widened(shown, origin, kLimitsBeside);
    std::vector<double> points = spread({all.low, shown.low}, origin, kPointsBeside + 1);
    points.pop_back();
    const std::vector<double> inside = spread(shown, origin, kLimitPoints + 1);
    points.insert(points.end(), inside.begin(), inside.end() - 1);
    const std::vector<double> above = spread({shown.high, all.high}, origin, kPointsBeside + 1);
    points.insert(points.end(), above.begin(), above.end());
    return points;
}

/// Where what holds at one point ends before the next one, where it no longer does.
double border(double before, double after, double origin, const std::optional<double>& largest) {
    if (largest && before <= *largest && *largest <= after) {
        return *largest;
    }
    return origin + std::sqrt((before - origin) * (after - origin));
}

}  // namespace

Result<LimitSpans> limitSpans(const Measurement& measurement, const std::vector<Limit>& limits,
                              const EpsilonSpan& shown, const JobContext& job) {
    LimitSpans spans;
    ASSIGN_OR_RETURN(spans.largest, measurement.findLargest(limits, std::nullopt, job));
    const std::vector<double> points = pointsOf(shown, measurement.origin());
    bool wasMet = true;
    for (std::size_t i = 0; i < points.size(); ++i) {
        RETURN_IF_ERROR(job.checkStop());
        ASSIGN_OR_RETURN(const auto checks, measurement.check(limits, points[i]));
        const bool isMet = allMet(checks);
        const double edge = i == 0            ? points[i]
                            : isMet != wasMet ? border(points[i - 1], points[i],
                                                       measurement.origin(), spans.largest.epsilon)
                                              : points[i];
        if (!isMet && wasMet) {
            spans.outside.push_back({edge, points.back()});
        } else if (isMet && !wasMet) {
            spans.outside.back().high = edge;
        }
        wasMet = isMet;
    }
    return spans;
}

}  // namespace epsilens::calibration
