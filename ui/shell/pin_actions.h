#pragma once

namespace epsilens::ui {

class MainWindow;

/// Lets the menu of the window pin the settings and unpin them.
void connectPins(MainWindow& window);

}  // namespace epsilens::ui
