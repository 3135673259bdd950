#include "ui/dial/dial_view.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <QEvent>
#include <QKeyEvent>
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
constexpr double kPanPerKey = 0.1;     ///< of the length of the axis
constexpr double kPannedBeyond = 1e3;  ///< the middle of the axis stays within this factor
constexpr double kArrowSize = 7.0;
constexpr double kLeastGrip = 12.0;  ///< beside the cursor, where it is taken hold of

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
        resetAxis();
    }
    forgetDrawing();
}

void DialView::resetAxis() {
    m_hasGrown = false;
    setAxis(m_picture.axis);
    reachFor(value());
}

void DialView::showEpsilon(double epsilon) {
    // Said again, it leaves an axis that was panned away from it alone.
    if (epsilon != value()) {
        reachFor(epsilon);
        setValue(epsilon);
    }
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

void DialView::setAtTitle(QWidget* child) {
    m_atTitle = child;
    placeAtTitle();
}

bool DialView::event(QEvent* event) {
    // The child asks for another size.
    if (event->type() == QEvent::LayoutRequest) {
        placeAtTitle();
    }
    return ValueSlider::event(event);
}

void DialView::placeAtTitle() {
    if (m_atTitle == nullptr) {
        return;
    }
    const QRectF title = DialLayout::of(size(), fontMetrics()).title;
    m_atTitle->setVisible(!title.isEmpty());
    const QSize room = m_atTitle->sizeHint();
    m_atTitle->setGeometry(static_cast<int>(title.right()) - room.width(),
                           static_cast<int>(title.top()), room.width(),
                           static_cast<int>(title.height()));
    forgetDrawing();
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
    DialLayout layout = DialLayout::of(size(), fontMetrics());
    if (m_atTitle != nullptr && !layout.title.isEmpty()) {
        layout.title.setRight(m_atTitle->x());
    }
    return layout;
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
    const bool isBeyond = value() < scale().low || value() > scale().high;
    if (!isBeyond) {
        drawCursor(painter);
    }
    painter.drawPixmap(0, 0, m_labels);
    if (isBeyond) {
        drawBeyond(painter);
    } else {
        drawHandle(painter);
    }
}

/// An arrow where the axis ends, towards a cursor that lies beyond.
void DialView::drawBeyond(QPainter& painter) const {
    const Theme theme = themeOf(this);
    const QRectF axis = layoutNow().axis;
    const bool isBelow = value() < scale().low;
    const double x = isBelow ? axis.left() : axis.right();
    const double tip = isBelow ? x - kArrowSize : x + kArrowSize;
    const double y = axis.top();
    painter.setRenderHint(QPainter::Antialiasing);
    if (hasFocus()) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.focus);
        painter.drawEllipse(QPointF(x, y), kRingRadius, kRingRadius);
    }
    painter.setPen(QPen(theme.surface, 1.0));
    painter.setBrush(theme.accent);
    const std::array<QPointF, 3> arrow{QPointF(tip, y), QPointF(x, y - kArrowSize),
                                       QPointF(x, y + kArrowSize)};
    painter.drawConvexPolygon(arrow.data(), static_cast<int>(arrow.size()));
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
    placeAtTitle();
    forgetDrawing();
}

void DialView::changeEvent(QEvent* event) {
    ValueSlider::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        updateGeometry();
        placeAtTitle();
        forgetDrawing();
    }
}

void DialView::mousePressEvent(QMouseEvent* event) {
    if (event->position().y() < layoutNow().ruler.bottom()) {
        event->accept();
        Q_EMIT promiseClicked();
        return;
    }
    if (event->button() == Qt::LeftButton && isOnAxis(event->position())) {
        event->accept();
        m_panFrom = event->position();
        m_panAxis = scale();
        setCursor(Qt::ClosedHandCursor);
        return;
    }
    ValueSlider::mousePressEvent(event);
}

void DialView::mouseMoveEvent(QMouseEvent* event) {
    if (m_panFrom) {
        pan(m_panAxis, (m_panFrom->x() - event->position().x()) / groove().width());
        return;
    }
    if (event->buttons() == Qt::NoButton) {
        setCursor(isOnAxis(event->position()) ? Qt::OpenHandCursor : Qt::ArrowCursor);
    }
    ValueSlider::mouseMoveEvent(event);
}

void DialView::mouseReleaseEvent(QMouseEvent* event) {
    if (m_panFrom && event->button() == Qt::LeftButton) {
        m_panFrom.reset();
        setCursor(isOnAxis(event->position()) ? Qt::OpenHandCursor : Qt::ArrowCursor);
        return;
    }
    ValueSlider::mouseReleaseEvent(event);
    reachFor(value());
}

/// The numbers below the line; on the line itself the handle of the cursor is taken hold of.
bool DialView::isOnAxis(QPointF place) const {
    const double line = layoutNow().axis.top();
    return place.y() > line + kHandleRadius || (place.y() > line - kHandleRadius / 2.0 &&
                                                std::abs(place.x() - xOf(value())) > kLeastGrip);
}

void DialView::pan(const ValueScale& from, double share) {
    const double whole = std::log((from.high - from.origin) / (from.low - from.origin));
    // Of the axis, its middle.
    const double middle = std::log(from.low - from.origin) + (0.5 + share) * whole;
    const double kept =
        std::clamp(middle, std::log((m_picture.axis.low - from.origin) / kPannedBeyond),
                   std::log((m_picture.axis.high - from.origin) * kPannedBeyond));
    ValueScale axis = from;
    axis.low = from.origin + std::exp(kept - whole / 2.0);
    axis.high = from.origin + std::exp(kept + whole / 2.0);
    m_hasGrown = false;
    setAxis(axis);
}

void DialView::keyPressEvent(QKeyEvent* event) {
    const bool isShifted = (event->modifiers() & Qt::ShiftModifier) != 0;
    const double place = scale().position(value());
    switch (event->key()) {
        case Qt::Key_Left:
        case Qt::Key_Right:
            if (isShifted) {
                return pan(scale(), event->key() == Qt::Key_Right ? kPanPerKey : -kPanPerKey);
            }
            break;
        case Qt::Key_Home:
            if (isShifted) {
                return resetAxis();
            }
            break;
        case Qt::Key_Plus:
            return zoom(kZoomPerNotch, place);
        case Qt::Key_Minus:
            return zoom(1.0 / kZoomPerNotch, place);
        case Qt::Key_Up:
        case Qt::Key_Down:
        case Qt::Key_PageUp:
        case Qt::Key_PageDown:
        case Qt::Key_End:
            break;
        default:
            return ValueSlider::keyPressEvent(event);
    }
    // A slider steps no farther than its scale.
    reachFor(value());
    ValueSlider::keyPressEvent(event);
    reachFor(value());
}

void DialView::stepInView(int steps) {
    reachFor(value());
    step(steps);
    reachFor(value());
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
    zoom(std::pow(kZoomPerNotch, event->angleDelta().y() / kWheelNotch), place);
}

void DialView::zoom(double factor, double place) {
    ValueScale axis = scale();
    const double decades = std::log((axis.high - axis.origin) / (axis.low - axis.origin)) / factor;
    if (decades < std::log(kLeastSpan) || decades > std::log(kMostSpan)) {
        return;
    }
    const double still = std::log(axis.at(place) - axis.origin);
    axis.low = axis.origin + std::exp(still - place * decades);
    axis.high = axis.origin + std::exp(still + (1.0 - place) * decades);
    setAxis(axis);
}

}  // namespace epsilens::ui
