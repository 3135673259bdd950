#pragma once

class QMainWindow;

namespace epsilens::ui {

/// Gives the window the size, place and arrangement of docks that it had last, or those to begin
/// with.
void restoreLayout(QMainWindow& window);
/// Opens the tab and the sections of the details that were open last; after all parts are there.
void restoreOpen(const QMainWindow& window);
/// Keeps all of this, unless nothing is to be remembered.
void saveLayout(const QMainWindow& window);

}  // namespace epsilens::ui
