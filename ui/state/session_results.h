#pragma once

#include <memory>

#include <QObject>

#include "core/calibration/density_profile.h"
#include "core/calibration/options.h"
#include "core/embedding/prepared_embedding.h"
#include "ui/state/job_runner.h"

class QPushButton;
class QWidget;

namespace epsilens::ui {

class AnalysisState;

/// Whether a run has the numbers asked for; threads and what is kept besides do not matter.
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

    [[nodiscard]] const VocabularyDensityHandle& density() const { return m_density; }
    [[nodiscard]] bool offersDensity() const;
    [[nodiscard]] JobRunnerBase& densityRunner() { return m_densityJob; }
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

/// A button that starts and stops the computation; hidden while there is nothing to compute.
///
/// results  must outlive the button
/// offer    what the button says: "Compute distances"
[[nodiscard]] QPushButton* densityButton(SessionResults& results, const QString& offer,
                                         QWidget* parent);

}  // namespace epsilens::ui
