#pragma once

#include <optional>
#include <vector>

#include <QString>

#include "core/calibration/limits.h"
#include "ui/curves/curve_parameter.h"
#include "ui/curves/curve_text.h"

namespace epsilens::ui {

/// A limit in the plot of its statistic.
struct LimitLine {
    double value = 0.0;         ///< where it lies, in draws
    QString name{};             ///< "kept draws P95 ≤ 50%"
    std::optional<bool> met{};  ///< at the reading; nothing where that is not known
    double reading = 0.0;       ///< what is held against it, in draws; only where met is known
    QString curve{};            ///< "λ 0.5" that it is read from; empty where there is one only

    /// "kept draws P95 ≤ 50 %: 43.2 ✓", "…: 43.2 for λ 0.5 ✓"
    [[nodiscard]] QString label() const;
    /// The same with what is held against the limit on a line of its own.
    [[nodiscard]] bool operator==(const LimitLine&) const = default;
};

/// "kept draws P95 ≤ 50 %"
[[nodiscard]] QString limitTitle(const calibration::Limit& limit);

/// The limits that can be drawn in the plot of a statistic: those on it, and for N_w those on the
/// share kept, which is N_w / R.
///
/// draws    R of the run
/// reading  values at the present setting; null while there are none
/// curve    that the values are read from; empty where there is one only
[[nodiscard]] std::vector<LimitLine> limitLines(const std::vector<calibration::Limit>& limits,
                                                Statistic statistic, int draws,
                                                const Reading* reading, const QString& curve = {});

/// Whether a reading meets the limits that curves can tell, those on N_w, S_w and the share kept;
/// nothing without such limits, or where one of these statistics is not known.
[[nodiscard]] std::optional<bool> meetsLimits(const std::vector<calibration::Limit>& limits,
                                              int draws, const Reading& reading);

/// " Limits: kept draws P95 ≤ 50 %, met." for assistive technology; empty without lines.
[[nodiscard]] QString limitsDescription(const std::vector<LimitLine>& lines);

}  // namespace epsilens::ui
