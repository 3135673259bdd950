#include "ui/state/session_results.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/base/error.h"

namespace epsilens::ui {

namespace {

template <typename Value>
bool holds(const std::vector<Value>& all, const std::vector<Value>& some) {
    return std::ranges::all_of(
        some, [&all](const Value& value) { return std::ranges::find(all, value) != all.end(); });
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

}  // namespace epsilens::ui
