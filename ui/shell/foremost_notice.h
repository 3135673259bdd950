#pragma once

class QWidget;

namespace epsilens::ui {

class NoticeLine;

/// Shows one line at most of that of the window and those of a tab: the most important notice, and
/// of equal ones that of the tab, its last.
void showForemost(NoticeLine& ofWindow, const QWidget* tab);

}  // namespace epsilens::ui
