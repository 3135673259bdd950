#pragma once

#include <memory>

#include <QObject>

#include "core/calibration/density_profile.h"
#include "core/calibration/options.h"
#include "core/embedding/prepared_embedding.h"
#include "ui/state/analysis_state.h"
#include "ui/state/query.h"

class QPushButton;
class QWidget;

namespace epsilens::ui {

[[nodiscard]] bool includes(const mechanism::Grid& grid, const mechanism::Grid& other);

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
    [[nodiscard]] bool offersDensity() const { return !density() && m_state.searchSpace(); }
    [[nodiscard]] JobRunnerBase& densityRunner() { return m_density.job(); }
    void computeDensity();

Q_SIGNALS:
    void densityChanged();
    void densityFailed(const epsilens::Error& error);

private:
    AnalysisState& m_state;
    bool m_isAskedFor = false;
    Query<engine::SearchSpaceHandle, VocabularyDensityHandle> m_density;
};

[[nodiscard]] QPushButton* densityButton(SessionResults& results, const QString& offer,
                                         QWidget* parent);

}  // namespace epsilens::ui
