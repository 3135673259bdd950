#include "core/calibration/epsilon_search.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/numbers.h"
#include "core/base/pass_on.h"

namespace epsilens::calibration {
namespace {

constexpr double kScanFactor = 1'000.0;
constexpr double kGrowth = 8.0;
constexpr int kMostGrowths = 6;
constexpr int kMostRounds = 200;
constexpr int kDigits = 6;

bool isKept(LimitStatistic statistic) {
    return statistic == LimitStatistic::nw || statistic == LimitStatistic::kept;
}

/// Whether a limit is met below some epsilon and missed above.
bool isCeiling(const Limit& limit, const SettingStatistics& statistics) {
    if (isKept(limit.statistic)) {
        return statistics.keptRises() && limit.relation == LimitRelation::atMost;
    }
    return limit.statistic == LimitStatistic::far && statistics.farFalls() &&
           limit.relation == LimitRelation::atLeast;
}

/// What a statistic can differ by.
double rangeOf(LimitStatistic statistic, int draws, std::int64_t words) {
    switch (statistic) {
        case LimitStatistic::nw:
        case LimitStatistic::sw:
            return draws;
        case LimitStatistic::minEntropy:
        case LimitStatistic::shannonEntropy:
            return std::max(1.0, std::log2(static_cast<double>(draws)));
        case LimitStatistic::kw:
            return static_cast<double>(words);
        case LimitStatistic::kept:
        case LimitStatistic::near:
        case LimitStatistic::far:
            break;
    }
    return 1.0;
}

CellNeeds needsOf(const std::vector<Limit>& limits) {
    CellNeeds needs{false, false};
    for (const Limit& limit : limits) {
        needs.outputs = needs.outputs || !isKept(limit.statistic);
        needs.kw = needs.kw || limit.statistic == LimitStatistic::kw;
    }
    return needs;
}

/// An epsilon that was looked at.
struct Point {
    double epsilon = 0.0;
    std::vector<LimitCheck> checks{};

    [[nodiscard]] bool met() const {
        return std::all_of(checks.begin(), checks.end(),
                           [](const LimitCheck& check) { return check.met(); });
    }
};

class EpsilonSearch {
public:
    EpsilonSearch(SettingStatistics& statistics, const std::vector<Limit>& limits, int draws,
                  std::int64_t words, const std::optional<EpsilonInterval>& bounds,
                  const JobContext& job)
        : m_statistics(statistics),
          m_limits(limits),
          m_draws(draws),
          m_words(words),
          m_job(job),
          m_interval(bounds ? *bounds : statistics.interval()) {
        for (const Limit& limit : limits) {
            if (isCeiling(limit, statistics)) {
                m_ceilings.push_back(limit);
            }
        }
    }

    Result<EpsilonFound> run() {
        ASSIGN_OR_RETURN(auto top, m_ceilings.empty() ? highestPoint() : ceiling());
        if (!top.epsilon || m_ceilings.size() == m_limits.size()) {
            return top.epsilon ? rounded(top) : top;
        }
        auto found = scan(top);
        return found && found->epsilon ? rounded(*found) : found;
    }

private:
    [[nodiscard]] double excess(double epsilon) const { return epsilon - m_interval.origin; }
    [[nodiscard]] double between(double low, double high, double share) const {
        return m_interval.origin + excess(low) * std::pow(excess(high) / excess(low), share);
    }
    [[nodiscard]] std::optional<LimitCheck> worst(const Point& point) const {
        return mostMissed(point.checks, m_draws, m_words);
    }

    Result<std::vector<Point>> look(const std::vector<double>& epsilons,
                                    const std::vector<Limit>& limits) {
        ASSIGN_OR_RETURN(const auto cells, m_statistics.cells(epsilons, needsOf(limits), m_job));
        std::vector<Point> points;
        for (std::size_t i = 0; i < cells.size(); ++i) {
            ASSIGN_OR_RETURN(auto checks, checkLimits(limits, cells[i], m_draws));
            points.push_back({epsilons[i], std::move(checks)});
        }
        return points;
    }
    Result<Point> look(double epsilon, const std::vector<Limit>& limits) {
        return look(std::vector{epsilon}, limits).map([](std::vector<Point>&& points) {
            return std::move(points.front());
        });
    }

    // Narrows the bracket between an epsilon that meets the limits and one that does not.
    Result<EpsilonFound> bisect(double met, Point missed, const std::vector<Limit>& limits) {
        const int inside = m_statistics.epsilonsAtOnce();
        for (int round = 0; round < kMostRounds; ++round) {
            if (excess(missed.epsilon) <= excess(met) * (1.0 + m_statistics.tolerance())) {
                break;
            }
            std::vector<double> epsilons;
            for (int i = 1; i <= inside; ++i) {
                epsilons.push_back(between(met, missed.epsilon, i / (inside + 1.0)));
            }
            ASSIGN_OR_RETURN(auto points, look(epsilons, limits));
            // From the top: the largest that meets them, and the one above it.
            while (!points.empty() && !points.back().met()) {
                missed = std::move(points.back());
                points.pop_back();
            }
            met = points.empty() ? met : points.back().epsilon;
        }
        EpsilonFound found;
        found.epsilon = met;
        found.above = missed.epsilon;
        found.binding = worst(missed);
        return found;
    }

