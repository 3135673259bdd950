#include "ui/widgets/elided_label.h"

#include <algorithm>
#include <cmath>

#include <QMouseEvent>
#include <QStyle>
#include <QStylePainter>

namespace epsilens::ui {

ElidedLabel::ElidedLabel(const QString& text, QWidget* parent) : QLabel(text, parent) {
    setTextFormat(Qt::PlainText);
    setMinimumWidth(0);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
}

void ElidedLabel::keepTail(qsizetype letters) {
    m_tail = letters;
    update();
}

/// Without the comma before it.
QString ElidedLabel::tailAlone() const {
    const QString tail = text().right(m_tail);
    const auto first = std::find_if(tail.begin(), tail.end(),
                                    [](QChar letter) { return letter.isLetterOrNumber(); });
    return tail.mid(first - tail.begin());
}

int ElidedLabel::tailWidth() const {
    // Rounded up: a part of a pixel too little leaves out letters.
    return static_cast<int>(std::ceil(QFontMetricsF(font()).horizontalAdvance(tailAlone())));
}

QString ElidedLabel::textWithin(int width) const {
    const QFontMetrics metrics = fontMetrics();
    if (m_tail == 0) {
        return metrics.elidedText(text(), m_mode, width);
    }
    if (metrics.horizontalAdvance(text()) <= width) {
        return text();
    }
    const QString tail = text().right(m_tail);
    const int room = width - metrics.horizontalAdvance(tail);
    if (room < metrics.horizontalAdvance(QChar(0x2026))) {
        return metrics.elidedText(tailAlone(), Qt::ElideRight, width);
    }
    return metrics.elidedText(text().chopped(m_tail), Qt::ElideRight, room) + tail;
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
