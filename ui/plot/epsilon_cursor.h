#pragma once

#include <vector>

#include <QPoint>
#include <QRectF>

class QCPItemStraightLine;
class QCPItemText;
class QCPLayer;
class QCustomPlot;

namespace epsilens::ui {

struct Theme;

/// The line at the current epsilon across a plot, with its label at the lower end.
class EpsilonCursor {
public:
    /// layer  of the plot, on which line and label lie
    EpsilonCursor(QCustomPlot& plot, QCPLayer* layer);

    [[nodiscard]] QCustomPlot& plot() const { return m_plot; }
    void place(double epsilon);
    void setShown(bool shown);
    void paint(const Theme& theme);
    /// Middle of the line, in the coordinates of the plot.
    [[nodiscard]] QPoint position() const;

private:
    QCustomPlot& m_plot;
    QCPItemStraightLine* m_line;
    QCPItemText* m_label;
    double m_epsilon = 0.0;
    bool m_isShown = true;
};

}  // namespace epsilens::ui
