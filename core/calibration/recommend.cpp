#include "core/calibration/recommend.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "core/base/enum_names.h"
#include "core/base/job_part.h"
#include "core/base/pass_on.h"
#include "core/calibration/epsilon_search.h"
#include "core/calibration/measurement.h"

namespace epsilens::calibration {
namespace {

constexpr EnumNames<Objective, 3> kObjectives{{{"distance", Objective::distance},
                                               {"cosine", Objective::cosine},
                                               {"changed", Objective::changed}}};

// Shares of the progress of one setting.
constexpr double kMeasureShare = 0.6;
// Of one with a narrowed search, which takes nearly all of the time.
constexpr double kMeasureShareNarrowed = 0.05;
constexpr double kSearchShareNarrowed = 0.05;
constexpr double kNarrowedEnd = 0.95;
constexpr double kSearchShare = 0.2;
// Of what follows the search.
constexpr double kCheckShare = 0.5;

// How close epsilon comes to where a limit begins to fail, by calibrations.
constexpr double kTolerance = 1e-7;

/// How good a cell is; more is better.
double merit(const Cell& cell, Objective objective) {
    switch (objective) {
        case Objective::distance:
            return -cell.meanDistance;
        case Objective::cosine:
            return cell.meanCosine.value_or(-2.0);
        case Objective::changed:
            break;
    }
    return cell.kept;
}

/// The options of every setting, in the order of the cells of a run.
std::vector<CalibrationOptions> settingsOf(const CalibrationOptions& options,
                                           const std::vector<Row>& words) {
    std::vector<CalibrationOptions> settings;
    for (const mechanism::Mechanism& mechanism : options.grid.mechanisms()) {
        CalibrationOptions setting = options;
        setting.grid = mechanism::Grid::of(mechanism);
        setting.grid.epsilons = options.grid.epsilons;
        setting.words = {WordSelection::Kind::list, 0, words};
        setting.criticalEpsilons = false;
        setting.rerunWorst = false;
        settings.push_back(std::move(setting));
    }
    return settings;
}

/// Options that a run accepts: an epsilon stands in where none was given.
CalibrationOptions withEpsilon(CalibrationOptions options, std::int64_t dimensions) {
    if (options.grid.epsilons.empty()) {
        options.grid.epsilons = {options.grid.mechanism.epsilonBound(dimensions) + 1.0};
    }
    return options;
}

class RecommendationRun {
public:
    RecommendationRun(const engine::SearchSpace& space, const RecommendationOptions& options,
                      std::vector<Row> words, const JobContext& job)
        : m_space(space), m_options(options), m_words(std::move(words)), m_job(job) {}

    Result<Recommendation> run() {
        const std::vector<CalibrationOptions> settings = settingsOf(m_options.calibration, m_words);
        m_result.limits = m_options.limits;
        m_result.settingsAsked = settings.size();
        m_result.objective = m_options.objective;
        m_result.matches = m_options.matches;
        m_result.freshSeed = m_options.calibration.seed + 1;
        for (std::size_t i = 0; i < settings.size(); ++i) {
            const auto count = static_cast<double>(settings.size());
            const auto begin = static_cast<double>(i);
            const JobContext part = partOf(m_job, begin / count, (begin + 1.0) / count);
            if (const auto done = runSetting(settings[i], part); !done) {
                if (done.error().code != ErrorCode::cancelled || m_result.settings.empty()) {
                    return tl::unexpected(done.error());
                }
                m_result.partial = true;
                m_result.run.partial = true;
                break;
            }
        }
        describeRun();
        chooseBest();
        return std::move(m_result);
    }

private:
    Result<void> runSetting(CalibrationOptions setting, const JobContext& job) {
        ASSIGN_OR_RETURN(auto found, findLargest(setting, job));
        if (m_options.matches && !found.above) {
            found.closest = found.epsilon.value_or(found.closest);
            found.epsilon.reset();
        }
        setting.grid.epsilons = {found.epsilon.value_or(found.closest)};
        SettingRecommendation result{std::move(found)};
        RETURN_IF_ERROR(calibrateAt(setting, result, job));
        m_result.settings.push_back(std::move(result));
        return {};
    }

