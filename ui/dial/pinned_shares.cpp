#include "ui/dial/pinned_shares.h"

#include <utility>

#include "core/base/pass_on.h"
#include "ui/state/analysis_state.h"

namespace epsilens::ui {

PinnedShares::PinnedShares(const AnalysisState& state, QObject* parent)
    : QObject(parent),
      m_state(state),
      m_job(tr("Measuring the pinned setting"), [this](Result<DialCurve> curve) {
          if (curve && curve->measured) {
              m_curve = std::move(*curve);
              Q_EMIT changed();
          }
      }) {}

bool PinnedShares::isBegun(const calibration::MeasurementHandle& shown,
                           const ValueScale& axis) const {
    return m_beside == shown && m_curve.axis == axis && m_state.pin() &&
           m_mechanism == m_state.pin()->mechanism;
}

void PinnedShares::follow(const calibration::MeasurementHandle& shown, const ValueScale& axis) {
    if (shown && isBegun(shown, axis)) {
        return;
    }
    m_job.drop();
    // Along another axis it is the same measurement.
    calibration::MeasurementHandle known =
        shown && isBegun(shown, m_curve.axis) ? m_curve.measured : nullptr;
    m_curve = {known, axis, {}};
    m_beside = shown;
    m_mechanism.reset();
    if (!shown || !m_state.pin() || !m_state.searchSpace()) {
        return;
    }
    m_mechanism = m_state.pin()->mechanism;
    if (*m_mechanism == shown->options().mechanism) {
        known = shown;
    }
    calibration::MeasurementOptions options = shown->options();
    options.mechanism = *m_mechanism;
    m_job.start([space = m_state.searchSpace(), options = std::move(options), known,
                 axis](const JobContext& job) -> Result<DialCurve> {
        if (known) {
            return drawCurve(known, axis, job);
        }
        ASSIGN_OR_RETURN(const auto measured, calibration::measure(*space, options, job));
        return drawCurve(measured, axis, job);
    });
}

}  // namespace epsilens::ui
