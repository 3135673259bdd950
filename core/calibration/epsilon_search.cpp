#include "core/calibration/epsilon_search.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <utility>

#include "core/base/numbers.h"

namespace epsilens::calibration {
namespace {

constexpr int kLeastSteps = 40;
constexpr int kMostRounds = 200;
constexpr int kPeakRounds = 7;
constexpr int kDigits = 6;
// Epsilons that are asked for together: a source does them at the cost of fewer.
constexpr int kAtOnce = 8;

/// Whether a limit is met below some epsilon and missed above.
bool isCeiling(const Limit& limit, bool farFalls) {
    if (limit.statistic == LimitStatistic::nw || limit.statistic == LimitStatistic::kept) {
        return limit.relation == LimitRelation::atMost;
    }
    return limit.statistic == LimitStatistic::far && farFalls &&
           limit.relation == LimitRelation::atLeast;
}

/// An epsilon that was looked at.
struct Point {
    double epsilon = 0.0;
    std::optional<LimitCheck>
        worst{};          ///< the limit that is missed by most; none where all are met
    double missed = 0.0;  ///< by this share

    [[nodiscard]] bool met() const { return !worst; }
};

class EpsilonSearch {
public:
    EpsilonSearch(const CellSource& source, const std::vector<Limit>& limits, const JobContext& job)
        : m_source(source), m_limits(limits), m_job(job) {
        std::ranges::copy_if(limits, std::back_inserter(m_ceilings), [&](const Limit& limit) {
            return source.isNarrow || isCeiling(limit, source.farFalls);
        });
    }

    Result<EpsilonFound> run() {
        EpsilonFound found;
        found.epsilon = m_source.searched.high;
        if (!m_ceilings.empty()) {
            ASSIGN_OR_RETURN(auto ends,
                             descend(std::array{m_source.searched.high, m_source.searched.low},
                                     m_ceilings, m_source.isNarrow ? 2 : 1));
            ASSIGN_OR_RETURN(found, endOf(std::move(ends), m_ceilings));
        }
        found.everywhere = m_ceilings.size() == m_limits.size() || !found.epsilon;
        if (!found.everywhere) {
            ASSIGN_OR_RETURN(found, scan(found));
        }
        // Where the highest of a narrow span meets the limits, nothing is known above.
        if (found.epsilon && (found.above || !m_source.isNarrow)) {
            ASSIGN_OR_RETURN(found, rounded(found));
        }
        found.searched = m_source.searched;
        found.looked = found.everywhere ? 0 : m_looked;
        return found;
    }

private:
    [[nodiscard]] double excess(double epsilon) const { return epsilon - m_source.origin; }
    [[nodiscard]] static Point leastMissed(const std::vector<Point>& points) {
        return *std::ranges::min_element(points, {}, &Point::missed);
    }

    // Without the ends.
    [[nodiscard]] std::vector<double> inside(double from, double to) const {
        const std::vector<double> all = spread({from, to}, m_source.origin, kAtOnce + 2);
        return {all.begin() + 1, all.end() - 1};
    }

    Result<std::vector<Point>> look(std::span<const double> epsilons,
                                    const std::vector<Limit>& limits) {
        RETURN_IF_ERROR(m_job.checkStop());
        ASSIGN_OR_RETURN(const auto cells, m_source.cells(epsilons));
        std::vector<Point> points;
        for (std::size_t i = 0; i < cells.size(); ++i) {
            ASSIGN_OR_RETURN(const auto checks, checkLimits(limits, cells[i], m_source.draws));
            Point& point = points.emplace_back(
                Point{epsilons[i], mostMissed(checks, m_source.draws, m_source.words), 0.0});
            point.missed =
                point.worst ? shareMissed(*point.worst, m_source.draws, m_source.words) : 0.0;
        }
        m_looked += static_cast<int>(epsilons.size());
        return points;
    }

    // From the largest epsilon down to the first that meets the limits, some looked at together.
    Result<std::vector<Point>> descend(std::span<const double> epsilons,
                                       const std::vector<Limit>& limits, std::size_t atOnce) {
        std::vector<Point> points;
        for (std::size_t first = 0; first < epsilons.size(); first += atOnce) {
            const std::size_t end = std::min(first + atOnce, epsilons.size());
            ASSIGN_OR_RETURN(auto more, look(epsilons.subspan(first, end - first), limits));
            for (Point& point : more) {
                points.push_back(point);
                if (points.back().met()) {
                    return points;
                }
            }
            // The two ends are but a beginning.
            if (epsilons.size() > 2) {
                m_job.progress(end, epsilons.size(), "Searching");
            }
        }
        return points;
    }

    // Between the last of falling points, where it meets the limits, and the one above it; else the
    // last one is the closest.
    Result<EpsilonFound> endOf(std::vector<Point> points, const std::vector<Limit>& limits) {
        EpsilonFound found;
        if (!points.back().met()) {
            found.closest = points.back().epsilon;
            found.binding = points.back().worst;
        } else if (points.size() == 1) {
            found.epsilon = points.front().epsilon;
        } else {
            return bisect(points.back().epsilon, points[points.size() - 2], limits);
        }
        return found;
    }

