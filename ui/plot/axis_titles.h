#pragma once

class QCustomPlot;
class QFontMetrics;
class QString;

namespace epsilens::ui {

/// A title in as many lines as it takes for none of them to be wider than the room; a word that is
/// wider has a line of its own. What stands in brackets is kept on one line where it has the room.
[[nodiscard]] QString brokenTitle(const QString& title, const QFontMetrics& metrics, int room);

/// Breaks the titles of the lower and the left axis where the plot, as it was laid out last, would
/// cut them. Returns whether a title is another one now, so that the plot is to be laid out again.
bool fitAxisTitles(QCustomPlot& plot, const QString& x, const QString& y);

}  // namespace epsilens::ui
