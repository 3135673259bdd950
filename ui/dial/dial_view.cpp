#include "ui/dial/dial_view.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <QEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include "ui/widgets/theme.h"

namespace epsilens::ui {

namespace {

constexpr int kLeastWidth = 280;
constexpr int kPreferredWidth = 640;
constexpr double kHandleRadius = 7.0;
constexpr double kRingRadius = 10.0;
constexpr double kBeyond = 1.2;  ///< an axis that grows leaves this factor beside the cursor

}  // namespace

DialView::DialView(QWidget* parent) : ValueSlider(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    setMouseTracking(true);
    setScale(m_picture.axis);
}

void DialView::setPicture(DialPicture picture) {
    const bool hasOtherEnds =
        picture.axis.low != m_picture.axis.low || picture.axis.high != m_picture.axis.high;
    m_picture = std::move(picture);
    if (hasOtherEnds) {
        m_hasGrown = false;
        setAxis(m_picture.axis);
        reachFor(value());
    }
    forgetDrawing();
}

void DialView::showEpsilon(double epsilon) {
    reachFor(epsilon);
    setValue(epsilon);
}

void DialView::reachFor(double epsilon) {
    ValueScale axis = scale();
    if (m_hasGrown && epsilon >= m_picture.axis.low && epsilon <= m_picture.axis.high) {
        m_hasGrown = false;
        setAxis(m_picture.axis);
    } else if (epsilon > axis.origin && (epsilon < axis.low || epsilon > axis.high)) {
        const double above = epsilon - axis.origin;
        axis.low = std::min(axis.low, axis.origin + above / kBeyond);
        axis.high = std::max(axis.high, axis.origin + above * kBeyond);
        m_hasGrown = true;
        setAxis(axis);
    }
}

void DialView::setAxis(const ValueScale& axis) {
    setScale(axis);
    forgetDrawing();
}

void DialView::forgetDrawing() {
    m_drawn = {};
    update();
}

QSize DialView::sizeHint() const {
    return {kPreferredWidth, DialLayout::fullHeight(fontMetrics())};
}

QSize DialView::minimumSizeHint() const {
    return {kLeastWidth, DialLayout::lowHeight(fontMetrics())};
}

DialLayout DialView::layoutNow() const {
    return DialLayout::of(size(), fontMetrics());
}

QRectF DialView::groove() const {
    return layoutNow().plot;
}

void DialView::paintEvent(QPaintEvent* /*event*/) {
    if (m_drawn.isNull()) {
        const double ratio = devicePixelRatioF();
        for (QPixmap* drawing : {&m_drawn, &m_labels}) {
            *drawing = QPixmap(size() * ratio);
            drawing->setDevicePixelRatio(ratio);
            drawing->fill(Qt::transparent);
        }
        QPainter painter(&m_drawn);
        painter.setFont(font());
        QPainter labels(&m_labels);
        labels.setFont(font());
        drawDial(painter, labels, m_picture, scale(), layoutNow(), themeOf(this));
    }
    QPainter painter(this);
    painter.drawPixmap(0, 0, m_drawn);
    drawCursor(painter);
    painter.drawPixmap(0, 0, m_labels);
    drawHandle(painter);
}

void DialView::drawCursor(QPainter& painter) const {
    const Theme theme = themeOf(this);
    const DialLayout layout = layoutNow();
    const double x = xOf(value());
    painter.setRenderHint(QPainter::Antialiasing);
    for (const QPen& pen : {QPen(theme.surface, 4.0), QPen(theme.text, 2.0)}) {
        painter.setPen(pen);
        painter.drawLine(QPointF(x, layout.ruler.top()), QPointF(x, layout.axis.top()));
    }
}

void DialView::drawHandle(QPainter& painter) const {
    const Theme theme = themeOf(this);
    const QPointF centre(xOf(value()), layoutNow().axis.top());
    painter.setRenderHint(QPainter::Antialiasing);
    if (hasFocus()) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.focus);
        painter.drawEllipse(centre, kRingRadius, kRingRadius);
    }
    painter.setBrush(theme.accent);
    painter.setPen(QPen(theme.surface, 2.0));
    painter.drawEllipse(centre, kHandleRadius, kHandleRadius);
}

void DialView::resizeEvent(QResizeEvent* event) {
    ValueSlider::resizeEvent(event);
    forgetDrawing();
}

void DialView::changeEvent(QEvent* event) {
    ValueSlider::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        updateGeometry();
        forgetDrawing();
    }
}

void DialView::mousePressEvent(QMouseEvent* event) {
    if (event->position().y() < layoutNow().ruler.bottom()) {
        event->accept();
        Q_EMIT promiseClicked();
        return;
    }
    ValueSlider::mousePressEvent(event);
}

void DialView::mouseReleaseEvent(QMouseEvent* event) {
    ValueSlider::mouseReleaseEvent(event);
    reachFor(value());
}

void DialView::keyPressEvent(QKeyEvent* event) {
    ValueSlider::keyPressEvent(event);
    reachFor(value());
}

void DialView::stepInView(int steps) {
    step(steps);
    reachFor(value());
}

}  // namespace epsilens::ui
