#include "core/evaluation/figure_search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include <fmt/format.h>

#include "core/base/job_part.h"
#include "core/base/numbers.h"
#include "core/base/pass_on.h"

namespace epsilens::evaluation {
namespace {

using calibration::EpsilonSpan;

// Epsilons that are attacked together; they share draws and distances, and of the last ones some
// are attacked in vain.
constexpr std::size_t kAtOnce = 5;
// Epsilons whose texts are learned from together, more cost little more; before risk is halved
// half as many.
constexpr std::size_t kUseAtOnce = 8;

/// Between two epsilons, with 6 digits where that leaves it between them.
double between(double low, double high, double origin, double share) {
    constexpr int kDigits = 6;
    const double exact =
        origin + (low - origin) * std::pow((high - origin) / (low - origin), share);
    const double typed = parseNumber(formatSignificant(exact, kDigits), "epsilon").value_or(exact);
    return typed > low && typed < high ? typed : exact;
}

/// The check missed by most; nothing where all are met.
std::optional<FigureCheck> mostMissed(const std::vector<FigureCheck>& checks) {
    std::optional<FigureCheck> most;
    for (const FigureCheck& check : checks) {
        if (!check.met() && (!most || std::isnan(check.margin) || check.margin < most->margin)) {
            most = check;
        }
    }
    return most;
}

/// An epsilon of a search, and the figures of the limits as far as they were measured there.
struct Looked {
    double epsilon = 0.0;
    std::vector<std::optional<FigureValue>> figures{};
};

class LimitsSearch {
public:
    LimitsSearch(const std::vector<FigureLimit>& limits,
                 const std::function<Result<bool>(double)>& also, const ReadFigures& read,
                 double origin)
        : m_limits(limits), m_also(also), m_read(read), m_origin(origin) {
        for (std::size_t i = 0; i < limits.size(); ++i) {
            (limits[i].endsAbove() ? m_risk : m_use).push_back(i);
            m_all.push_back(i);
        }
    }

    Result<LimitsFound> run(const EpsilonSpan& span, const JobContext& job) {
        for (const double epsilon : scanEpsilons(span, m_origin)) {
            m_looked.push_back(unread(epsilon));
        }
        // Without limits of a kind nothing is measured for it.
        const double riskShare = m_risk.empty() ? 0.0 : m_use.empty() ? 0.9 : 0.8;
        const double climbed = 0.7 * riskShare;
        RETURN_IF_ERROR(climb(partOf(job, 0.0, climbed)));
        RETURN_IF_ERROR(halveRisk(partOf(job, climbed, riskShare)));
        ASSIGN_OR_RETURN(auto last, lastWithin(partOf(job, riskShare, 0.9)));
        // A value that is never exceeded is had nowhere.
        if (m_limits.front().isMatch && last && *last + 1 == m_looked.size()) {
            last.reset();
        }
        if (last && *last + 1 < withinRisk()) {
            RETURN_IF_ERROR(halve(*last, m_all, partOf(job, 0.9, 1.0),
                                  [this](std::size_t i) { return meetsAll(i); }));
        }
        // Of the one above risk alone may be measured.
        if (last && *last + 1 < m_looked.size()) {
            RETURN_IF_ERROR(readAt(*last + 1, *last + 2, m_use, partOf(job, 1.0, 1.0)));
        }
        return described(last, span);
    }

private:
    [[nodiscard]] Looked unread(double epsilon) const {
        return {epsilon, std::vector<std::optional<FigureValue>>(m_limits.size())};
    }

