#pragma once

#include <QToolButton>

namespace epsilens::ui {

/// The small button in a corner of a plot that opens its menu; stays there when the plot changes
/// its size.
class PlotMenuButton : public QToolButton {
    Q_OBJECT

public:
    /// corner  of the right side
    /// plot    becomes the parent
    PlotMenuButton(Qt::Corner corner, QWidget* plot);

    [[nodiscard]] QPoint menuPosition() const { return mapToGlobal(rect().bottomLeft()); }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void place();

    Qt::Corner m_corner;
};

}  // namespace epsilens::ui
