#pragma once

#include <memory>

#include "ui/shell/main_window.h"

namespace epsilens::ui {

/// The window with all its tabs. The one place that knows every panel.
[[nodiscard]] std::unique_ptr<MainWindow> createWindow(
    const LoadFunctions& functions = coreLoadFunctions());

/// Theme, text size and threads as kept in the settings; call before the window is created.
void applyRememberedPreferences();

}  // namespace epsilens::ui