    // Narrows the bracket between an epsilon that meets the limits and one that does not.
    Result<EpsilonFound> bisect(double met, Point missed, const std::vector<Limit>& limits) {
        for (int round = 0; round < kMostRounds; ++round) {
            if (excess(missed.epsilon) <= excess(met) * (1.0 + m_source.tolerance)) {
                break;
            }
            ASSIGN_OR_RETURN(auto points, look(inside(met, missed.epsilon), limits));
            // From the top: the largest that meets them, and the one above it.
            while (!points.empty() && !points.back().met()) {
                missed = points.back();
                points.pop_back();
            }
            met = points.empty() ? met : points.back().epsilon;
        }
        EpsilonFound found;
        found.epsilon = met;
        found.above = missed.epsilon;
        found.binding = missed.worst;
        return found;
    }

    // From the top down to the first epsilon that meets all limits.
    Result<EpsilonFound> scan(EpsilonFound top) {
        const double low = std::min(*top.epsilon, m_source.searched.low);
        const double decades = std::log10(excess(*top.epsilon) / excess(low));
        const int steps = std::max(kLeastSteps, static_cast<int>(decades * kStepsPerDecade));
        ASSIGN_OR_RETURN(
            auto points,
            descend(spread({*top.epsilon, low}, m_source.origin, steps + 1), m_limits, kAtOnce));
        if (points.front().met()) {
            top.everywhere = true;
            return top;
        }
        for (const std::size_t peak : peaksOf(points)) {
            ASSIGN_OR_RETURN(auto found, climb(points[peak - 1], points[peak + 1]));
            if (found) {
                return *found;
            }
        }
        if (!points.back().met()) {
            if (m_closest) {
                points.push_back(*m_closest);
            }
            points.push_back(leastMissed(points));
        }
        return endOf(std::move(points), m_limits);
    }

    // Where the limits are missed by less than on both sides they may be met between.
    [[nodiscard]] static std::vector<std::size_t> peaksOf(const std::vector<Point>& falling) {
        std::vector<std::size_t> peaks;
        for (std::size_t i = 1; i + 1 < falling.size(); ++i) {
            if (!falling[i].met() && !falling[i + 1].met() &&
                falling[i].missed <= falling[i - 1].missed &&
                falling[i].missed <= falling[i + 1].missed) {
                peaks.push_back(i);
            }
        }
        std::ranges::stable_sort(peaks, {}, [&](std::size_t i) { return falling[i].missed; });
        peaks.resize(std::min(peaks.size(), kMostPeaks));
        std::ranges::sort(peaks);
        return peaks;
    }

    // Closer and closer around the epsilon that misses the limits by least.
    Result<std::optional<EpsilonFound>> climb(Point above, Point below) {
        for (int round = 0; round < kPeakRounds; ++round) {
            ASSIGN_OR_RETURN(auto points, look(inside(above.epsilon, below.epsilon), m_limits));
            points.insert(points.begin(), above);
            points.push_back(below);
            const auto met = std::ranges::find_if(points, &Point::met);
            if (met != points.end()) {
                return bisect(met->epsilon, *(met - 1), m_limits).map([](EpsilonFound&& found) {
                    return std::optional(found);
                });
            }
            const auto least =
                std::ranges::min_element(points.begin() + 1, points.end() - 1, {}, &Point::missed);
            above = *(least - 1);
            below = *(least + 1);
            if (!m_closest || least->missed < m_closest->missed) {
                m_closest = *least;
            }
        }
        return std::optional<EpsilonFound>();
    }

    // An epsilon that can be typed: fewer digits, downwards, if it meets the limits as well.
    Result<EpsilonFound> rounded(EpsilonFound found) {
        const double exact = *found.epsilon;
        const double shorter = roundedDown(exact, kDigits);
        if (!(shorter > m_source.origin && shorter >= m_source.searched.low)) {
            return found;
        }
        ASSIGN_OR_RETURN(const auto points, look({&shorter, 1}, m_limits));
        if (points.front().met()) {
            found.epsilon = shorter;
        }
        return found;
    }

    const CellSource& m_source;
    const std::vector<Limit>& m_limits;
    const JobContext& m_job;
    std::vector<Limit> m_ceilings{};
    std::optional<Point> m_closest{};  ///< of the maxima that were looked at more closely
    int m_looked = 0;
};

}  // namespace

EpsilonSpan widened(const EpsilonSpan& shown, double origin, double factor) {
    return {origin + (shown.low - origin) / factor, origin + (shown.high - origin) * factor};
}

std::vector<double> spread(const EpsilonSpan& span, double origin, int points) {
    const double first = span.low - origin;
    const double factor = (span.high - origin) / first;
    std::vector<double> epsilons{span.low};
    for (int i = 1; i + 1 < points; ++i) {
        epsilons.push_back(origin + first * std::pow(factor, i / (points - 1.0)));
    }
    epsilons.push_back(span.high);
    return epsilons;
}

Result<EpsilonFound> findLargestEpsilon(const CellSource& source, const std::vector<Limit>& limits,
                                        const JobContext& job) {
    return EpsilonSearch(source, limits, job).run();
}

}  // namespace epsilens::calibration