    /// Measures some figures from one place up to another, which is not measured, where the first
    /// of them is not known.
    Result<void> readAt(std::size_t begin, std::size_t end, std::span<const std::size_t> figures,
                        const JobContext& job) {
        std::vector<std::size_t> places;
        std::vector<double> epsilons;
        for (std::size_t i = begin; i < end && !figures.empty(); ++i) {
            if (!m_looked[i].figures[figures.front()]) {
                places.push_back(i);
                epsilons.push_back(m_looked[i].epsilon);
            }
        }
        if (places.empty()) {
            return {};
        }
        const std::string first = formatSignificant(epsilons.front(), 3);
        const std::string last = formatSignificant(epsilons.back(), 3);
        const std::string stage =
            fmt::format("trying ε = {}{}", first, first == last ? "" : " to " + last);
        const JobContext trying{
            job.stop, [&](const Progress& progress) { job.progress(progress.fraction, stage); }};
        ASSIGN_OR_RETURN(const auto readings, m_read(epsilons, figures, trying));
        for (std::size_t i = 0; i < places.size(); ++i) {
            for (std::size_t figure = 0; figure < figures.size(); ++figure) {
                m_looked[places[i]].figures[figures[figure]] = readings[i][figure];
            }
        }
        return {};
    }

    /// Measures risk from the least epsilon on, some at once, until it is too large; what lies
    /// above is left out of the search.
    Result<void> climb(const JobContext& job) {
        const auto all = static_cast<double>(m_looked.size());
        for (std::size_t begin = 0; !m_risk.empty() && begin < m_looked.size(); begin += kAtOnce) {
            const std::size_t end = std::min(begin + kAtOnce, m_looked.size());
            RETURN_IF_ERROR(readAt(
                begin, end, m_risk,
                partOf(job, static_cast<double>(begin) / all, static_cast<double>(end) / all)));
            if (withinRisk() < end) {
                m_looked.resize(end);
            }
        }
        return {};
    }

    [[nodiscard]] bool misses(std::size_t at, std::span<const std::size_t> limits) const {
        return std::ranges::any_of(limits, [&](std::size_t i) {
            const auto& figure = m_looked[at].figures[i];
            return figure && !checkFigure(m_limits[i], *figure).met();
        });
    }

    /// Before the first epsilon that misses a limit on risk.
    [[nodiscard]] std::size_t withinRisk() const {
        std::size_t end = 0;
        while (end < m_looked.size() && !misses(end, m_risk)) {
            ++end;
        }
        return end;
    }

    /// Whether what was measured meets all limits, and the other conditions are met.
    [[nodiscard]] Result<bool> meetsAll(std::size_t i) const {
        return misses(i, m_all) ? Result<bool>(false)
               : m_also         ? m_also(m_looked[i].epsilon)
                                : Result<bool>(true);
    }

    /// The largest epsilon that meets all limits. Measures use from the top down.
    Result<std::optional<std::size_t>> lastWithin(const JobContext& job) {
        const std::size_t end = withinRisk();
        // Without one to come from, what is missed at the least epsilon is told of all limits.
        if (end == 0) {
            RETURN_IF_ERROR(readAt(0, 1, m_use, job));
        }
        const auto all = static_cast<double>(end);
        for (std::size_t i = end; i-- > 0;) {
            if (!m_use.empty() && !m_looked[i].figures[m_use.front()]) {
                const std::size_t begin = i + 1 - std::min(i + 1, kUseAtOnce);
                RETURN_IF_ERROR(readAt(begin, i + 1, m_use,
                                       partOf(job, 1.0 - static_cast<double>(i + 1) / all,
                                              1.0 - static_cast<double>(begin) / all)));
            }
            ASSIGN_OR_RETURN(const bool isMet, meetsAll(i));
            if (isMet) {
                return std::optional(i);
            }
        }
        return std::optional<std::size_t>();
    }

    /// Halves the step in which a limit on risk first fails, unless limits on use are missed at
    /// both of its ends.
    Result<void> halveRisk(const JobContext& job) {
        const std::size_t end = withinRisk();
        if (end == 0 || end == m_looked.size()) {
            return {};
        }
        RETURN_IF_ERROR(
            readAt(end - std::min(end, kUseAtOnce / 2), end + 1, m_use, partOf(job, 0.0, 0.0)));
        if (misses(end - 1, m_use) && misses(end, m_use)) {
            return {};
        }
        std::size_t lower = end - 1;
        return halve(lower, m_risk, job,
                     [this](std::size_t i) { return Result<bool>(!misses(i, m_risk)); });
    }

