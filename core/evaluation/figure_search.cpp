#include "core/evaluation/figure_search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "core/base/numbers.h"
#include "core/calibration/epsilon_search.h"

namespace epsilens::evaluation {
namespace {

using calibration::EpsilonSpan;
using Kind = FigureName::Kind;

// Epsilons that are measured in a pass: they share draws and distances.
constexpr std::size_t kAtOnce = 5;
constexpr int kDigits = 3;

/// As calibration::spread; those between the ends exceed the origin by a number of 3 digits.
std::vector<double> shortSpread(const EpsilonSpan& span, double origin, std::size_t points) {
    std::vector<double> epsilons = calibration::spread(span, origin, static_cast<int>(points));
    for (std::size_t i = 1; i + 1 < points; ++i) {
        epsilons[i] = origin + rounded(epsilons[i] - origin, kDigits);
    }
    return epsilons;
}

/// The check missed by most, first one whose figure does not exist; nothing where all are met.
std::optional<FigureCheck> mostMissed(const std::vector<FigureCheck>& checks) {
    const auto most = std::ranges::min_element(checks, {}, [](const FigureCheck& check) {
        return std::isnan(check.margin) ? -std::numeric_limits<double>::infinity() : check.margin;
    });
    return most == checks.end() || most->met() ? std::nullopt : std::optional(*most);
}

/// An epsilon of a search, and the limits held against their figures as far as these were measured
/// there.
struct Looked {
    double epsilon = 0.0;
    std::vector<std::optional<FigureCheck>> checks{};
};

/// Goes in passes, in each of which some epsilons are measured together.
class LimitsSearch {
public:
    LimitsSearch(const std::vector<FigureLimit>& limits,
                 const std::function<Result<bool>(double)>& also, const ReadFigures& read,
                 double origin, const JobContext& job)
        : m_limits(limits), m_also(also), m_read(read), m_origin(origin), m_job(job) {
        for (std::size_t i = 0; i < limits.size(); ++i) {
            (limits[i].isUpper() ? m_risk : m_use).push_back(i);
            m_all.push_back(i);
        }
    }

    Result<LimitsFound> run(const EpsilonSpan& span) {
        for (const double epsilon : scanEpsilons(span, m_origin)) {
            m_looked.push_back(unread(epsilon));
        }
        RETURN_IF_ERROR(climb());
        RETURN_IF_ERROR(refineRisk());
        ASSIGN_OR_RETURN(auto last, lastWithin());
        // A value that is never exceeded is had nowhere.
        if (m_limits.front().isMatch && last && *last + 1 == m_looked.size()) {
            last.reset();
        }
        if (last && *last + 1 < withinRisk()) {
            for (int round = 0; round < kRefinements; ++round) {
                RETURN_IF_ERROR(readAbove(*last, m_all));
                ASSIGN_OR_RETURN(last, lastWithin());
            }
        }
        // Of the one above risk alone may be measured.
        if (last && *last + 1 < m_looked.size()) {
            RETURN_IF_ERROR(readAt(*last + 1, *last + 2, m_use));
        }
        return described(last, span);
    }

private:
    Looked unread(double epsilon) const {
        return {epsilon, std::vector<std::optional<FigureCheck>>(m_limits.size())};
    }

    static int passesOf(std::size_t epsilons) {
        return static_cast<int>((epsilons + kAtOnce - 1) / kAtOnce);
    }

    /// Bounds the passes that are left while the risk of so many epsilons of the scan is unknown.
    void boundPasses(std::size_t unknown) {
        // At the step that is refined, for the epsilons added to it, and above what is found.
        constexpr int kMoreOfUse = 1 + kRefinements + 1;
        m_left = kRefinements + (m_risk.empty() ? 0 : kRefinements + passesOf(unknown)) +
                 (m_use.empty() ? 0 : kMoreOfUse + passesOf(m_looked.size()));
    }