    [[nodiscard]] Result<EpsilonFound> findLargest(const CalibrationOptions& setting,
                                                   const JobContext& job) const {
        const MeasurementOptions options{setting, setting.grid.mechanisms().front()};
        const double measuring = m_options.narrow ? kMeasureShareNarrowed : kMeasureShare;
        ASSIGN_OR_RETURN(const auto measured,
                         measure(m_space, options, partOf(job, 0.0, measuring), m_options.crew));
        const double searched =
            measuring + (m_options.narrow ? kSearchShareNarrowed : kSearchShare);
        const JobContext searching = partOf(job, measuring, searched);
        ASSIGN_OR_RETURN(auto found,
                         m_options.limits.empty()
                             ? Result<EpsilonFound>(unlimited(*measured, boundsOf(setting)))
                             : findWithin(setting, *measured, searching));
        return m_options.narrow
                   ? m_options.narrow(*measured, found, partOf(job, searched, kNarrowedEnd))
                   : found;
    }

    [[nodiscard]] static EpsilonFound unlimited(const Measurement& measured,
                                                const std::optional<EpsilonSpan>& span) {
        EpsilonFound found;
        found.searched = span.value_or(measured.shown());
        found.epsilon = found.searched.high;
        return found;
    }

    [[nodiscard]] Result<EpsilonFound> findWithin(const CalibrationOptions& setting,
                                                  const Measurement& measured,
                                                  const JobContext& searching) const {
        EpsilonFound found;
        // One process searches, so that they cannot be stopped at different places.
        RETURN_IF_ERROR(inUnits(
            m_options.crew, 1,
            [&](std::int64_t /*unit*/) -> Result<void> {
                ASSIGN_OR_RETURN(
                    found, measured.findLargest(m_options.limits, boundsOf(setting), searching));
                return {};
            },
            [&](auto& archive, std::int64_t /*unit*/) { archive(found); }));
        if (measured.knowledge() == EpsilonKnowledge::steps || !found.epsilon) {
            return found;
        }
        CellSource source;
        source.origin = measured.origin();
        source.searched = found.searched;
        source.tolerance = kTolerance;
        source.cells = [&](std::span<const double> epsilons,
                           const JobContext& part) -> Result<std::vector<Cell>> {
            CalibrationOptions run = setting;
            run.deniabilityOdds.reset();
            run.grid.epsilons.assign(epsilons.begin(), epsilons.end());
            ASSIGN_OR_RETURN(auto summary, calibrateWhole(run, {part.stop, {}}));
            return std::move(summary.cells);
        };
        return refineEpsilon(source, m_options.limits, setting.draws,
                             static_cast<std::int64_t>(m_words.size()), found, kProfileError,
                             searching);
    }

    [[nodiscard]] static std::optional<EpsilonSpan> boundsOf(const CalibrationOptions& options) {
        if (options.grid.epsilons.empty()) {
            return std::nullopt;
        }
        const auto [least, most] =
            std::minmax_element(options.grid.epsilons.begin(), options.grid.epsilons.end());
        return EpsilonSpan{*least, *most};
    }

    // The whole cell at the epsilon found, and one under fresh draws.
    Result<void> calibrateAt(const CalibrationOptions& setting, SettingRecommendation& result,
                             const JobContext& job) {
        CalibrationOptions whole = setting;
        whole.rerunWorst = result.epsilon && holdMaximum(m_options.limits);
        const double begin = m_options.narrow ? kNarrowedEnd : kMeasureShare + kSearchShare;
        const double checked = begin + kCheckShare * (1.0 - begin);
        ASSIGN_OR_RETURN(auto run, calibrateWhole(whole, partOf(job, begin, checked)));
        ASSIGN_OR_RETURN(result.checks,
                         checkLimits(m_options.limits, run.cells.front(), setting.draws));
        result.cell = std::move(run.cells.front());
        result.guarantee = std::move(run.guarantees.front());
        if (!result.epsilon) {
            result.binding =
                mostMissed(result.checks, setting.draws, static_cast<std::int64_t>(m_words.size()));
        }
        const bool isExact = run.isExact();
        m_result.run = std::move(run);
        return result.epsilon && !isExact ? checkAgain(setting, result, partOf(job, checked, 1.0))
                                          : Result<void>();
    }

    Result<void> checkAgain(CalibrationOptions setting, SettingRecommendation& result,
                            const JobContext& job) {
        setting.seed = m_result.freshSeed;
        ASSIGN_OR_RETURN(auto run, calibrateWhole(setting, job));
        ASSIGN_OR_RETURN(result.freshChecks,
                         checkLimits(m_options.limits, run.cells.front(), setting.draws));
        result.freshCell = std::move(run.cells.front());
        return {};
    }

    [[nodiscard]] Result<CalibrationSummary> calibrateWhole(const CalibrationOptions& options,
                                                            const JobContext& job) const {
        auto run = calibrate(m_space, options, job, m_options.crew);
        if (run && run->partial) {
            return fail(ErrorCode::cancelled, "cancelled");
        }
        return run;
    }

