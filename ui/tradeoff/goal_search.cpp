#include "ui/tradeoff/goal_search.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <QStringList>

#include "ui/state/estimated_duration.h"
#include "ui/state/limits_model.h"
#include "ui/tradeoff/trade_off_model.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

namespace {

using experiment::FigureLimit;
using experiment::FigureName;

constexpr int kRestMs = 400;

/// Each limit with what was measured.
QString checksText(const std::vector<experiment::FigureCheck>& checks) {
    QStringList texts;
    for (const experiment::FigureCheck& check : checks) {
        texts.append(toQString(experiment::checkSentence(check)));
    }
    return texts.join(QStringLiteral("; "));
}

}  // namespace

GoalSearch::GoalSearch(TradeOffModel& model, GoalSearchFunction search, QObject* parent)
    : QObject(parent),
      m_model(model),
      m_search(std::move(search)),
      m_rest(kRestMs),
      m_estimator(tr("Estimating the cost"),
                  [this](const Result<experiment::EvaluationCost>& cost) {
                      if (cost) {
                          m_seconds = cost->seconds;
                          Q_EMIT changed();
                      }
                  }),
      m_runner(tr("Finding ε for use and risk"),
               [this](const Result<experiment::LimitedRecommendation>& found) { take(found); }) {
    connect(&m_rest, &QTimer::timeout, this, &GoalSearch::estimate);
    connect(&m_runner, &JobRunnerBase::started, this, &GoalSearch::changed);
    connect(&m_runner, &JobRunnerBase::finished, this, &GoalSearch::changed);
    connect(&m_runner, &JobRunnerBase::progressChanged, this, &GoalSearch::changed);
    connect(&m_model.state(), &AnalysisState::embeddingDropped, this, [this] {
        m_estimator.drop();
        m_runner.drop();
        m_found.clear();
    });
    connect(&m_model.state(), &AnalysisState::changed, this,
            [this](const AnalysisSettings& before, const AnalysisSettings& now) {
                if (!m_isSettingEpsilon && before.setting() != now.setting()) {
                    m_found.clear();
                    Q_EMIT changed();
                }
                if (before.chosen() != now.chosen() || before.limits != now.limits) {
                    follow();
                }
            });
    connect(&m_model, &TradeOffModel::planChanged, this, &GoalSearch::follow);
}

void GoalSearch::setMostGain(std::optional<double> mostGain) {
    m_mostGain = mostGain;
    m_found.clear();
    follow();
}

void GoalSearch::setLeastRetained(std::optional<double> leastRetained) {
    m_leastRetained = leastRetained;
    m_found.clear();
    follow();
}

std::vector<FigureLimit> GoalSearch::limits() const {
    std::vector<FigureLimit> limits;
    if (m_mostGain) {
        limits.push_back(
            {{FigureName::Kind::gain, {}}, calibration::LimitRelation::atMost, *m_mostGain, true});
    }
    if (m_leastRetained) {
        const auto& classifiers = m_model.choice().classifiers;
        const auto classifier =
            classifiers.empty() ? experiment::ClassifierKind::linear : classifiers.front();
        limits.push_back({{FigureName::Kind::retained, classifier},
                          calibration::LimitRelation::atLeast,
                          *m_leastRetained,
                          true});
    }
    return limits;
}

experiment::LimitedOptions GoalSearch::options() const {
    const AnalysisState& state = m_model.state();
    experiment::LimitedOptions options;
    options.search.calibration = presentSetting(state);
    const auto [low, high] =
        std::minmax_element(state.grid().epsilons.begin(), state.grid().epsilons.end());
    options.search.calibration.grid.epsilons = {*low, *high};
    options.search.limits = state.limits();
    options.evaluation = m_model.options();
    options.figures = limits();
    return options;
}

QString GoalSearch::obstacle() const {
    const AnalysisState& state = m_model.state();
    if (!state.searchSpace() || !m_model.source().texts()) {
        return tr("Open labelled texts to find an ε for them.");
    }
    if (limits().empty()) {
        return tr("Fill in one of the two blanks.");
    }
    if (m_leastRetained && !m_model.refusalOf(experiment::Task::classify).isEmpty()) {
        return m_model.refusalOf(experiment::Task::classify);
    }
    if (state.grid().epsilons.size() < 2) {
        return tr(
            "The grid needs at least two values of ε: between the least and the largest of "
            "them ε is looked for.");
    }
    const auto problem =
        experiment::validate(options(), m_model.source().texts()->data, *state.embedding());
    return problem ? toQString(problem->message) : QString();
}

void GoalSearch::follow() {
    m_estimator.drop();
    m_seconds.reset();
    m_rest.start();
    Q_EMIT changed();
}

void GoalSearch::estimate() {
    if (isRunning() || m_model.isRunning() || !obstacle().isEmpty()) {
        return;
    }
    m_estimator.start([space = m_model.state().searchSpace(), texts = m_model.source().texts(),
                       options = options()](const JobContext& job) {
        return experiment::figureCost(*space, texts->data, options, job);
    });
}

void GoalSearch::find() {
    if (isRunning()) {
        m_runner.cancel();
        return;
    }
    if (!obstacle().isEmpty()) {
        return;
    }
    m_found.clear();
    m_rest.stop();
    m_estimator.drop();
    m_runner.start([space = m_model.state().searchSpace(), texts = m_model.source().texts(),
                    options = options(), search = m_search](const JobContext& job) {
        return search(*space, texts->data, options, job);
    });
}

void GoalSearch::take(const Result<experiment::LimitedRecommendation>& found) {
    if (found) {
        tell(*found);
    } else {
        m_found = found.error().code == ErrorCode::cancelled ? QString()
                                                             : toQString(found.error().message);
    }
    Q_EMIT changed();
}

void GoalSearch::tell(const experiment::LimitedRecommendation& found) {
    if (found.figures.settings.empty()) {
        m_found = tr("Nothing was found before the search was cancelled.");
        return;
    }
    const experiment::LimitsFound& figures = found.figures.settings.front();
    if (figures.epsilon) {
        m_isSettingEpsilon = true;
        m_model.state().edit(&AnalysisSettings::chooseEpsilon, *figures.epsilon);
        m_isSettingEpsilon = false;
        m_found = tr("ε = %1 is the largest value found. %2.")
                      .arg(shortest(*figures.epsilon), checksText(figures.checks));
        if (!figures.fresh.empty()) {
            m_found += tr(" With other draws: %1.").arg(checksText(figures.fresh));
        }
        return;
    }
    m_found = figures.checks.empty()
                  ? tr("No ε meets the other limits, so none was tried on the texts.")
                  : tr("No ε meets these limits. Nearest, at ε = %1: %2.")
                        .arg(significant(figures.closest, 3), checksText(figures.checks));
}

QString GoalSearch::message() const {
    if (isRunning()) {
        return tr("%1 %").arg(std::floor(100.0 * m_runner.fraction()));
    }
    if (!m_found.isEmpty()) {
        return m_found;
    }
    const QString reason = obstacle();
    return !reason.isEmpty() ? reason
           : m_seconds       ? tr("At most %1.").arg(estimatedDuration(*m_seconds))
                             : QString();
}

}  // namespace epsilens::ui