    /// A pass: measures some figures from one place up to another, which is not measured, where the
    /// first of them is not known.
    Result<void> readAt(std::size_t begin, std::size_t end, std::span<const std::size_t> figures) {
        std::vector<std::size_t> places;
        std::vector<double> epsilons;
        for (std::size_t i = begin; i < end && !figures.empty(); ++i) {
            if (!m_looked[i].checks[figures.front()]) {
                places.push_back(i);
                epsilons.push_back(m_looked[i].epsilon);
            }
        }
        if (places.empty()) {
            return {};
        }
        const std::string first = formatSignificant(epsilons.front(), kDigits);
        const std::string last = formatSignificant(epsilons.back(), kDigits);
        const int passes = m_done + m_left;
        const std::string stage =
            fmt::format("trying ε = {}{} (round {} of at most {})", first,
                        first == last ? "" : " to " + last, m_done + 1, passes);
        const JobContext part = partOf(m_job, m_done, m_done + 1, passes);
        const JobContext trying{
            m_job.stop, [&](const Progress& progress) { part.progress(progress.fraction, stage); }};
        ASSIGN_OR_RETURN(const auto readings, m_read(epsilons, figures, trying));
        part.progress(1.0, stage);
        ++m_done;
        --m_left;
        for (std::size_t i = 0; i < places.size(); ++i) {
            for (std::size_t k = 0; k < figures.size(); ++k) {
                m_looked[places[i]].checks[figures[k]] =
                    checkFigure(m_limits[figures[k]], readings[i][k]);
            }
        }
        return {};
    }

    /// Measures figures at epsilons between one and the next, as far as there are any of 3 digits.
    Result<void> readAbove(std::size_t lower, std::span<const std::size_t> figures) {
        const double high = m_looked[lower + 1].epsilon;
        std::size_t end = lower + 1;
        for (const double epsilon :
             shortSpread({m_looked[lower].epsilon, high}, m_origin, kAtOnce + 2)) {
            if (epsilon > m_looked[end - 1].epsilon && epsilon < high) {
                m_looked.insert(m_looked.begin() + static_cast<std::ptrdiff_t>(end++),
                                unread(epsilon));
            }
        }
        return readAt(lower + 1, end, figures);
    }

    /// Measures risk from the least epsilon on, until it is too large; what lies above is left out
    /// of the search.
    Result<void> climb() {
        boundPasses(m_looked.size());
        for (std::size_t begin = 0; !m_risk.empty() && begin < m_looked.size(); begin += kAtOnce) {
            const std::size_t end = std::min(begin + kAtOnce, m_looked.size());
            RETURN_IF_ERROR(readAt(begin, end, m_risk));
            if (withinRisk() < end) {
                m_looked.resize(end);
            }
            boundPasses(m_looked.size() - end);
        }
        return {};
    }

    bool misses(std::size_t at, std::span<const std::size_t> limits) const {
        return std::ranges::any_of(limits, [&](std::size_t i) {
            const auto& check = m_looked[at].checks[i];
            return check && !check->met();
        });
    }

    /// Before the first epsilon that misses a limit on risk.
    std::size_t withinRisk() const {
        std::size_t end = 0;
        while (end < m_looked.size() && !misses(end, m_risk)) {
            ++end;
        }
        return end;
    }

    /// The largest epsilon that meets all limits. Measures use from the top down.
    Result<std::optional<std::size_t>> lastWithin() {
        const std::size_t end = withinRisk();
        // Without one to come from, what is missed at the least epsilon is told of all limits.
        if (end == 0) {
            RETURN_IF_ERROR(readAt(0, 1, m_use));
        }
        for (std::size_t i = end; i-- > 0;) {
            if (!m_use.empty() && !m_looked[i].checks[m_use.front()]) {
                RETURN_IF_ERROR(readAt(i + 1 - std::min(i + 1, kAtOnce), i + 1, m_use));
            }
            bool isMet = !misses(i, m_all);
            if (isMet && m_also) {
                ASSIGN_OR_RETURN(isMet, m_also(m_looked[i].epsilon));
            }
            if (isMet) {
                return std::optional(i);
            }
        }
        return std::optional<std::size_t>();
    }

