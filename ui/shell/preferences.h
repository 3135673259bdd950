#pragma once

#include "ui/widgets/theme.h"

class QDialog;
class QWidget;

namespace epsilens::ui {

/// What holds for every start of the program.
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

    [[nodiscard]] static Preferences load();
    void save() const;
    void apply() const;

    [[nodiscard]] bool operator==(const Preferences&) const = default;
};

void applyTextSize(int percent);
/// Applies a size and keeps it. Returns what it became: the nearest one allowed.
int changeTextSize(int percent);

[[nodiscard]] QDialog* newPreferencesDialog(QWidget* parent = nullptr);

}  // namespace epsilens::ui
