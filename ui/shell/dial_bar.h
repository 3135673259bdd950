#pragma once

namespace epsilens::ui {

class DialPanel;
class MainWindow;

/// Puts the dial across the top of the window, where every tab is seen below it: large where a text
/// is looked at, low elsewhere, and away without an embedding. Measures the current setting for it.
/// The window owns it.
DialPanel& addDial(MainWindow& window);

}  // namespace epsilens::ui
