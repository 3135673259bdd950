#pragma once

#include <QString>

#include "ui/state/analysis_settings.h"

namespace epsilens::ui {

/// What the analyst changed between two values of the settings.
struct SettingsChange {
    /// "ε", "mechanism": what is called so is different, and possibly what follows from it;
    /// translated. Empty if the analyst changed nothing: an epsilon that follows its default and a
    /// grid that follows an estimate are the program's doing.
    QString name{};
    /// Whether it is a number, which a slider or the arrow keys take through many values.
    bool isNumber = false;

    [[nodiscard]] static SettingsChange between(const AnalysisSettings& before,
                                                const AnalysisSettings& now);
};

/// The present settings with what differs between two values as it is in `to`. What the program has
/// found out meanwhile stays.
[[nodiscard]] AnalysisSettings withChange(AnalysisSettings present, const AnalysisSettings& from,
                                          const AnalysisSettings& to);

}  // namespace epsilens::ui
