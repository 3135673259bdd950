#pragma once

#include "ui/widgets/theme.h"

namespace epsilens::ui {

/// What the analyst prefers, kept in the settings. The command line has no part in it.
struct Preferences {
    static constexpr int kLeastTextPercent = 70;
    static constexpr int kMostTextPercent = 250;
    static constexpr int kTextStep = 10;
    static constexpr int kMostThreads = 1024;

    ThemeChoice theme = ThemeChoice::system;
    int textPercent = 100;         ///< of the size that the desktop asks for
    int threads = 0;               ///< for computing; 0: all processors
    double memoryGiB = 0.0;        ///< that loading an embedding may take; 0: what is free
    bool rememberNothing = false;  ///< no recent files, folders and window positions

    /// Values out of range count as not set.
    [[nodiscard]] static Preferences load();
    /// Writes them, and forgets what is not to be remembered.
    void save() const;
    /// Applies theme, text size and threads to the program.
    void apply() const;

    [[nodiscard]] bool operator==(const Preferences&) const = default;
};

/// Applies a theme and keeps it.
void changeTheme(ThemeChoice theme);
/// Scales all text of the program, that of existing widgets too.
void applyTextSize(int percent);
/// Applies a size and keeps it. Returns what it became: the nearest one allowed.
int changeTextSize(int percent);

}  // namespace epsilens::ui
