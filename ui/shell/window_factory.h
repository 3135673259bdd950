#pragma once

#include <memory>

#include <QString>
#include <QStringList>

#include "ui/shell/main_window.h"

namespace epsilens::ui {

/// The window with all its tabs. The one place that knows every panel.
[[nodiscard]] std::unique_ptr<MainWindow> createWindow(
    const LoadFunctions& functions = coreLoadFunctions());

/// What the window opens at first: an absolute path, or a built-in sample, by its name where no
/// file of that name lies, and without a file.
///
/// arguments  of the program, itself first; one file at most
[[nodiscard]] QString startFile(const QStringList& arguments);

/// Opens it in a new window. The mechanism is TEM then, which promises most at the same share of
/// words kept, as the page Mechanisms shows; the focus is in the text.
void openStartFile(MainWindow& window, const QStringList& arguments);

/// Theme, text size and threads as kept in the settings; call before the window is created.
void applyRememberedPreferences();

}  // namespace epsilens::ui
