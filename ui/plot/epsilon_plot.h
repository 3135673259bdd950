#pragma once

#include <QPoint>
#include <QRectF>

#include <vector>

#include "ui/plot/plot_widget.h"

class QMouseEvent;

class QCPItemStraightLine;
class QCPItemText;

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

/// Something against log epsilon, with a line at the current epsilon that can be dragged or moved
/// with the arrow keys.
class EpsilonPlot : public PlotWidget {
    Q_OBJECT

public:
    explicit EpsilonPlot(QWidget* parent = nullptr);

    /// Moves the cursor line only; curves are not drawn again.
    virtual void setEpsilon(double epsilon);
    [[nodiscard]] double epsilon() const { return m_epsilon; }
    /// Shows the same range of epsilon as another plot.
    void showEpsilons(Range range);
    [[nodiscard]] Range shownEpsilons() const { return shownX(); }
    /// Place of the cursor line in the coordinates of plot(), for tests.
    [[nodiscard]] QPoint cursorPosition() const { return m_cursor.position(); }

Q_SIGNALS:
    /// The user moved the cursor line.
    void epsilonMoved(double epsilon);
    /// Between press and release of the mouse on the line.
    void dragStarted();
    void dragFinished();

protected:
    void applyTheme(const Theme& theme) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

    [[nodiscard]] const EpsilonCursor& cursor() const { return m_cursor; }
    void setCursorShown(bool shown);
    /// The cursor has another place in the plot.
    virtual void takeCursor() {}
    /// The pointer rests on the plot without a button pressed.
    virtual void readAt(const QMouseEvent& event) = 0;
    [[nodiscard]] static QString epsilonTitle();
    /// An epsilon with as many digits as the place of a pixel carries.
    [[nodiscard]] double epsilonAt(const QPoint& position) const;

private:
    void placeCursor();
    [[nodiscard]] bool isOnCursor(const QPoint& position) const;
    bool pressed(const QMouseEvent& event);
    bool released();
    bool moved(const QMouseEvent& event);

    EpsilonCursor m_cursor;
    double m_epsilon = 10.0;
    bool m_dragging = false;
    bool m_isCursorShown = true;
};

}  // namespace epsilens::ui
