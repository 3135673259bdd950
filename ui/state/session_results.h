#pragma once

#include <memory>

#include <QObject>

#include "core/calibration/density_profile.h"
#include "core/calibration/options.h"
#include "core/embedding/prepared_embedding.h"
#include "ui/state/analysis_state.h"
#include "ui/state/query.h"

namespace epsilens::ui {

/// True if a grid has every epsilon and every mechanism of another.
[[nodiscard]] bool includes(const mechanism::Grid& grid, const mechanism::Grid& other);

/// True if a run has every cell that is asked for, with the same words and draws.
[[nodiscard]] bool answers(const calibration::CalibrationOptions& run,
                           const calibration::CalibrationOptions& asked);

struct VocabularyDensity {
    embedding::EmbeddingHandle embedding{};  ///< whose rows those of the profile are
    calibration::DensityProfile profile{};
    calibration::DensityFigures figures{};
};
using VocabularyDensityHandle = std::shared_ptr<const VocabularyDensity>;

/// The nearest-neighbour distances of the vocabulary at hand, which serve several panels. Lives on
/// the GUI thread.
class SessionResults : public QObject {
    Q_OBJECT

public:
    explicit SessionResults(AnalysisState& state, QObject* parent = nullptr);

    [[nodiscard]] VocabularyDensityHandle density() const {
        return m_density.current() != nullptr ? *m_density.current() : nullptr;
    }
    [[nodiscard]] JobRunnerBase& densityRunner() { return m_density.job(); }
    /// For whoever needs it, unless it is known or on its way; once more where that failed.
    void computeDensity();

Q_SIGNALS:
    void densityChanged();
    void densityFailed(const epsilens::Error& error);

private:
    AnalysisState& m_state;
    bool m_isAskedFor = false;
    Query<engine::SearchSpaceHandle, VocabularyDensityHandle> m_density;
};

}  // namespace epsilens::ui