    /// Measures figures in the middle of the gap above an epsilon, and again above or below that.
    ///
    /// isWithin  of a place: whether the epsilon looked for lies at it or above
    template <typename IsWithin>
    Result<void> halve(std::size_t& lower, std::span<const std::size_t> figures,
                       const JobContext& job, const IsWithin& isWithin) {
        for (int halving = 0; halving < kHalvings; ++halving) {
            const double low = m_looked[lower].epsilon;
            const double high = m_looked[lower + 1].epsilon;
            const double middle = between(low, high, m_origin, 0.5);
            if (!(middle > low && middle < high)) {
                return {};
            }
            m_looked.insert(m_looked.begin() + static_cast<std::ptrdiff_t>(lower) + 1,
                            unread(middle));
            const auto at = [](int done) { return static_cast<double>(done) / kHalvings; };
            RETURN_IF_ERROR(
                readAt(lower + 1, lower + 2, figures, partOf(job, at(halving), at(halving + 1))));
            ASSIGN_OR_RETURN(const bool within, isWithin(lower + 1));
            lower += within ? 1 : 0;
        }
        return {};
    }

    /// Of the limits whose figures are measured there.
    [[nodiscard]] std::vector<FigureCheck> checksAt(std::size_t i) const {
        std::vector<FigureCheck> checks;
        for (std::size_t limit = 0; limit < m_limits.size(); ++limit) {
            if (const auto& figure = m_looked[i].figures[limit]) {
                checks.push_back(checkFigure(m_limits[limit], *figure));
            }
        }
        return checks;
    }

    /// Where the limits are missed by least, of the epsilons at which all figures were measured.
    [[nodiscard]] std::size_t closest() const {
        std::size_t closest = 0;
        double least = -std::numeric_limits<double>::infinity();
        for (std::size_t i = 0; i < m_looked.size(); ++i) {
            const std::vector<FigureCheck> checks = checksAt(i);
            if (checks.size() < m_limits.size()) {
                continue;
            }
            const auto missed = mostMissed(checks);
            const double margin = missed ? missed->margin : 0.0;
            if (margin > least || (margin == least && i < withinRisk())) {
                least = margin;
                closest = i;
            }
        }
        return closest;
    }

    [[nodiscard]] LimitsFound described(std::optional<std::size_t> last,
                                        const EpsilonSpan& span) const {
        LimitsFound found;
        found.searched = span;
        found.lookedTo = m_looked.back().epsilon;
        const std::size_t at = last ? *last : closest();
        (last ? found.epsilon.emplace() : found.closest) = m_looked[at].epsilon;
        found.checks = checksAt(at);
        if (!last) {
            found.binding = mostMissed(found.checks);
        } else if (at + 1 < m_looked.size()) {
            found.above = m_looked[at + 1].epsilon;
            found.binding = mostMissed(checksAt(at + 1));
        }
        for (std::size_t i = 0; i < m_looked.size(); ++i) {
            if (std::vector<FigureCheck> checks = checksAt(i); !checks.empty()) {
                found.tried.push_back({m_looked[i].epsilon, std::move(checks)});
            }
        }
        found.looked = static_cast<int>(found.tried.size());
        return found;
    }

    const std::vector<FigureLimit>& m_limits;
    const std::function<Result<bool>(double)>& m_also;
    const ReadFigures& m_read;
    double m_origin;
    std::vector<std::size_t> m_risk{};  ///< places of the limits on what attackers learn
    std::vector<std::size_t> m_use{};   ///< and of the others
    std::vector<std::size_t> m_all{};
    std::vector<Looked> m_looked{};  ///< by rising epsilon
};

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

Result<LimitsFound> findWithinLimits(const EpsilonSpan& span, double origin,
                                     const std::vector<FigureLimit>& limits,
                                     const std::function<Result<bool>(double)>& also,
                                     const ReadFigures& read, const JobContext& job) {
    return LimitsSearch(limits, also, read, origin).run(span, job);
}

}  // namespace epsilens::evaluation
