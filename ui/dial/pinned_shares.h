#pragma once

#include <optional>

#include <QObject>

#include "ui/dial/dial_curve.h"
#include "ui/state/job_runner.h"
#include "ui/state/quick_measurement.h"

namespace epsilens::ui {

class AnalysisState;

/// What the pinned setting does to the words that the dial shows: measured by itself, with the
/// draws and the words of the dial.
class PinnedShares : public QObject {
    Q_OBJECT

public:
    explicit PinnedShares(const AnalysisState& state, QObject* parent = nullptr);

    /// Measures the pinned setting beside another measurement and along another axis, unless that
    /// is done or begun.
    ///
    /// shown  what the dial shows; null: nothing
    void follow(const calibration::MeasurementHandle& shown, const ValueScale& axis);
    /// Null where nothing is pinned, and until it is measured.
    [[nodiscard]] const calibration::MeasurementHandle& measurement() const {
        return m_curve.measured;
    }
    [[nodiscard]] const DialShares& shares() const { return m_curve.shares; }

Q_SIGNALS:
    /// There is another measurement.
    void changed();

private:
    [[nodiscard]] bool isBegun(const calibration::MeasurementHandle& shown,
                               const ValueScale& axis) const;

    const AnalysisState& m_state;
    calibration::MeasurementHandle m_beside;          ///< the last that was followed
    std::optional<mechanism::Mechanism> m_mechanism;  ///< pinned then
    DialCurve m_curve;                                ///< with the axis that is wanted
    JobRunner<DialCurve> m_job;
};

}  // namespace epsilens::ui
