#include "core/experiment/match_search.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>
#include <vector>

#include "core/base/job_part.h"
#include "core/base/pass_on.h"
#include "core/experiment/reconstruction_run.h"

namespace epsilens::experiment {
namespace {

using calibration::EpsilonSpan;

// Epsilons that are attacked together; they share draws and distances, and of the last ones some
// are attacked in vain.
constexpr std::size_t kAtOnce = kSettingsAtOnce;
constexpr double kScanShare = 0.85;
// The figure of a match is the only one.
constexpr std::array kOnly{std::size_t{0}};

/// Reads rising epsilons, some at once, until one is seen at which to stop.
template <typename Stop>
Result<std::vector<Reading>> readUntil(std::span<const double> epsilons, std::size_t atOnce,
                                       const ReadFigures& read, const JobContext& job,
                                       const Stop& stop) {
    std::vector<Reading> readings;
    const auto count = static_cast<double>(epsilons.size());
    while (readings.size() < epsilons.size()) {
        const std::size_t first = readings.size();
        const std::size_t batch = std::min(atOnce, epsilons.size() - first);
        const auto tried = epsilons.subspan(first, batch);
        ASSIGN_OR_RETURN(auto more,
                         read(tried, kOnly,
                              tryingPart(job, static_cast<double>(first) / count,
                                         static_cast<double>(first + batch) / count, tried)));
        std::move(more.begin(), more.end(), std::back_inserter(readings));
        if (std::any_of(readings.begin() + static_cast<std::ptrdiff_t>(first), readings.end(),
                        stop)) {
            break;
        }
    }
    return readings;
}

/// Place of the first reading of which something holds; their number where it holds of none.
template <typename Condition>
std::size_t firstWhere(const std::vector<Reading>& readings, const Condition& condition) {
    return static_cast<std::size_t>(std::find_if(readings.begin(), readings.end(), condition) -
                                    readings.begin());
}

/// A limit's figure against its value: the measured one, and the ends of its interval.
struct Excess {
    const FigureLimit& limit;

    [[nodiscard]] bool measured(const Reading& reading) const {
        return !(reading.figures.front().value <= limit.share());
    }
    [[nodiscard]] bool possible(const Reading& reading) const {
        return !checkFigure(limit, reading.figures.front()).met();
    }
    [[nodiscard]] bool sure(const Reading& reading) const {
        const FigureValue& figure = reading.figures.front();
        return figure.ci95 ? (*figure.ci95)[0] > limit.share() : measured(reading);
    }
};

}  // namespace

Result<MatchFound> findMatch(const EpsilonSpan& span, double origin, const FigureLimit& limit,
                             const ReadFigures& read, const JobContext& job) {
    const Excess excess{limit};
    const auto exceeds = [&](const Reading& reading) { return excess.measured(reading); };
    ASSIGN_OR_RETURN(
        auto readings,
        readUntil(scanEpsilons(span, origin), kAtOnce, read, partOf(job, 0.0, kScanShare),
                  [&](const Reading& reading) { return excess.sure(reading); }));
    MatchFound found;
    found.searched = span;
    found.lookedTo = readings.back().epsilon;
    std::size_t first = firstWhere(readings, exceeds);
    if (first > 0 && first < readings.size()) {
        for (int halving = 0; halving < kHalvings; ++halving) {
            const std::array middle{
                epsilonBetween(readings[first - 1].epsilon, readings[first].epsilon, origin)};
            if (middle.front() == readings[first - 1].epsilon) {
                break;
            }
            const auto at = [&](int done) {
                return kScanShare + (1.0 - kScanShare) * done / kHalvings;
            };
            ASSIGN_OR_RETURN(
                auto between,
                read(middle, kOnly, tryingPart(job, at(halving), at(halving + 1), middle)));
            readings.insert(readings.begin() + static_cast<std::ptrdiff_t>(first),
                            std::move(between.front()));
            first += exceeds(readings[first]) ? 0 : 1;
        }
        found.epsilon = readings[first - 1].epsilon;
        found.above = readings[first].epsilon;
    }
    found.looked = static_cast<int>(readings.size());
    found.figure = readings[first > 0 ? first - 1 : 0].figures.front();
    const std::size_t possible =
        firstWhere(readings, [&](const Reading& reading) { return excess.possible(reading); });
    const std::size_t sure =
        firstWhere(readings, [&](const Reading& reading) { return excess.sure(reading); });
    found.low = possible > 0 ? std::optional(readings[possible - 1].epsilon) : std::nullopt;
    found.high = sure < readings.size() ? std::optional(readings[sure].epsilon) : std::nullopt;
    return found;
}

}  // namespace epsilens::experiment
