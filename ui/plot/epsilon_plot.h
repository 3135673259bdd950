#pragma once

#include <QPoint>

#include "ui/plot/plot_widget.h"

class QMouseEvent;

class QCPItemStraightLine;
class QCPItemText;

namespace epsilens::ui {

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
    [[nodiscard]] QPoint cursorPosition() const;

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

    void setCursorShown(bool shown);
    /// The pointer rests on the plot without a button pressed.
    virtual void readAt(const QMouseEvent& event) = 0;
    [[nodiscard]] static QString epsilonTitle();

private:
    void placeCursor();
    [[nodiscard]] bool isOnCursor(const QPoint& position) const;

    QCPItemStraightLine* m_line;
    QCPItemText* m_label;  ///< at the lower end of the line
    double m_epsilon = 10.0;
    bool m_dragging = false;
    bool m_isCursorShown = true;
};

}  // namespace epsilens::ui