    // The end of the interval, where no limit holds epsilon down.
    Result<EpsilonFound> highestPoint() {
        EpsilonFound found;
        found.epsilon = m_interval.high;
        return found;
    }

    // The largest epsilon that meets the limits which fail only above some epsilon.
    Result<EpsilonFound> ceiling() {
        double low = m_interval.low;
        double high = m_interval.high;
        auto above = look(high, m_ceilings);
        for (int i = 0; above && above->met() && m_interval.canGrow && i < kMostGrowths; ++i) {
            low = high;
            high = m_interval.origin + kGrowth * excess(high);
            above = look(high, m_ceilings);
        }
        if (!above) {
            return tl::unexpected(std::move(above.error()));
        }
        if (above->met()) {
            EpsilonFound found;
            found.epsilon = high;
            return found;
        }
        auto below = look(low, m_ceilings);
        for (int i = 0; below && !below->met() && m_interval.canGrow && i < kMostGrowths; ++i) {
            above = *below;
            low = m_interval.origin + excess(low) / kGrowth;
            below = look(low, m_ceilings);
        }
        if (!below) {
            return tl::unexpected(std::move(below.error()));
        }
        if (!below->met()) {
            EpsilonFound found;
            found.closest = low;
            found.binding = worst(*below);
            return found;
        }
        return bisect(low, std::move(*above), m_ceilings);
    }

    // From the top down to the first epsilon that meets all limits.
    Result<EpsilonFound> scan(const EpsilonFound& top) {
        const double bottom = bottomOf(*top.epsilon);
        std::optional<Point> closest;
        Point previous;
        const int atOnce = m_statistics.epsilonsAtOnce();
        for (int first = 0; first <= kScanSteps; first += atOnce) {
            std::vector<double> epsilons;
            for (int step = first; step < std::min(first + atOnce, kScanSteps + 1); ++step) {
                epsilons.push_back(between(*top.epsilon, bottom, step / double{kScanSteps}));
            }
            ASSIGN_OR_RETURN(auto points, look(epsilons, m_limits));
            for (Point& point : points) {
                if (point.met()) {
                    return point.epsilon == *top.epsilon
                               ? top
                               : bisect(point.epsilon, std::move(previous), m_limits);
                }
                if (!closest || shortfall(point) < shortfall(*closest)) {
                    closest = point;
                }
                previous = std::move(point);
            }
        }
        EpsilonFound found;
        found.closest = closest->epsilon;
        found.binding = worst(*closest);
        return found;
    }

    [[nodiscard]] double bottomOf(double top) const {
        const double lowest = m_interval.origin + excess(top) / kScanFactor;
        return m_interval.canGrow ? lowest : std::min(top, std::max(lowest, m_interval.low));
    }
    [[nodiscard]] double shortfall(const Point& point) const {
        const auto check = worst(point);
        return check ? shareMissed(*check, m_draws, m_words) : 0.0;
    }

    // An epsilon that can be typed: fewer digits, downwards, if it meets the limits as well.
    Result<EpsilonFound> rounded(EpsilonFound found) {
        const double exact = *found.epsilon;
        const double scale = std::pow(10.0, std::floor(std::log10(exact)) - (kDigits - 1));
        const double down = std::floor(exact / scale) * scale;
        const double shorter =
            parseNumber(formatSignificant(down, kDigits), "epsilon").value_or(exact);
        if (!(shorter <= exact && shorter > m_interval.origin) ||
            (!m_interval.canGrow && shorter < m_interval.low)) {
            return found;
        }
        ASSIGN_OR_RETURN(const auto point, look(shorter, m_limits));
        if (point.met()) {
            found.epsilon = shorter;
        }
        return found;
    }

    SettingStatistics& m_statistics;
    const std::vector<Limit>& m_limits;
    int m_draws;
    std::int64_t m_words;
    const JobContext& m_job;
    EpsilonInterval m_interval;
    std::vector<Limit> m_ceilings{};
};

}  // namespace

Result<EpsilonFound> findLargestEpsilon(SettingStatistics& statistics,
                                        const std::vector<Limit>& limits, int draws,
                                        std::int64_t words,
                                        const std::optional<EpsilonInterval>& bounds,
                                        const JobContext& job) {
    return EpsilonSearch(statistics, limits, draws, words, bounds, job).run();
}

double shareMissed(const LimitCheck& check, int draws, std::int64_t words) {
    return -check.margin / rangeOf(check.limit.statistic, draws, words);
}

std::optional<LimitCheck> mostMissed(const std::vector<LimitCheck>& checks, int draws,
                                     std::int64_t words) {
    std::optional<LimitCheck> worst;
    double largest = 0.0;
    for (const LimitCheck& check : checks) {
        const double missed = shareMissed(check, draws, words);
        if (!check.met() && (!worst || missed > largest)) {
            worst = check;
            largest = missed;
        }
    }
    return worst;
}

}  // namespace epsilens::calibration
