#include "ui/common/column_scroll_area.h"

#include <QEvent>
#include <QScrollBar>

namespace epsilens::ui {

ColumnScrollArea::ColumnScrollArea(QWidget* parent) : QScrollArea(parent) {
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
}

QSize ColumnScrollArea::minimumSizeHint() const {
    const int bar = verticalScrollBar()->sizeHint().width();
    const int column = widget() == nullptr ? 0 : widget()->minimumSizeHint().width();
    return {column + bar, QScrollArea::minimumSizeHint().height()};
}

// Texts of controls change: the least width is another one then.
bool ColumnScrollArea::eventFilter(QObject* watched, QEvent* event) {
    if (watched == widget() && event->type() == QEvent::LayoutRequest) {
        updateGeometry();
    }
    return QScrollArea::eventFilter(watched, event);
}

QScrollArea* scrolledPage(QWidget* content, QWidget* parent) {
    auto* area = new ColumnScrollArea(parent);
    area->setFocusPolicy(Qt::NoFocus);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    area->setWidget(content);
    return area;
}

}  // namespace epsilens::ui
