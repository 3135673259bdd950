#include "ui/curves/curves_model.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/state/mechanism_view.h"
#include "ui/state/session_results.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

CurvesModel::CurvesModel(AnalysisState& state, QObject* parent)
    : QObject(parent),
      m_state(state),
      m_grid(state),
      m_runner(tr("Measuring"),
               [this](Result<RunCurvesHandle> result) { takeResult(std::move(result)); }),
      m_responses(
          {.title = tr("Measuring between the points of the grid"),
           .key = [this]() -> std::optional<ResponseKey> {
               return m_result && !isRunning() && lacksResponses(*m_result) &&
                              m_result->isOf(m_state.embedding())
                          ? std::optional(ResponseKey{m_state.searchSpace(), m_result})
                          : std::nullopt;
           },
           .make = [](const ResponseKey& key,
                      const JobContext& job) { return withResponses(*key.space, key.run, job); }}) {
    // A failure leaves the straight lines between the points of the grid.
    connect(&m_responses, &QueryBase::changed, this, [this] {
        if (const RunCurvesHandle* denser = m_responses.current()) {
            m_result = *denser;
            Q_EMIT linesRefined();
        }
    });
    for (const auto signal : {&JobRunnerBase::started, &JobRunnerBase::finished}) {
        connect(&m_runner, signal, this, [this] {
            m_responses.update();
            Q_EMIT runningChanged();
        });
    }
    // What was measured with other vectors says nothing about these.
    connect(&m_state, &AnalysisState::embeddingDropped, this, [this] {
        m_runner.drop();
        m_result.reset();
        m_responses.update();
    });
    connect(&m_state, &AnalysisState::embeddingChanged, this, [this] {
        Q_EMIT resultChanged();
        Q_EMIT stalenessChanged();
    });
    connect(&m_state, &AnalysisState::changed, this,
            [this](const AnalysisSettings& before, const AnalysisSettings& now) {
                if (!now.asksForRunOf(before)) {
                    Q_EMIT stalenessChanged();
                }
            });
}

calibration::CalibrationOptions CurvesModel::options() const {
    return optionsUnder(m_state.limits(), m_state.calibrationOptions());
}

QString CurvesModel::obstacle() const {
    if (!m_state.embedding()) {
        return tr("Open an embedding to measure its words.");
    }
    if (!m_state.searchSpace()) {
        return tr("The embedding is being prepared.");
    }
    const auto problem = calibration::validate(options(), *m_state.embedding());
    return problem ? toQString(problem->message) : QString();
}

void CurvesModel::run() {
    if (isRunning() || !obstacle().isEmpty()) {
        return;
    }
    m_runner.start([space = m_state.searchSpace(), asked = options(),
                    selection = m_state.settings().wordsFrom()](const JobContext& job) {
        return runCurves(*space, asked, job, selection);
    });
}

void CurvesModel::takeResult(Result<RunCurvesHandle> result) {
    if (!result) {
        Q_EMIT failed(result.error());
        return;
    }
    m_result = std::move(*result);
    Q_EMIT resultChanged();
    Q_EMIT stalenessChanged();
}

void CurvesModel::restore(calibration::RunHandle run) {
    m_runner.drop();
    RunCurves curves = arrange(std::move(run));
    curves.isRestored = true;
    curves.embedding = m_state.embedding();
    takeResult(std::make_shared<const RunCurves>(std::move(curves)));
    m_responses.update();
}

QString CurvesModel::resultText() const {
    if (!m_result) {
        return {};
    }
    const calibration::CalibrationSummary& summary = m_result->summary();
    const QString text =
        (summary.isExact() ? tr("%1 words, exact expectations for R = %2 draws, word seed %3, %4")
                           : tr("%1 words, R = %2 draws, seed %3, %4"))
            .arg(counted(summary.words), counted(summary.draws), QString::number(summary.seed),
                 duration(summary.seconds));
    if (!summary.partial) {
        return text;
    }
    return (summary.words == summary.wordsAsked
                ? tr("the worst words were not counted again · ")
                : tr("partial: %1 of %2 words · ")
                      .arg(counted(summary.words), counted(summary.wordsAsked))) +
           text;
}

bool CurvesModel::isOfOthers() const {
    return m_result && !m_result->summary().grid.mechanism.isKindOf(m_state.mechanism());
}

QString CurvesModel::staleness() const {
    if (!m_result) {
        return {};
    }
    const mechanism::Mechanism& made = m_result->summary().grid.mechanism;
    if (isOfOthers()) {
        return tr("What was measured belongs to another mechanism: %1.").arg(mechanismTitle(made));
    }
    return answers(m_result->options(), options())
               ? QString()
               : tr("Settings changed: these results belong to the previous settings.");
}

int CurvesModel::nearestCurve() const {
    if (!m_result || m_result->nw.empty()) {
        return -1;
    }
    const double wanted = parameterValue(m_state.mechanism(), m_result->parameter);
    const bool isLog = m_result->parameter == CurveParameter::beta;
    const auto distance = [wanted, isLog](const Curve& curve) {
        return isLog ? std::fabs(std::log(curve.value / wanted)) : std::fabs(curve.value - wanted);
    };
    const auto nearest = std::min_element(
        m_result->nw.begin(), m_result->nw.end(),
        [&distance](const Curve& a, const Curve& b) { return distance(a) < distance(b); });
    return static_cast<int>(nearest - m_result->nw.begin());
}

}  // namespace epsilens::ui