    /// Refines the step in which a limit on risk first fails, unless limits on use are missed at
    /// both of its ends.
    Result<void> refineRisk() {
        std::size_t end = withinRisk();
        if (end == 0 || end == m_looked.size()) {
            return {};
        }
        RETURN_IF_ERROR(readAt(end + 1 - std::min(end + 1, kAtOnce), end + 1, m_use));
        if (misses(end - 1, m_use) && misses(end, m_use)) {
            return {};
        }
        for (int round = 0; round < kRefinements; ++round, end = withinRisk()) {
            RETURN_IF_ERROR(readAbove(end - 1, m_risk));
        }
        return {};
    }

    /// Of the limits whose figures are measured there.
    std::vector<FigureCheck> checksAt(std::size_t i) const {
        std::vector<FigureCheck> checks;
        for (const auto& check : m_looked[i].checks) {
            if (check) {
                checks.push_back(*check);
            }
        }
        return checks;
    }

    /// Where the limits are missed by least, of the epsilons at which all figures were measured.
    std::size_t closest() const {
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

    LimitsFound described(std::optional<std::size_t> last, const EpsilonSpan& span) const {
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
        return found;
    }

    const std::vector<FigureLimit>& m_limits;
    const std::function<Result<bool>(double)>& m_also;
    const ReadFigures& m_read;
    double m_origin;
    const JobContext& m_job;
    int m_done = 0;                     ///< passes
    int m_left = 0;                     ///< at most
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
    const double steps = std::max(1.0, std::ceil(kStepsPerDecade * decades - kRounding));
    return shortSpread(span, origin, static_cast<std::size_t>(steps) + 1);
}

Result<LimitsFound> findWithinLimits(const EpsilonSpan& span, double origin,
                                     const std::vector<FigureLimit>& limits,
                                     const std::function<Result<bool>(double)>& also,
                                     const ReadFigures& read, const JobContext& job) {
    return LimitsSearch(limits, also, read, origin, job).run(span);
}

namespace {

template <typename Value>
void addOnce(std::vector<Value>& values, Value value) {
    if (std::ranges::find(values, value) == values.end()) {
        values.push_back(value);
    }
}

/// Fails where an attacker reaches the value to match without any release.
Result<void> checkMatch(const EvaluationSummary& summary, const FigureLimit& match) {
    const Kind kind = match.figure.kind;
    // The prior has the same success at every setting.
    const auto least = kind == Kind::best    ? figureAt(summary, kBaselines, "reconstruct.prior")
                       : kind == Kind::upper ? figureAt(summary, kFloor, "reconstruct.upper")
                                             : std::nullopt;
    if (least && match.share() <= least->value) {
        return refuse(
            fmt::format("--match: without any release an attacker guesses {} of the words by the "
                        "prior; match a larger success than that",
                        figureValueText({least->value, std::nullopt})));
    }
    return {};
}

/// An evaluation that is wanted as a whole: fails with cancelled where it is partial.
Result<EvaluationSummary> runWhole(const Evaluation& evaluation, const JobContext& job) {
    ASSIGN_OR_RETURN(auto summary, evaluation.run(job));
    if (summary.partial) {
        return fail(ErrorCode::cancelled, "cancelled");
    }
    return summary;
}

}  // namespace

EvaluationOptions optionsFor(const std::vector<FigureName>& figures, EvaluationOptions options) {
    options.tasks.clear();
    options.classifiers.clear();
    for (const FigureName& figure : figures) {
        addOnce(options.tasks, figure.task());
        if (!figure.isRisk()) {
            addOnce(options.classifiers, figure.classifier);
        }
    }
    if (options.classifiers.empty()) {
        options.classifiers = {ClassifierKind::linear};
        options.repeats = 1;
    }
    options.attack.bestAlone = std::ranges::count(figures, Kind::upper, &FigureName::kind) == 0;
    return options;
}

Result<Readings> readFigures(const Evaluation& evaluation, const std::vector<FigureName>& figures,
                             const mechanism::Mechanism& mechanism,
                             std::span<const double> epsilons, const FigureLimit* match,
                             const JobContext& job) {
    EvaluationOptions options = optionsFor(figures, evaluation.options);
    if (!options.attack.bestAlone && mechanism.isExact()) {
        return refuse(fmt::format(
            "attack.upper: {} has no noisy vector; match or limit attack.best", mechanism.name()));
    }
    options.grid = mechanism::Grid::of(mechanism);
    options.grid.epsilons.assign(epsilons.begin(), epsilons.end());
    ASSIGN_OR_RETURN(const auto summary, runWhole(evaluation.with(std::move(options)), job));
    if (match != nullptr) {
        RETURN_IF_ERROR(checkMatch(summary, *match));
    }
    Readings readings(epsilons.size());
    for (std::size_t cell = 0; cell < readings.size(); ++cell) {
        for (const FigureName& figure : figures) {
            readings[cell].push_back(figureOf(summary, kBaselines + cell, figure));
        }
    }
    return readings;
}

namespace {

/// As readFigures, but measures only what is not kept.
///
/// kept  added to; null: nothing is
Result<Readings> readUnkept(std::vector<KeptReading>* kept, const Evaluation& evaluation,
                            const std::vector<FigureName>& figures,
                            const mechanism::Mechanism& mechanism, std::span<const double> epsilons,
                            const FigureLimit* match, const JobContext& job) {
    if (kept == nullptr) {
        return readFigures(evaluation, figures, mechanism, epsilons, match, job);
    }
    const auto find = [&](double epsilon, const FigureName& figure) {
        return std::ranges::find_if(*kept, [&](const KeptReading& one) {
            return one.epsilon == epsilon && one.figure == figure && one.mechanism == mechanism;
        });
    };
    std::vector<double> unknown;
    for (const double epsilon : epsilons) {
        if (std::ranges::any_of(figures, [&](const FigureName& figure) {
                return find(epsilon, figure) == kept->end();
            })) {
            unknown.push_back(epsilon);
        }
    }
    if (!unknown.empty()) {
        ASSIGN_OR_RETURN(const auto read,
                         readFigures(evaluation, figures, mechanism, unknown, match, job));
        for (std::size_t i = 0; i < unknown.size(); ++i) {
            for (std::size_t k = 0; k < figures.size(); ++k) {
                kept->push_back({mechanism, unknown[i], figures[k], read[i][k]});
            }
        }
    }
    Readings readings;
    for (const double epsilon : epsilons) {
        auto& reading = readings.emplace_back();
        for (const FigureName& figure : figures) {
            reading.push_back(find(epsilon, figure)->value);
        }
    }
    return readings;
}

/// Of an evaluation that measures what the limits name, at the ends of the search.
EvaluationOptions preparedOptions(const LimitedOptions& options,
                                  const embedding::PreparedEmbedding& embedding) {
    std::vector<FigureName> figures;
    for (const FigureLimit& limit : options.figures) {
        figures.push_back(limit.figure);
    }
    EvaluationOptions ends = optionsFor(figures, options.evaluation);
    ends.grid = options.search.calibration.grid;
    if (ends.grid.epsilons.empty()) {
        ends.grid.epsilons = {ends.grid.mechanism.epsilonBound(embedding.dimensions()) + 1.0};
    }
    return ends;
}

/// The search of one setting.
///
/// within  what is left by the limits on words, with an epsilon
Result<LimitsFound> searchSetting(const Evaluation& evaluation, const LimitedOptions& options,
                                  const calibration::Measurement& measured,
                                  const calibration::EpsilonFound& within, const JobContext& job) {
    constexpr double kSearching = 0.8;  // of the work, for the progress
    const std::vector<FigureLimit>& limits = options.figures;
    const mechanism::Mechanism& mechanism = measured.options().mechanism;
    const auto also = [&](double epsilon) -> Result<bool> {
        const auto& ofWords = options.search.limits;
        return ofWords.empty() || epsilon == *within.epsilon
                   ? Result<bool>(true)
                   : measured.check(ofWords, epsilon).map(calibration::allMet);
    };
    const auto read = [&](std::span<const double> epsilons, std::span<const std::size_t> wanted,
                          const JobContext& reading) {
        std::vector<FigureName> names;
        for (const std::size_t limit : wanted) {
            names.push_back(limits[limit].figure);
        }
        return readUnkept(options.kept.get(), evaluation, names, mechanism, epsilons,
                          limits.front().isMatch ? &limits.front() : nullptr, reading);
    };
    ASSIGN_OR_RETURN(auto found,
                     findWithinLimits({within.searched.low, *within.epsilon}, measured.origin(),
                                      limits, also, read, partOf(job, 0.0, kSearching)));
    if (found.epsilon) {
        // As anybody would measure it, so that it can be done again.
        EvaluationOptions again = preparedOptions(options, evaluation.space.embedding());
        again.attack.bestAlone = false;
        again.seed += kSeedsAhead;
        again.grid = mechanism::Grid::of(mechanism);
        again.grid.epsilons = {*found.epsilon};
        ASSIGN_OR_RETURN(const auto fresh, Evaluation::create(evaluation.space, evaluation.data,
                                                              std::move(again), {job.stop}));
        ASSIGN_OR_RETURN(found.again, runWhole(fresh, partOf(job, kSearching, 1.0)));
        for (const FigureLimit& limit : limits) {
            found.fresh.push_back(
                checkFigure(limit, figureOf(*found.again, kBaselines, limit.figure)));
        }
    }
    return found;
}

}  // namespace

Result<void> validate(const LimitedOptions& options, const corpus::DataSet& data,
                      const embedding::PreparedEmbedding& embedding) {
    const bool isClassified = std::ranges::any_of(
        options.figures, [](const FigureLimit& limit) { return !limit.isUpper(); });
    if (isClassified && options.evaluation.repeats < 2) {
        return refuse(
            "limits on a classifier are judged by its interval, which takes two repeats or more");
    }
    return validate(preparedOptions(options, embedding), data, embedding);
}

Result<LimitedRecommendation> recommendWithin(const engine::SearchSpace& space,
                                              const corpus::DataSet& data,
                                              const LimitedOptions& options,
                                              const JobContext& job) {
    RETURN_IF_ERROR(validate(options, data, space.embedding()));
    ASSIGN_OR_RETURN(
        const auto evaluation,
        Evaluation::create(space, data, preparedOptions(options, space.embedding()), {job.stop}));
    std::vector<LimitsFound> figures;
    calibration::RecommendationOptions search = options.search;
    // What the search over the figures makes of what the calibration found.
    search.narrow = [&](const calibration::Measurement& measured,
                        const calibration::EpsilonFound& within,
                        const JobContext& part) -> Result<calibration::EpsilonFound> {
        LimitsFound& own = figures.emplace_back();
        if (!within.epsilon) {
            return within;
        }
        ASSIGN_OR_RETURN(own, searchSetting(evaluation, options, measured, within, part));
        calibration::EpsilonFound found = within;
        if (own.epsilon != within.epsilon) {
            found = {{own.epsilon, own.above, {}, own.closest, within.searched}};
        }
        found.everywhere = false;
        found.looked = static_cast<int>(own.tried.size());
        return found;
    };
    ASSIGN_OR_RETURN(auto found, calibration::recommend(space, search, job));
    // A cancelled search may have lost the setting that it was at.
    figures.resize(found.settings.size());
    return LimitedRecommendation{std::move(found), options.figures, std::move(figures)};
}

}  // namespace epsilens::evaluation
