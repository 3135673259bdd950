#pragma once

class QMainWindow;

namespace epsilens::ui {

/// Gives the window the size, place and arrangement of docks that it had last, or those to begin
/// with.
void restoreLayout(QMainWindow& window);
/// Keeps them, unless nothing is to be remembered.
void saveLayout(const QMainWindow& window);

}  // namespace epsilens::ui
