#include "ui/state/session_results.h"

#include <utility>

#include "ui/state/analysis_state.h"
#include "ui/widgets/qt_convert.h"

#include "core/base/pass_on.h"

namespace epsilens::ui {

bool isSameRun(const calibration::CalibrationOptions& a, const calibration::CalibrationOptions& b) {
    return a.grid == b.grid && a.words == b.words && a.draws == b.draws && a.seed == b.seed &&
           a.nearNeighbours == b.nearNeighbours && a.independentDraws == b.independentDraws;
}

SessionResults::SessionResults(AnalysisState& state, QObject* parent)
    : QObject(parent),
      m_state(state),
      m_costJob(tr("Estimating the cost"),
                [this](const Result<double>& seconds) {
                    if (seconds) {
                        m_densitySeconds = *seconds;
                        Q_EMIT densityCostChanged();
                    }
                }),
      m_densityJob(
          tr("Nearest neighbours of all words"),
          [this](Result<VocabularyDensityHandle> result) { takeDensity(std::move(result)); }) {
    connect(&m_state, &AnalysisState::embeddingDropped, this, &SessionResults::forget);
    connect(&m_state, &AnalysisState::embeddingChanged, this, &SessionResults::followEmbedding);
    connect(&m_state, &AnalysisState::changed, this, &SessionResults::followInputs);
    estimateDensityCost();
}

void SessionResults::setRun(calibration::RunHandle run) {
    m_run = std::move(run);
    m_outdated = false;
    Q_EMIT runChanged();
    followInputs();
}

bool SessionResults::isRunOutdated() const {
    return m_outdated;
}

void SessionResults::followInputs() {
    const bool outdated = m_run && !isSameRun(m_run->request.options, m_state.calibrationOptions());
    if (outdated != m_outdated) {
        m_outdated = outdated;
        Q_EMIT runOutdatedChanged();
    }
}

void SessionResults::forget() {
    m_costJob.drop();
    m_densityJob.drop();
    m_densitySeconds.reset();
    m_density.reset();
    m_run.reset();
}

void SessionResults::followEmbedding() {
    setRun(nullptr);
    Q_EMIT densityChanged();
    Q_EMIT densityCostChanged();
    estimateDensityCost();
}

bool SessionResults::offersDensity() const {
    return !m_density && m_state.searchSpace() != nullptr;
}

QString SessionResults::densityCostText() const {
    constexpr double kHardlyAnything = 0.05;
    if (!m_densitySeconds) {
        return {};
    }
    const QString time = duration(*m_densitySeconds);
    return *m_densitySeconds < kHardlyAnything ? time : tr("about %1").arg(time);
}

void SessionResults::estimateDensityCost() {
    if (!m_state.searchSpace()) {
        return;
    }
    m_costJob.start([space = m_state.searchSpace()](const JobContext& /*job*/) -> Result<double> {
        return statistics::estimateDensitySeconds(*space);
    });
}

void SessionResults::computeDensity() {
    if (m_density || m_densityJob.isRunning() || !m_state.searchSpace()) {
        return;
    }
    m_densityJob.start(
        [space = m_state.searchSpace()](const JobContext& job) -> Result<VocabularyDensityHandle> {
            ASSIGN_OR_RETURN(auto profile, statistics::densityProfile(*space, 0, job));
            auto figures = statistics::densityFigures(profile, profile.sparsestFirst);
            return std::make_shared<const VocabularyDensity>(
                VocabularyDensity{space->handle(), std::move(profile), std::move(figures)});
        });
}

void SessionResults::takeDensity(Result<VocabularyDensityHandle> result) {
    if (!result) {
        Q_EMIT densityFailed(result.error());
        return;
    }
    m_density = std::move(*result);
    Q_EMIT densityChanged();
}

}  // namespace epsilens::ui
