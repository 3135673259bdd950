#include "core/calibration/recommend.h"

#include <algorithm>
#include <utility>

#include "core/base/enum_names.h"
#include "core/base/stopwatch.h"
#include "core/calibration/epsilon_search.h"

namespace epsilens::calibration {
namespace {

constexpr EnumNames<Objective, 3> kObjectives{{{"distance", Objective::distance},
                                               {"cosine", Objective::cosine},
                                               {"changed", Objective::changed}}};

/// Ends of the steps of one setting in its progress: a narrowed search takes nearly all of the
/// time.
struct Steps {
    double measured, searched, narrowed, checked;
};
constexpr Steps kPlain{0.6, 0.8, 0.8, 0.9};
constexpr Steps kNarrowed{0.05, 0.1, 0.95, 0.975};

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

class RecommendationRun {
public:
    RecommendationRun(const engine::SearchSpace& space, const RecommendationOptions& options,
                      std::vector<Row> words, const JobContext& job)
        : m_space(space),
          m_options(options),
          m_steps(options.narrow ? kNarrowed : kPlain),
          m_words(std::move(words)),
          m_job(job) {}

    Result<Recommendation> run() {
        const std::vector<mechanism::Mechanism> settings = m_options.calibration.grid.mechanisms();
        m_result.limits = m_options.limits;
        m_result.settingsAsked = settings.size();
        m_result.objective = m_options.objective;
        m_result.matches = m_options.matches;
        m_result.freshSeed = m_options.calibration.seed + 1;
        for (std::size_t i = 0; i < settings.size(); ++i) {
            const JobContext part = partOf(m_job, i, i + 1, settings.size());
            if (const auto done = runSetting(settingOf(settings[i]), part); !done) {
                if (done.error().code != ErrorCode::cancelled || m_result.settings.empty()) {
                    return tl::unexpected(done.error());
                }
                m_result.partial = true;
                break;
            }
        }
        describe();
        return std::move(m_result);
    }

private:
    [[nodiscard]] CalibrationOptions settingOf(const mechanism::Mechanism& mechanism) const {
        CalibrationOptions setting = m_options.calibration;
        setting.grid = mechanism::Grid::of(mechanism);
        setting.grid.epsilons = m_options.calibration.grid.epsilons;
        setting.words = {WordSelection::Kind::list, 0, m_words};
        setting.criticalEpsilons = false;
        setting.rerunWorst = false;
        return setting;
    }

    Result<void> runSetting(CalibrationOptions setting, const JobContext& job) {
        ASSIGN_OR_RETURN(SettingRecommendation result, findLargest(setting, job));
        if (m_options.matches && !result.above) {
            result.closest = result.epsilon.value_or(result.closest);
            result.epsilon.reset();
        }
        setting.grid.epsilons = {result.epsilon.value_or(result.closest)};
        CalibrationOptions whole = setting;
        whole.rerunWorst = result.epsilon && holdMaximum(m_options.limits);
        ASSIGN_OR_RETURN(m_result.run,
                         calibrateWhole(whole, partOf(job, m_steps.narrowed, m_steps.checked)));
        result.cell = m_result.run.cells.front();
        result.guarantee = m_result.run.guarantees.front();
        ASSIGN_OR_RETURN(result.checks, checkLimits(m_options.limits, result.cell, setting.draws));
        if (!result.epsilon) {
            result.binding = mostMissed(result.checks, setting.draws, std::ssize(m_words));
        } else if (!m_result.run.isExact()) {
            setting.seed = m_result.freshSeed;
            ASSIGN_OR_RETURN(auto fresh,
                             calibrateWhole(setting, partOf(job, m_steps.checked, 1.0)));
            result.freshCell = std::move(fresh.cells.front());
            ASSIGN_OR_RETURN(result.freshChecks,
                             checkLimits(m_options.limits, *result.freshCell, setting.draws));
        }
        m_result.settings.push_back(std::move(result));
        return {};
    }

    [[nodiscard]] Result<SettingRecommendation> findLargest(const CalibrationOptions& setting,
                                                            const JobContext& job) const {
        ASSIGN_OR_RETURN(const auto measured,
                         measure(m_space, {setting, setting.grid.mechanisms().front()},
                                 partOf(job, 0.0, m_steps.measured), m_options.crew));
        std::optional<EpsilonSpan> bounds;
        if (!setting.grid.epsilons.empty()) {
            const auto [least, most] = std::ranges::minmax(setting.grid.epsilons);
            bounds = EpsilonSpan{least, most};
        }
        EpsilonFound found;
        if (m_options.limits.empty()) {
            found.searched = bounds.value_or(measured->shown());
            found.epsilon = found.searched.high;
        } else {
            ASSIGN_OR_RETURN(found, findWithin(setting, *measured, bounds,
                                               partOf(job, m_steps.measured, m_steps.searched)));
        }
        if (m_options.narrow) {
            ASSIGN_OR_RETURN(found,
                             m_options.narrow(*measured, found,
                                              partOf(job, m_steps.searched, m_steps.narrowed)));
        }
        return SettingRecommendation{found};
    }

