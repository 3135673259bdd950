#pragma once

#include <QString>

#include "core/calibration/measurement.h"

namespace epsilens::ui {

/// Texts of the analyst's own that the current setting was measured on.
struct MeasuredText {
    calibration::MeasurementHandle measurement{};  ///< of some of their tokens
    QString file{};
    qint64 tokens = 0;          ///< measured
    double unknownShare = 0.0;  ///< of the words of the texts, not known to the embedding
};

/// Texts of the analyst's own that wait to be measured: it was cancelled.
struct UnmeasuredText {
    QString file{};
    qint64 tokens = 0;  ///< to be measured
};

}  // namespace epsilens::ui
