#pragma once

#include <memory>

#include <QObject>

#include "core/calibration/density_profile.h"
#include "core/calibration/run.h"
#include "core/embedding/prepared_embedding.h"
#include "ui/state/job_runner.h"

class QPushButton;
class QWidget;

namespace epsilens::ui {

class AnalysisState;

/// Whether a run has the numbers that are asked for, perhaps among those of more settings; how many
/// threads work on them and what they keep besides do not matter.
[[nodiscard]] bool answers(const calibration::CalibrationOptions& run,
                           const calibration::CalibrationOptions& asked);

/// The profile of a whole vocabulary and its figures.
struct VocabularyDensity {
    embedding::EmbeddingHandle embedding{};  ///< whose rows those of the profile are
    calibration::DensityProfile profile{};
    calibration::DensityFigures figures{};
};
using VocabularyDensityHandle = std::shared_ptr<const VocabularyDensity>;

/// What has been computed for the embedding at hand and serves several panels: the
/// nearest-neighbour distances of the vocabulary. Forgotten when another embedding is loaded. Lives
/// on the GUI thread.
class SessionResults : public QObject {
    Q_OBJECT

public:
    explicit SessionResults(AnalysisState& state, QObject* parent = nullptr);

    [[nodiscard]] const VocabularyDensityHandle& density() const { return m_density; }
    /// Whether there is an embedding whose distances have not been computed.
    [[nodiscard]] bool offersDensity() const;
    [[nodiscard]] JobRunnerBase& densityRunner() { return m_densityJob; }
    /// Starts the job unless it runs or its result is there.
    void computeDensity();

Q_SIGNALS:
    void densityChanged();
    void densityFailed(const epsilens::Error& error);

private:
    void forget();
    void takeDensity(Result<VocabularyDensityHandle> result);

    AnalysisState& m_state;
    VocabularyDensityHandle m_density;
    JobRunner<VocabularyDensityHandle> m_densityJob;
};

/// A button that offers the nearest-neighbour distances of the vocabulary, and stops the job while
/// it runs. Not to be seen without an embedding, or once the distances are there.
///
/// results  must outlive the button
/// offer    what the button says: "Compute distances"
[[nodiscard]] QPushButton* densityButton(SessionResults& results, const QString& offer,
                                         QWidget* parent);

}  // namespace epsilens::ui
