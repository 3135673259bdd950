#include "core/experiment/figure_search.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "core/base/job_part.h"
#include "core/base/numbers.h"
#include "core/base/pass_on.h"

namespace epsilens::experiment {
namespace {

using calibration::EpsilonSpan;

// Epsilons that are measured together; they share most of the drawing.
constexpr std::size_t kAtOnce = 8;
constexpr int kDigits = 6;
constexpr double kScanShare = 0.85;

/// Between two epsilons, with 6 digits where that leaves it between them.
double between(double low, double high, double origin, double share) {
    const double exact =
        origin + (low - origin) * std::pow((high - origin) / (low - origin), share);
    const double typed = parseNumber(formatSignificant(exact, kDigits), "epsilon").value_or(exact);
    return typed > low && typed < high ? typed : exact;
}

std::vector<double> cut(double low, double high, double origin, int parts) {
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

/// A part of a search, which says of itself which epsilons are tried.
JobContext tryingPart(const JobContext& job, double begin, double end,
                      std::span<const double> epsilons) {
    const std::string stage =
        fmt::format("trying ε = {} to {}", formatSignificant(epsilons.front(), 3),
                    formatSignificant(epsilons.back(), 3));
    return {job.stop, [part = partOf(job, begin, end), stage](const Progress& progress) {
                part.progress(progress.fraction, stage);
            }};
}

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
        ASSIGN_OR_RETURN(
            auto more, read(tried, tryingPart(job, static_cast<double>(first) / count,
                                              static_cast<double>(first + batch) / count, tried)));
        std::move(more.begin(), more.end(), std::back_inserter(readings));
        if (std::any_of(readings.begin() + static_cast<std::ptrdiff_t>(first), readings.end(),
                        stop)) {
            break;
        }
    }
    return readings;
}

/// Reads between a reading and the one after it, and puts what was read there.
Result<void> refine(std::vector<Reading>& readings, std::size_t lower, double origin,
                    const ReadFigures& read, const JobContext& job) {
    const std::vector<double> ends =
        cut(readings[lower].epsilon, readings[lower + 1].epsilon, origin, kRefinedParts);
    if (ends.size() == 2) {
        return {};
    }
    const auto tried = std::span(ends).subspan(1, ends.size() - 2);
    ASSIGN_OR_RETURN(auto inner, read(tried, tryingPart(job, 0.0, 1.0, tried)));
    readings.insert(readings.begin() + static_cast<std::ptrdiff_t>(lower) + 1,
                    std::make_move_iterator(inner.begin()), std::make_move_iterator(inner.end()));
    return {};
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

std::vector<FigureCheck> checksOf(const std::vector<FigureLimit>& limits, const Reading& reading) {
    std::vector<FigureCheck> checks;
    for (std::size_t i = 0; i < limits.size(); ++i) {
        checks.push_back(checkFigure(limits[i], reading.figures[i]));
    }
    return checks;
}

/// The check missed by most; null where all are met.
const FigureCheck* mostMissed(const std::vector<FigureCheck>& checks) {
    const FigureCheck* most = nullptr;
    for (const FigureCheck& check : checks) {
        if (!check.met() &&
            (most == nullptr || std::isnan(check.margin) || check.margin < most->margin)) {
            most = &check;
        }
    }
    return most;
}

class LimitsSearch {
public:
    LimitsSearch(const std::vector<FigureLimit>& limits,
                 const std::function<Result<bool>(double)>& also, const ReadFigures& read)
        : m_limits(limits), m_also(also), m_read(read) {}

    Result<LimitsFound> run(const EpsilonSpan& span, double origin, const JobContext& job) {
        const std::vector<double> epsilons = scanEpsilons(span, origin);
        const bool hasRisk = std::any_of(m_limits.begin(), m_limits.end(),
                                         [](const auto& limit) { return limit.figure.isRisk(); });
        ASSIGN_OR_RETURN(m_readings,
                         readUntil(epsilons, hasRisk ? kAtOnce : epsilons.size(), m_read,
                                   partOf(job, 0.0, kScanShare),
                                   [&](const Reading& reading) { return missesRisk(reading); }));
        LimitsFound found;
        found.searched = span;
        found.lookedTo = m_readings.back().epsilon;
        ASSIGN_OR_RETURN(auto last, lastWithin());
        if (last && *last + 1 < m_readings.size()) {
            RETURN_IF_ERROR(
                refine(m_readings, *last, origin, m_read, partOf(job, kScanShare, 1.0)));
            ASSIGN_OR_RETURN(last, lastWithin());
        }
        found.looked = static_cast<int>(m_readings.size());
        last ? describe(*last, found) : describeClosest(found);
        return found;
    }

private:
    [[nodiscard]] bool missesRisk(const Reading& reading) const {
        const std::vector<FigureCheck> checks = checksOf(m_limits, reading);
        return std::any_of(checks.begin(), checks.end(), [](const FigureCheck& check) {
            return check.limit.figure.isRisk() && !check.met();
        });
    }

    /// Before the first reading that misses a limit on risk.
    [[nodiscard]] std::size_t withinRisk() const {
        return firstWhere(m_readings, [&](const Reading& reading) { return missesRisk(reading); });
    }

    Result<std::optional<std::size_t>> lastWithin() const {
        for (std::size_t i = withinRisk(); i-- > 0;) {
            if (mostMissed(checksOf(m_limits, m_readings[i])) != nullptr) {
                continue;
            }
            ASSIGN_OR_RETURN(const bool also,
                             m_also ? m_also(m_readings[i].epsilon) : Result<bool>(true));
            if (also) {
                return std::optional(i);
            }
        }
        return std::optional<std::size_t>();
    }

    void describe(std::size_t last, LimitsFound& found) const {
        found.epsilon = m_readings[last].epsilon;
        found.checks = checksOf(m_limits, m_readings[last]);
        if (last + 1 < m_readings.size()) {
            found.above = m_readings[last + 1].epsilon;
            const std::vector<FigureCheck> above = checksOf(m_limits, m_readings[last + 1]);
            const FigureCheck* const missed = mostMissed(above);
            found.binding = missed == nullptr ? std::nullopt : std::optional(*missed);
        }
    }

    /// Where the limits on risk are met, or at the least epsilon.
    void describeClosest(LimitsFound& found) const {
        const std::size_t end = std::max<std::size_t>(withinRisk(), 1);
        for (std::size_t i = 0; i < end; ++i) {
            std::vector<FigureCheck> checks = checksOf(m_limits, m_readings[i]);
            const FigureCheck* const missed = mostMissed(checks);
            const double margin = missed == nullptr ? 0.0 : missed->margin;
            if (i == 0 || !found.binding || std::isnan(found.binding->margin) ||
                margin >= found.binding->margin) {
                found.closest = m_readings[i].epsilon;
                found.binding = missed == nullptr ? std::nullopt : std::optional(*missed);
                found.checks = std::move(checks);
            }
        }
    }

    const std::vector<FigureLimit>& m_limits;
    const std::function<Result<bool>(double)>& m_also;
    const ReadFigures& m_read;
    std::vector<Reading> m_readings{};
};

}  // namespace

std::vector<double> scanEpsilons(const EpsilonSpan& span, double origin) {
    return cut(span.low, span.high, origin, kScanSteps);
}

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
        RETURN_IF_ERROR(refine(readings, first - 1, origin, read, partOf(job, kScanShare, 1.0)));
        first = firstWhere(readings, exceeds);
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

Result<LimitsFound> findWithinLimits(const EpsilonSpan& span, double origin,
                                     const std::vector<FigureLimit>& limits,
                                     const std::function<Result<bool>(double)>& also,
                                     const ReadFigures& read, const JobContext& job) {
    return LimitsSearch(limits, also, read).run(span, origin, job);
}

}  // namespace epsilens::experiment
