#pragma once

#include <bitset>
#include <optional>
#include <vector>

#include <QString>

#include "core/calibration/limits.h"
#include "ui/state/analysis_settings.h"
#include "ui/state/pin_state.h"

namespace epsilens::ui {

/// Everything that undo puts back, as it was at one moment.
struct SettingsSnapshot {
    AnalysisSettings settings{};
    std::optional<mechanism::Setting> pin{};
    std::vector<calibration::Limit> limits{};
};

/// Which parts of a snapshot: each is what one control sets.
constexpr std::size_t kSettingsParts = 22;
using SettingsParts = std::bitset<kSettingsParts>;

/// The parts in which two snapshots differ. What follows from other settings is no part of its own:
/// it goes with them.
[[nodiscard]] SettingsParts differingParts(const SettingsSnapshot& a, const SettingsSnapshot& b);
/// `base` with some parts taken from another snapshot.
[[nodiscard]] SettingsSnapshot withParts(SettingsSnapshot base, const SettingsSnapshot& from,
                                         const SettingsParts& parts);
/// What the program itself adapts when these parts change: the grids of a run, until others are
/// typed, and with the seed the words drawn from a data set.
[[nodiscard]] SettingsParts followingParts(const SettingsParts& changed);
/// "ε", "mechanism": what the first of them is called, translated; empty for none.
[[nodiscard]] QString partsName(const SettingsParts& parts);

}  // namespace epsilens::ui