    // The last run with the cells of all settings.
    void describeRun() {
        CalibrationSummary& run = m_result.run;
        run.cells.clear();
        run.guarantees.clear();
        run.perWord = {};
        for (const SettingRecommendation& setting : m_result.settings) {
            run.cells.push_back(setting.cell);
            run.guarantees.push_back(setting.guarantee);
        }
        run.grid = m_options.calibration.grid.used();
        run.grid.epsilons.clear();
        run.seed = m_options.calibration.seed;
        run.partial = m_result.partial;
    }

    void chooseBest() {
        for (std::size_t i = 0; i < m_result.settings.size(); ++i) {
            const auto meritOf = [&](std::size_t setting) {
                return merit(m_result.settings[setting].cell, m_options.objective);
            };
            if (m_result.settings[i].epsilon &&
                (!m_result.best || meritOf(i) > meritOf(*m_result.best))) {
                m_result.best = i;
            }
        }
    }

    const engine::SearchSpace& m_space;
    const RecommendationOptions& m_options;
    std::vector<Row> m_words;
    const JobContext& m_job;
    Recommendation m_result{};
};

bool isOnWorstWords(const Limit& limit) {
    const bool isKept =
        limit.statistic == LimitStatistic::nw || limit.statistic == LimitStatistic::kept;
    return isKept && limit.aggregate == LimitAggregate::max;
}

std::optional<Error> validateLimits(const RecommendationOptions& options) {
    if (options.limits.empty() && !options.narrow) {
        return invalidArgument("there is no limit to meet");
    }
    const CalibrationOptions& run = options.calibration;
    for (const Limit& limit : options.limits) {
        if (limit.statistic != LimitStatistic::kw) {
            continue;
        }
        if (run.grid.mechanism.isExact()) {
            return invalidArgument(
                fmt::format("limit \"{}\": under tem every word reaches every word, "
                            "so K_w does not exist",
                            limitText(limit)));
        }
        if (!run.independentDraws) {
            return invalidArgument(fmt::format(
                "limit \"{}\": K_w needs independent draws for every word", limitText(limit)));
        }
    }
    const bool metricDiffers = run.grid.mechanism.isExact() && run.grid.mechanism.hasLambda() &&
                               run.grid.lambdas.size() > 1;
    if (options.objective == Objective::distance && metricDiffers) {
        return invalidArgument(
            "objective distance: each lambda has a distance of its own, so they cannot be "
            "compared; choose cosine or changed");
    }
    return std::nullopt;
}

}  // namespace

bool holdMaximum(const std::vector<Limit>& limits) {
    return std::any_of(limits.begin(), limits.end(), isOnWorstWords);
}

std::string_view objectiveName(Objective objective) {
    return nameIn(kObjectives, objective);
}

Result<Objective> parseObjective(std::string_view name) {
    return valueIn(kObjectives, name);
}

std::vector<Limit> defaultLimits() {
    return {{LimitStatistic::nw, LimitAggregate::p95, LimitRelation::atMost, 50.0, true},
            {LimitStatistic::sw, LimitAggregate::p5, LimitRelation::atLeast, 20.0, false}};
}

std::optional<Error> validate(const RecommendationOptions& options,
                              const embedding::PreparedEmbedding& embedding) {
    if (auto error = validateLimits(options)) {
        return error;
    }
    const std::vector<double>& epsilons = options.calibration.grid.epsilons;
    if (!epsilons.empty()) {
        const auto [least, most] = std::minmax_element(epsilons.begin(), epsilons.end());
        if (!(*least < *most)) {
            return invalidArgument(
                "the epsilons bound the search: give a smallest and a largest one");
        }
    }
    return validate(withEpsilon(options.calibration, embedding.dimensions()), embedding);
}

Result<Recommendation> recommend(const engine::SearchSpace& space,
                                 const RecommendationOptions& options, const JobContext& job) {
    const auto start = std::chrono::steady_clock::now();
    if (auto error = validate(options, space.embedding())) {
        return tl::unexpected(std::move(*error));
    }
    ASSIGN_OR_RETURN(auto words,
                     selectWords(options.calibration.words, space.embedding().wordCount(),
                                 options.calibration.seed));
    auto result = RecommendationRun(space, options, std::move(words), job).run();
    if (result) {
        result->seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        result->run.seconds = result->seconds;
    }
    return result;
}

}  // namespace epsilens::calibration
