#include "ui/state/session_results.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <QPushButton>

#include "core/base/error.h"
#include "ui/state/analysis_state.h"

namespace epsilens::ui {

namespace {

template <typename Value>
bool holds(const std::vector<Value>& all, const std::vector<Value>& some) {
    return std::all_of(some.begin(), some.end(), [&all](const Value& value) {
        return std::find(all.begin(), all.end(), value) != all.end();
    });
}

}  // namespace

bool answers(const calibration::CalibrationOptions& run,
             const calibration::CalibrationOptions& asked) {
    return holds(run.grid.epsilons, asked.grid.epsilons) &&
           holds(run.grid.mechanisms(), asked.grid.mechanisms()) && run.words == asked.words &&
           run.draws == asked.draws && run.seed == asked.seed &&
           run.nearNeighbours == asked.nearNeighbours &&
           run.independentDraws == asked.independentDraws;
}

SessionResults::SessionResults(AnalysisState& state, QObject* parent)
    : QObject(parent),
      m_state(state),
      m_densityJob(
          tr("Nearest neighbours of all words"),
          [this](Result<VocabularyDensityHandle> result) { takeDensity(std::move(result)); }) {
    connect(&m_state, &AnalysisState::embeddingDropped, this, &SessionResults::forget);
    connect(&m_state, &AnalysisState::embeddingChanged, this, &SessionResults::densityChanged);
}

void SessionResults::forget() {
    m_densityJob.drop();
    m_density.reset();
}

bool SessionResults::offersDensity() const {
    return !m_density && m_state.searchSpace() != nullptr;
}

void SessionResults::computeDensity() {
    if (m_density || m_densityJob.isRunning() || !m_state.searchSpace()) {
        return;
    }
    m_densityJob.start(
        [space = m_state.searchSpace()](const JobContext& job) -> Result<VocabularyDensityHandle> {
            ASSIGN_OR_RETURN(auto profile, calibration::densityProfile(*space, 0, job));
            auto figures = calibration::densityFigures(profile, profile.sparsestFirst);
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

QPushButton* densityButton(SessionResults& results, const QString& offer, QWidget* parent) {
    auto* button = new QPushButton(parent);
    button->setAccessibleDescription(SessionResults::tr(
        "Finds the nearest neighbour of every word of the vocabulary. Choose, Words, the report "
        "and the details use the result until another file is opened."));
    button->setToolTip(button->accessibleDescription());
    JobRunnerBase& job = results.densityRunner();
    QObject::connect(button, &QPushButton::clicked, &results, [&results, &job] {
        if (job.isRunning()) {
            job.cancel();
        } else {
            results.computeDensity();
        }
    });
    const auto refresh = [&results, &job, button, offer] {
        button->setText(job.isRunning() ? SessionResults::tr("Stop computing distances") : offer);
        button->setVisible(results.offersDensity());
    };
    QObject::connect(&results, &SessionResults::densityChanged, button, refresh);
    QObject::connect(&job, &JobRunnerBase::started, button, refresh);
    QObject::connect(&job, &JobRunnerBase::finished, button, refresh);
    refresh();
    return button;
}

}  // namespace epsilens::ui
