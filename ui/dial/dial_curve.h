#pragma once

#include "core/base/job_context.h"
#include "core/calibration/measurement.h"
#include "ui/dial/dial_picture.h"
#include "ui/widgets/value_scale.h"

namespace epsilens::ui {

/// Shares along the axis of a dial and what they are of.
struct DialCurve {
    calibration::MeasurementHandle measured{};
    ValueScale axis{};
    DialShares shares{};

    [[nodiscard]] bool isOf(const calibration::MeasurementHandle& other,
                            const ValueScale& along) const {
        return measured == other && axis == along;
    }
};

/// Draws a measurement along an axis and some way beyond both of its ends, where the measurement
/// has values. Takes long only in closed form. Unfinished once a stop is requested.
[[nodiscard]] DialCurve drawCurve(const calibration::MeasurementHandle& measured,
                                  const ValueScale& axis, const JobContext& job = {});

}  // namespace epsilens::ui
