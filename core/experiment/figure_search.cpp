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
#include "core/experiment/reconstruction_run.h"

namespace epsilens::experiment {
namespace {

using calibration::EpsilonSpan;

// Epsilons that are attacked together; they share draws and distances, and of the last ones some
// are attacked in vain.
constexpr std::size_t kAtOnce = kSettingsAtOnce;
// Epsilons whose texts are first learned from; more cost little more.
constexpr std::size_t kUseAtOnce = 8;
// Of a search for limits: its parts, for the progress.
constexpr double kRiskShare = 0.6;
constexpr double kRefinedShare = 0.8;
constexpr double kUseShare = 0.9;
// Epsilons that are attacked first.
constexpr std::size_t kFirstAtOnce = 3;
// How often a gap is cut: a coarse one, and then a step of the scan.
constexpr std::size_t kCuts = 2;

/// And the last one.
std::vector<double> everyNth(std::span<const double> epsilons, std::size_t step) {
    std::vector<double> some;
    for (std::size_t i = 0; i < epsilons.size(); i += step) {
        some.push_back(epsilons[i]);
    }
    if (some.back() != epsilons.back()) {
        some.push_back(epsilons.back());
    }
    return some;
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

/// An epsilon of a scan, and the figures of the limits as far as they were measured there.
struct Looked {
    double epsilon = 0.0;
    std::vector<std::optional<FigureValue>> figures{};
    std::size_t cuts = 0;  ///< how often the gap above it was cut, at most kCuts
};

class LimitsSearch {
public:
    LimitsSearch(const std::vector<FigureLimit>& limits,
                 const std::function<Result<bool>(double)>& also, const ReadFigures& read)
        : m_limits(limits), m_also(also), m_read(read) {
        for (std::size_t i = 0; i < limits.size(); ++i) {
            (limits[i].figure.isRisk() ? m_risk : m_use).push_back(i);
        }
    }

    Result<LimitsFound> run(const EpsilonSpan& span, double origin, const JobContext& job) {
        m_origin = origin;
        m_scan = scanEpsilons(span, origin);
        m_looked = unread(everyNth(m_scan, kCoarseSteps));
        // Without limits of a kind nothing is measured for it.
        const double riskShare = m_risk.empty() ? 0.0 : m_use.empty() ? kUseShare : kRefinedShare;
        RETURN_IF_ERROR(readRisk(partOf(job, 0.0, std::min(riskShare, kRiskShare))));
        RETURN_IF_ERROR(refineRisk(partOf(job, std::min(riskShare, kRiskShare), riskShare)));
        LimitsFound found;
        found.searched = span;
        found.lookedTo = m_looked.back().epsilon;
        double share = kUseShare;
        ASSIGN_OR_RETURN(auto last, lastWithin(partOf(job, riskShare, share)));
        while (last && isCuttable(*last)) {
            const double begin = std::exchange(share, (1.0 + share) / 2.0);
            RETURN_IF_ERROR(refine(*last, partOf(job, begin, share)));
            ASSIGN_OR_RETURN(last, lastWithin(partOf(job, share, share)));
        }
        // After a refinement the next one above may be one of which only risk was measured.
        if (last && *last + 1 < m_looked.size() && !isUseRead(*last + 1)) {
            RETURN_IF_ERROR(readAt(*last + 1, *last + 2, m_use, partOf(job, 1.0, 1.0)));
        }
        last ? describe(*last, found) : describeClosest(found);
        found.looked =
            static_cast<int>(std::count_if(m_looked.begin(), m_looked.end(), [](const auto& at) {
                return std::any_of(at.figures.begin(), at.figures.end(),
                                   [](const auto& figure) { return figure.has_value(); });
            }));
        return found;
    }

private:
    [[nodiscard]] std::vector<Looked> unread(std::span<const double> epsilons) const {
        std::vector<Looked> looked;
        for (const double epsilon : epsilons) {
            looked.push_back({epsilon, std::vector<std::optional<FigureValue>>(m_limits.size())});
        }
        return looked;
    }

    /// Measures some figures from one place up to another, which is not measured.
    Result<void> readAt(std::size_t begin, std::size_t end, std::span<const std::size_t> figures,
                        const JobContext& job) {
        std::vector<double> epsilons;
        for (std::size_t i = begin; i < end; ++i) {
            epsilons.push_back(m_looked[i].epsilon);
        }
        ASSIGN_OR_RETURN(auto readings, m_read(epsilons, figures,
                                               tryingPart(job, 0.0, 1.0, epsilons, knownSoFar())));
        for (std::size_t i = begin; i < end; ++i) {
            for (std::size_t figure = 0; figure < figures.size(); ++figure) {
                m_looked[i].figures[figures[figure]] = readings[i - begin].figures[figure];
            }
        }
        return {};
    }

    /// Measures risk from the least epsilon on, some at once, until it is too large; what lies
    /// above is left out of the search.
    Result<void> readRisk(const JobContext& job) {
        std::size_t end = m_risk.empty() ? m_looked.size() : 0;
        std::size_t atOnce = kFirstAtOnce;
        const auto all = static_cast<double>(m_looked.size());
        while (end < m_looked.size() && withinRisk() >= end) {
            const std::size_t begin = end;
            end = std::min(begin + atOnce, m_looked.size());
            RETURN_IF_ERROR(readAt(
                begin, end, m_risk,
                partOf(job, static_cast<double>(begin) / all, static_cast<double>(end) / all)));
            atOnce = stepsLeft(end);
        }
        m_looked.resize(end);
        return {};
    }

    /// How many more steps risk is expected to be met at, if it goes on as in the last one: what is
    /// attacked beyond the first that misses is attacked in vain. At most kAtOnce, >= 1.
    ///
    /// end  of what was attacked, >= 1
    [[nodiscard]] std::size_t stepsLeft(std::size_t end) const {
        auto steps = static_cast<double>(kAtOnce);
        for (const std::size_t i : m_risk) {
            const auto marginAt = [&](std::size_t place) {
                return checkFigure(m_limits[i], *m_looked[place].figures[i]).margin;
            };
            const double last = marginAt(end - 1);
            const double fall = end > 1 ? marginAt(end - 2) - last : 0.0;
            steps = fall > 0.0 ? std::min(steps, std::ceil(last / fall)) : steps;
        }
        return static_cast<std::size_t>(std::max(steps, 1.0));
    }

    [[nodiscard]] bool misses(const Looked& at, std::span<const std::size_t> limits) const {
        return std::any_of(limits.begin(), limits.end(), [&](std::size_t i) {
            return at.figures[i] && !checkFigure(m_limits[i], *at.figures[i]).met();
        });
    }

    /// Before the first epsilon that misses a limit on risk.
    [[nodiscard]] std::size_t withinRisk() const {
        return static_cast<std::size_t>(
            std::find_if(m_looked.begin(), m_looked.end(),
                         [&](const Looked& at) { return misses(at, m_risk); }) -
            m_looked.begin());
    }

    [[nodiscard]] bool isUseRead(std::size_t i) const {
        return m_use.empty() || m_looked[i].figures[m_use.front()].has_value();
    }

    /// Measures use at a place and below it where it is not measured: some at once, and all that is
    /// left if none of those met the limits.
    Result<void> readUse(std::size_t i, bool isFirst, const JobContext& job) {
        const std::size_t top = i + 1 < m_looked.size() && !isUseRead(i + 1) ? i + 2 : i + 1;
        std::size_t begin = i;
        while (begin > 0 && !isUseRead(begin - 1) && (!isFirst || top - begin < kUseAtOnce)) {
            --begin;
        }
        return readAt(begin, top, m_use, job);
    }

    Result<std::optional<std::size_t>> lastWithin(const JobContext& job) {
        bool isFirst = true;
        const std::size_t end = withinRisk();
        const double firstShare =
            std::min(1.0, static_cast<double>(kUseAtOnce) /
                              static_cast<double>(std::max<std::size_t>(end, 1)));
        // Without one to come from, what is missed at the least epsilon is told of all limits.
        if (end == 0 && !isUseRead(0)) {
            RETURN_IF_ERROR(readAt(0, 1, m_use, job));
        }
        for (std::size_t i = end; i-- > 0;) {
            if (!isUseRead(i)) {
                RETURN_IF_ERROR(
                    readUse(i, isFirst,
                            partOf(job, isFirst ? 0.0 : firstShare, isFirst ? firstShare : 1.0)));
                isFirst = false;
            }
            if (mostMissed(checksAt(i)) != nullptr) {
                continue;
            }
            ASSIGN_OR_RETURN(const bool also,
                             m_also ? m_also(m_looked[i].epsilon) : Result<bool>(true));
            if (also) {
                return std::optional(i);
            }
        }
        return std::optional<std::size_t>();
    }

    /// Cuts the gap below the first epsilon that misses a limit on risk until it is narrow, unless
    /// limits on use are missed at both of its ends.
    Result<void> refineRisk(const JobContext& job) {
        const auto all = static_cast<double>(kCuts);
        for (std::size_t end = withinRisk(); end > 0 && isCuttable(end - 1); end = withinRisk()) {
            const auto cuts = static_cast<double>(m_looked[end - 1].cuts);
            const JobContext part = partOf(job, cuts / all, (cuts + 1.0) / all);
            for (const std::size_t i : {end - 1, end}) {
                if (!isUseRead(i)) {
                    RETURN_IF_ERROR(readAt(i, i + 1, m_use, partOf(part, 0.0, 0.0)));
                }
            }
            if (misses(m_looked[end - 1], m_use) && misses(m_looked[end], m_use)) {
                break;
            }
            RETURN_IF_ERROR(refine(end - 1, part));
        }
        return {};
    }

    /// Whether the gap above is wider than a search leaves it.
    [[nodiscard]] bool isCuttable(std::size_t lower) const {
        return lower + 1 < m_looked.size() && m_looked[lower].cuts < kCuts;
    }

    /// Measures risk between an epsilon and the next one.
    Result<void> refine(std::size_t lower, const JobContext& job) {
        const double low = m_looked[lower].epsilon;
        const double high = m_looked[lower + 1].epsilon;
        const std::size_t cuts = ++m_looked[lower].cuts;
        // First by the steps of the scan, then finer than these.
        const std::vector<double> finer =
            cuts == 1 ? m_scan : cutEpsilons(low, high, m_origin, kRefinedParts);
        std::vector<double> between;
        std::copy_if(finer.begin(), finer.end(), std::back_inserter(between),
                     [&](double epsilon) { return low < epsilon && epsilon < high; });
        std::vector<Looked> inner = unread(between);
        for (Looked& at : inner) {
            at.cuts = cuts;
        }
        m_looked.insert(m_looked.begin() + static_cast<std::ptrdiff_t>(lower) + 1, inner.begin(),
                        inner.end());
        return inner.empty() || m_risk.empty()
                   ? Result<void>()
                   : readAt(lower + 1, lower + 1 + inner.size(), m_risk, job);
    }

    /// Up to where the limits on risk are met, for whoever waits.
    [[nodiscard]] std::string knownSoFar() const {
        std::size_t end = m_risk.empty() ? 0 : withinRisk();
        while (end > 0 && !m_looked[end - 1].figures[m_risk.front()]) {
            --end;
        }
        return end == 0 ? std::string()
                        : fmt::format("limits on attackers met up to ε = {} so far, ",
                                      formatSignificant(m_looked[end - 1].epsilon, 3));
    }

    /// All figures are measured there.
    [[nodiscard]] std::vector<FigureCheck> checksAt(std::size_t i) const {
        std::vector<FigureCheck> checks;
        for (std::size_t limit = 0; limit < m_limits.size(); ++limit) {
            checks.push_back(checkFigure(m_limits[limit], *m_looked[i].figures[limit]));
        }
        return checks;
    }

    void describe(std::size_t last, LimitsFound& found) const {
        found.epsilon = m_looked[last].epsilon;
        found.checks = checksAt(last);
        if (last + 1 < m_looked.size()) {
            found.above = m_looked[last + 1].epsilon;
            const std::vector<FigureCheck> above = checksAt(last + 1);
            const FigureCheck* const missed = mostMissed(above);
            found.binding = missed == nullptr ? std::nullopt : std::optional(*missed);
        }
    }

    /// Where the limits on risk are met, or at the least epsilon.
    void describeClosest(LimitsFound& found) const {
        const std::size_t end = std::max<std::size_t>(withinRisk(), 1);
        for (std::size_t i = 0; i < end; ++i) {
            std::vector<FigureCheck> checks = checksAt(i);
            const FigureCheck* const missed = mostMissed(checks);
            const double margin = missed == nullptr ? 0.0 : missed->margin;
            if (i == 0 || !found.binding || std::isnan(found.binding->margin) ||
                margin >= found.binding->margin) {
                found.closest = m_looked[i].epsilon;
                found.binding = missed == nullptr ? std::nullopt : std::optional(*missed);
                found.checks = std::move(checks);
            }
        }
    }

    const std::vector<FigureLimit>& m_limits;
    const std::function<Result<bool>(double)>& m_also;
    const ReadFigures& m_read;
    std::vector<std::size_t> m_risk{};  ///< places of the limits on what attackers learn
    std::vector<std::size_t> m_use{};   ///< and of the others
    std::vector<Looked> m_looked{};     ///< by rising epsilon
    std::vector<double> m_scan{};
    double m_origin = 0.0;
};

}  // namespace

std::vector<double> searchedEpsilons(const EpsilonSpan& span, double origin) {
    constexpr int kLooked =
        kScanSteps / kCoarseSteps + 1 + (kCoarseSteps - 1) + (kRefinedParts - 1);
    return cutEpsilons(span.low, span.high, origin, kLooked - 1);
}

Result<LimitsFound> findWithinLimits(const EpsilonSpan& span, double origin,
                                     const std::vector<FigureLimit>& limits,
                                     const std::function<Result<bool>(double)>& also,
                                     const ReadFigures& read, const JobContext& job) {
    return LimitsSearch(limits, also, read).run(span, origin, job);
}

}  // namespace epsilens::experiment
