#include "ui/state/session_results.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <QPushButton>

#include "core/base/error.h"

namespace epsilens::ui {

namespace {

template <typename Value>
bool holds(const std::vector<Value>& all, const std::vector<Value>& some) {
    return std::all_of(some.begin(), some.end(), [&all](const Value& value) {
        return std::find(all.begin(), all.end(), value) != all.end();
    });
}

}  // namespace

bool includes(const mechanism::Grid& grid, const mechanism::Grid& other) {
    return holds(grid.epsilons, other.epsilons) && holds(grid.mechanisms(), other.mechanisms());
}

bool answers(const calibration::CalibrationOptions& run,
             const calibration::CalibrationOptions& asked) {
    return includes(run.grid, asked.grid) && run.words == asked.words && run.draws == asked.draws &&
           run.seed == asked.seed && run.nearNeighbours == asked.nearNeighbours &&
           run.independentDraws == asked.independentDraws;
}

SessionResults::SessionResults(AnalysisState& state, QObject* parent)
    : QObject(parent),
      m_state(state),
      m_density({.title = tr("Nearest neighbours of all words"),
                 .key = [this]() -> std::optional<engine::SearchSpaceHandle> {
                     return m_isAskedFor ? std::optional(m_state.searchSpace()) : std::nullopt;
                 },
                 .make = [](const engine::SearchSpaceHandle& space,
                            const JobContext& job) -> Result<VocabularyDensityHandle> {
                     ASSIGN_OR_RETURN(auto profile, calibration::densityProfile(*space, 0, job));
                     auto figures = calibration::densityFigures(profile, profile.sparsestFirst);
                     return std::make_shared<const VocabularyDensity>(VocabularyDensity{
                         space->handle(), std::move(profile), std::move(figures)});
                 }}) {
    connect(&m_density, &QueryBase::changed, this, [this] {
        if (const Error* error = m_density.currentError()) {
            Q_EMIT densityFailed(*error);
        } else {
            Q_EMIT densityChanged();
        }
    });
    connect(&m_state, &AnalysisState::embeddingReset, this, [this] {
        m_isAskedFor = false;
        m_density.update();
    });
    connect(&m_state, &AnalysisState::embeddingChanged, this, &SessionResults::densityChanged);
}

void SessionResults::computeDensity() {
    m_isAskedFor = m_state.searchSpace() != nullptr;
    m_density.retry();
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
