#include "ui/dial/dial_view.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <QEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>

#include "ui/dial/dial_painting.h"
#include "ui/widgets/theme.h"

namespace epsilens::ui {

namespace {

constexpr int kLeastWidth = 280;
constexpr int kPreferredWidth = 640;
constexpr double kHandleRadius = 7.0;
constexpr double kRingRadius = 10.0;
constexpr double kZoomPerNotch = 1.25;
constexpr double kWheelNotch = 120.0;
constexpr double kBeyond = 1.2;  ///< an axis that grows leaves this factor beside the cursor
constexpr double kLeastSpan = 1.5;
constexpr double kMostSpan = 1e12;

}  // namespace

DialView::DialView(QWidget* parent) : ValueSlider(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    setScale(m_picture.axis);
}

void DialView::setPicture(DialPicture picture) {
    const bool hasOtherEnds =
        picture.axis.low != m_picture.axis.low || picture.axis.high != m_picture.axis.high;
    m_picture = std::move(picture);
    if (hasOtherEnds) {
        resetAxis();
    }
    forgetDrawing();
}

void DialView::resetAxis() {
    m_hasGrown = false;
    setAxis(m_picture.axis);
    showEpsilon(value());
}

void DialView::showEpsilon(double epsilon) {
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
    setValue(epsilon);
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
        m_drawn = QPixmap(size() * ratio);
        m_drawn.setDevicePixelRatio(ratio);
        m_drawn.fill(Qt::transparent);
        QPainter painter(&m_drawn);
        painter.setFont(font());
        drawDial(painter, m_picture, scale(), layoutNow(), themeOf(this));
    }
    QPainter painter(this);
    painter.drawPixmap(0, 0, m_drawn);
    drawCursor(painter);
}

void DialView::drawCursor(QPainter& painter) const {
    const Theme theme = themeOf(this);
    const DialLayout layout = layoutNow();
    const double x = xOf(value());
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.surface, 4.0));
    painter.drawLine(QPointF(x, layout.ruler.top()), QPointF(x, layout.axis.top()));
    painter.setPen(QPen(theme.text, 2.0));
    painter.drawLine(QPointF(x, layout.ruler.top()), QPointF(x, layout.axis.top()));
    const QPointF centre(x, layout.axis.top());
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

void DialView::mouseDoubleClickEvent(QMouseEvent* event) {
    event->accept();
    resetAxis();
}

void DialView::wheelEvent(QWheelEvent* event) {
    if (!hasFocus()) {
        event->ignore();
        return;
    }
    event->accept();
    const QRectF room = groove();
    const double place = std::clamp((event->position().x() - room.left()) / room.width(), 0.0, 1.0);
    const double zoom = std::pow(kZoomPerNotch, event->angleDelta().y() / kWheelNotch);
    ValueScale axis = scale();
    const double decades = std::log((axis.high - axis.origin) / (axis.low - axis.origin)) / zoom;
    if (decades < std::log(kLeastSpan) || decades > std::log(kMostSpan)) {
        return;
    }
    const double still = std::log(axis.at(place) - axis.origin);
    axis.low = axis.origin + std::exp(still - place * decades);
    axis.high = axis.origin + std::exp(still + (1.0 - place) * decades);
    setAxis(axis);
}

}  // namespace epsilens::ui
