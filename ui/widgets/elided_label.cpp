#include "ui/widgets/elided_label.h"

#include <QMouseEvent>
#include <QStylePainter>

namespace epsilens::ui {

ElidedLabel::ElidedLabel(const QString& text, QWidget* parent) : QLabel(text, parent) {
    setTextFormat(Qt::PlainText);
    setMinimumWidth(0);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
}

QString ElidedLabel::textWithin(int width) const {
    return fontMetrics().elidedText(text(), m_mode, width);
}

void ElidedLabel::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && rect().contains(event->position().toPoint())) {
        Q_EMIT clicked();
    }
    QLabel::mouseReleaseEvent(event);
}

void ElidedLabel::paintEvent(QPaintEvent* /*event*/) {
    QStylePainter painter(this);
    const QRect room = contentsRect();
    painter.drawItemText(room, static_cast<int>(Qt::AlignLeading | Qt::AlignVCenter), palette(),
                         isEnabled(), textWithin(room.width()), foregroundRole());
}

}  // namespace epsilens::ui