    [[nodiscard]] Result<EpsilonFound> findWithin(const CalibrationOptions& setting,
                                                  const Measurement& measured,
                                                  const std::optional<EpsilonSpan>& bounds,
                                                  const JobContext& job) const {
        EpsilonFound found;
        // One process searches, so that they cannot be stopped at different places.
        RETURN_IF_ERROR(inUnits(
            m_options.crew, 1,
            [&](std::int64_t /*unit*/) -> Result<void> {
                ASSIGN_OR_RETURN(found, measured.findLargest(m_options.limits, bounds, job));
                return {};
            },
            [&](auto& archive, std::int64_t /*unit*/) { archive(found); }));
        if (measured.isInSteps() || !found.epsilon) {
            return found;
        }
        CellSource source;
        source.origin = measured.origin();
        const EpsilonSpan about = widened({*found.epsilon, found.above.value_or(*found.epsilon)},
                                          source.origin, 1.0 + kProfileError);
        source.searched = {std::max(about.low, found.searched.low),
                           std::min(about.high, found.searched.high)};
        source.isNarrow = true;
        source.tolerance = kTolerance;
        source.draws = setting.draws;
        source.words = std::ssize(m_words);
        source.cells = [&](std::span<const double> epsilons) -> Result<std::vector<Cell>> {
            CalibrationOptions run = setting;
            run.deniabilityOdds.reset();
            run.grid.epsilons.assign(epsilons.begin(), epsilons.end());
            ASSIGN_OR_RETURN(auto summary, calibrateWhole(run, {job.stop}));
            return std::move(summary.cells);
        };
        ASSIGN_OR_RETURN(auto exact, findLargestEpsilon(source, m_options.limits, job));
        exact.searched = found.searched;
        exact.everywhere = found.everywhere;
        exact.looked = found.looked;
        return exact;
    }

    [[nodiscard]] Result<CalibrationSummary> calibrateWhole(const CalibrationOptions& options,
                                                            const JobContext& job) const {
        auto run = calibrate(m_space, options, job, m_options.crew);
        if (run && run->partial) {
            return fail(ErrorCode::cancelled, "cancelled");
        }
        return run;
    }

    // The last run with the cells of all settings, and the best of them.
    void describe() {
        CalibrationSummary& run = m_result.run;
        run.cells.clear();
        run.guarantees.clear();
        run.perWord = {};
        double best = 0.0;
        for (const SettingRecommendation& setting : m_result.settings) {
            const double own = merit(setting.cell, m_options.objective);
            if (setting.epsilon && (!m_result.best || own > best)) {
                m_result.best = run.cells.size();
                best = own;
            }
            run.cells.push_back(setting.cell);
            run.guarantees.push_back(setting.guarantee);
        }
        run.grid = m_options.calibration.grid.used();
        run.grid.epsilons.clear();
        run.seed = m_options.calibration.seed;
        run.partial = m_result.partial;
    }

    const engine::SearchSpace& m_space;
    const RecommendationOptions& m_options;
    const Steps& m_steps;
    std::vector<Row> m_words;
    const JobContext& m_job;
    Recommendation m_result{};
};

Result<void> checkOptions(const RecommendationOptions& options) {
    const mechanism::Grid& grid = options.calibration.grid;
    if (options.limits.empty() && !options.narrow) {
        return refuse("there is no limit to meet");
    }
    for (const Limit& limit : options.limits) {
        if (limit.statistic == LimitStatistic::kw &&
            (grid.mechanism.isExact() || !options.calibration.independentDraws)) {
            return refuseLimit(limitText(limit),
                               "K_w needs independent draws for every word; tem draws none");
        }
    }
    if (options.objective == Objective::distance && grid.mechanism.isExact() &&
        grid.mechanism.hasLambda() && grid.lambdas.size() > 1) {
        return refuse(
            "objective distance: each lambda has a distance of its own, so they cannot be "
            "compared; choose cosine or changed");
    }
    return {};
}

}  // namespace

bool holdMaximum(const std::vector<Limit>& limits) {
    return std::ranges::any_of(limits, [](const Limit& limit) {
        return limit.aggregate == LimitAggregate::max &&
               (limit.statistic == LimitStatistic::nw || limit.statistic == LimitStatistic::kept);
    });
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

Result<std::vector<Row>> validate(const RecommendationOptions& options,
                                  const embedding::PreparedEmbedding& embedding) {
    RETURN_IF_ERROR(checkOptions(options));
    CalibrationOptions run = options.calibration;
    std::vector<double>& epsilons = run.grid.epsilons;
    if (epsilons.empty()) {
        // A run has one at least.
        epsilons = {run.grid.mechanism.epsilonBound(embedding.dimensions()) + 1.0};
    } else if (const auto [least, most] = std::ranges::minmax(epsilons); !(least < most)) {
        return refuse("the epsilons bound the search: give a smallest and a largest one");
    }
    return validate(run, embedding);
}

Result<Recommendation> recommend(const engine::SearchSpace& space,
                                 const RecommendationOptions& options, const JobContext& job) {
    const Stopwatch watch;
    ASSIGN_OR_RETURN(auto words, validate(options, space.embedding()));
    ASSIGN_OR_RETURN(auto result, RecommendationRun(space, options, std::move(words), job).run());
    result.run.seconds = result.seconds = watch.seconds();
    return result;
}

}  // namespace epsilens::calibration
