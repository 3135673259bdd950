#include "ui/setup/limits_model.h"

#include <algorithm>
#include <utility>

#include "ui/state/analysis_state.h"
#include "ui/state/estimated_duration.h"
#include "ui/state/job_board.h"
#include "ui/state/limit_state.h"
#include "ui/state/mechanism_view.h"
#include "ui/widgets/qt_convert.h"

#include "core/base/pass_on.h"

namespace epsilens::ui {

namespace {

constexpr int kSettingsRestMs = 400;
constexpr double kMostMeasuringSeconds = 3.0;

bool needsComparison(const std::vector<calibration::Limit>& limits) {
    return std::any_of(limits.begin(), limits.end(), [](const calibration::Limit& limit) {
        return limit.statistic == calibration::LimitStatistic::kw;
    });
}

/// What a search found, in one or two sentences.
QString foundText(const calibration::SettingRecommendation& found, int draws) {
    QString text = LimitsModel::tr("ε set to %1.").arg(shortest(*found.epsilon));
    if (found.binding) {
        text += LimitsModel::tr(" Just above: %1.")
                    .arg(toQString(calibration::checkSentence(*found.binding, draws)));
    } else {
        text += LimitsModel::tr(" All limits are met up to there, where the search ends.");
    }
    for (const calibration::LimitCheck& check : found.freshChecks) {
        if (!check.met()) {
            text += LimitsModel::tr(" With other draws: %1.")
                        .arg(toQString(calibration::checkSentence(check, draws)));
        }
    }
    return text;
}

QString missedText(const calibration::SettingRecommendation& found, int draws) {
    const QString place = LimitsModel::tr("No ε meets all limits. Nearest at ε = %1")
                              .arg(significant(found.cell.epsilon, 3));
    return found.binding ? LimitsModel::tr("%1: %2.").arg(
                               place, toQString(calibration::checkSentence(*found.binding, draws)))
                         : place + QStringLiteral(".");
}

}  // namespace

calibration::CalibrationOptions presentSetting(const AnalysisState& state) {
    calibration::CalibrationOptions options;
    options.grid = mechanism::Grid::of(state.mechanism());
    options.words = state.words();
    options.draws = state.draws();
    options.seed = state.seed();
    return options;
}

LimitsModel::LimitsModel(AnalysisState& state, LimitState& limits, JobBoard& jobs,
                         LimitFunctions functions, QObject* parent)
    : QObject(parent),
      m_state(state),
      m_limits(limits),
      m_jobs(jobs),
      m_functions(std::move(functions)),
      m_rest(kSettingsRestMs),
      m_estimator(tr("Estimating the cost"),
                  [this](const Result<Cost>& cost) {
                      if (cost && cost->settings == m_settings) {
                          m_cost = *cost;
                          Q_EMIT changed();
                      }
                  }),
      m_measurement(tr("Measuring the limits"),
                    [this](const Result<calibration::CalibrationSummary>& measured) {
                        takeMeasured(measured);
                    }),
      m_search(tr("Finding ε within the limits"),
               [this](const Result<calibration::Recommendation>& found) { takeFound(found); }) {
    jobs.watch(&m_search);
    connect(&m_rest, &QTimer::timeout, this, &LimitsModel::measureAtRest);
    connect(&m_search, &JobRunnerBase::started, this, &LimitsModel::changed);
    connect(&m_search, &JobRunnerBase::finished, this, &LimitsModel::changed);
    connect(&m_state, &AnalysisState::embeddingDropped, this, &LimitsModel::forget);
    connect(&m_state, &AnalysisState::embeddingChanged, this, &LimitsModel::followInputs);
    connect(&m_state, &AnalysisState::changed, this, &LimitsModel::follow);
}

void LimitsModel::setRun(calibration::RunHandle run) {
    m_run = std::move(run);
    if (!m_limits.status().isKnown) {
        m_rest.start();
    }
}

/// The cell of the last run with the present setting, on the words, draws and seed of now; null if
/// it has none.
const calibration::Cell* LimitsModel::calibratedCell() const {
    if (!m_run || m_run->summary->partial) {
        return nullptr;
    }
    calibration::CalibrationOptions present = presentSetting(m_state);
    present.independentDraws =
        m_run->request.options.independentDraws || needsComparison(m_state.limits());
    present.grid = m_run->request.options.grid;
    present.grid.mechanism = m_state.mechanism();
    if (!isSameRun(m_run->request.options, present)) {
        return nullptr;
    }
    const auto& cells = m_run->summary->cells;
    const auto found =
        std::find_if(cells.begin(), cells.end(), [this](const calibration::Cell& cell) {
            return cell.epsilon == m_state.epsilon() &&
                   parameterDistance(cell, m_state.mechanism()) == 0.0;
        });
    return found == cells.end() ? nullptr : &*found;
}

QString LimitsModel::obstacle() const {
    if (!m_state.searchSpace()) {
        return tr("Open an embedding first.");
    }
    return m_state.limits().empty() ? tr("There is no limit to meet.") : QString();
}

void LimitsModel::findEpsilon() {
    if (!obstacle().isEmpty()) {
        return;
    }
    m_rest.stop();
    m_measurement.drop();
    say({}, false);
    m_search.start([space = m_state.searchSpace(), options = searchOptions(),
                    recommend = m_functions.recommend](const JobContext& job) {
        return recommend(*space, options, job);
    });
}

calibration::RecommendationOptions LimitsModel::searchOptions() const {
    calibration::RecommendationOptions options;
    options.calibration = presentSetting(m_state);
    options.limits = m_state.limits();
    options.calibration.independentDraws = needsComparison(options.limits);
    return options;
}

void LimitsModel::estimate() {
    m_estimator.start([space = m_state.searchSpace(), options = searchOptions(),
                       settings = m_settings](const JobContext& /*job*/) {
        return calibration::estimateCost(*space, options)
            .map([settings](const calibration::CostEstimate& cost) {
                return Cost{settings, cost};
            });
    });
}

QString LimitsModel::costText() const {
    if (!m_cost) {
        return {};
    }
    const calibration::CostEstimate& cost = m_cost->estimate;
    const QString words = counted(cost.words);
    return m_state.mechanism().isExact()
               ? tr("%1 words, %2").arg(words, estimatedDuration(cost.seconds))
               : tr("%1 words × %2 draws, %3")
                     .arg(words, counted(m_state.draws()), estimatedDuration(cost.seconds));
}

void LimitsModel::cancel() {
    m_search.cancel();
}

void LimitsModel::forget() {
    m_estimator.drop();
    m_measurement.drop();
    m_search.drop();
    m_run.reset();
}

void LimitsModel::follow(const AnalysisSettings& before, const AnalysisSettings& now) {
    if (now.limits != before.limits || now.chosen() != before.chosen() ||
        !now.asksForRunOf(before)) {
        followInputs();
    } else if (now.epsilon != before.epsilon) {
        followSettings();
    }
}

void LimitsModel::followInputs() {
    ++m_settings;
    m_cost.reset();
    followSettings();
}

// Another setting: what was measured or found no longer holds.
void LimitsModel::followSettings() {
    if (m_isSettingEpsilon) {
        return;
    }
    m_measurement.drop();
    m_search.drop();
    m_limits.forgetChecks();
    say({}, false);
    m_rest.start();
}

/// Does not take the cores from what the analyst waits for.
void LimitsModel::measureAtRest() {
    if (m_jobs.isAnswering()) {
        m_rest.start();
    } else {
        measure();
    }
}

void LimitsModel::measure() {
    if (!obstacle().isEmpty() || isSearching()) {
        return;
    }
    if (!m_cost) {
        estimate();
    }
    if (const calibration::Cell* cell = calibratedCell()) {
        judge(*cell, m_run->summary->draws);
        return;
    }
    calibration::CalibrationOptions options = presentSetting(m_state);
    options.grid.epsilons = {m_state.epsilon()};
    options.independentDraws = needsComparison(m_state.limits());
    m_measurement.start([space = m_state.searchSpace(), options, calibrate = m_functions.calibrate](
                            const JobContext& job) -> Result<calibration::CalibrationSummary> {
        ASSIGN_OR_RETURN(const auto cost, calibration::estimateCost(*space, options));
        if (cost.seconds > kMostMeasuringSeconds) {
            return fail(ErrorCode::resourceLimit, "too long to measure unasked");
        }
        return calibrate(*space, options, job);
    });
}

void LimitsModel::takeMeasured(const Result<calibration::CalibrationSummary>& measured) {
    if (!measured || measured->partial) {
        return;
    }
    judge(measured->cells.front(), measured->draws);
}

void LimitsModel::judge(const calibration::Cell& cell, int draws) {
    if (const auto checks = calibration::checkLimits(m_state.limits(), cell, draws)) {
        m_limits.setChecks(*checks);
    }
}

void LimitsModel::takeFound(const Result<calibration::Recommendation>& found) {
    if (!found) {
        const bool isCancelled = found.error().code == ErrorCode::cancelled;
        say(isCancelled ? QString() : toQString(found.error().message), !isCancelled);
        return;
    }
    const calibration::SettingRecommendation& setting = found->settings.front();
    if (!setting.epsilon) {
        say(missedText(setting, found->run.draws), true);
        return;
    }
    m_isSettingEpsilon = true;
    m_state.edit(&AnalysisSettings::chooseEpsilon, *setting.epsilon);
    m_isSettingEpsilon = false;
    m_limits.setChecks(setting.checks);
    say(foundText(setting, found->run.draws), false);
}

void LimitsModel::say(const QString& message, bool isFailure) {
    m_message = message;
    m_isFailure = isFailure;
    Q_EMIT changed();
}

}  // namespace epsilens::ui
