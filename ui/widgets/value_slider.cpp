#include "ui/widgets/value_slider.h"

#include <QAccessible>
#include <QAccessibleWidget>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>

#include "ui/widgets/qt_convert.h"
#include "ui/widgets/theme.h"

namespace epsilens::ui {

namespace {

constexpr int kHeight = 28;
constexpr int kPreferredWidth = 200;
constexpr int kLeastWidth = 90;
constexpr double kHandleRadius = 8.0;
constexpr double kRingRadius = 11.0;
constexpr double kGrooveHeight = 4.0;
constexpr int kPageSteps = 10;
constexpr int kWheelNotch = 120;

/// Reports the real value to screen readers and lets them set it.
class AccessibleValueSlider final : public QAccessibleWidget, public QAccessibleValueInterface {
public:
    explicit AccessibleValueSlider(ValueSlider* slider)
        : QAccessibleWidget(slider, QAccessible::Slider), m_slider(slider) {}

    void* interface_cast(QAccessible::InterfaceType type) override {
        return type == QAccessible::ValueInterface ? static_cast<QAccessibleValueInterface*>(this)
                                                   : QAccessibleWidget::interface_cast(type);
    }
    QString text(QAccessible::Text kind) const override {
        return kind == QAccessible::Value ? m_slider->spokenValue() : QAccessibleWidget::text(kind);
    }
    QVariant currentValue() const override { return m_slider->value(); }
    void setCurrentValue(const QVariant& value) override { m_slider->moveTo(value.toDouble()); }
    QVariant maximumValue() const override { return m_slider->scale().high; }
    QVariant minimumValue() const override { return m_slider->scale().low; }
    QVariant minimumStepSize() const override {
        const ValueScale& scale = m_slider->scale();
        return scale.stepped(m_slider->value(), 1) - m_slider->value();
    }

private:
    ValueSlider* m_slider;
};

QAccessibleInterface* accessibleFor(const QString& className, QObject* object) {
    auto* slider = qobject_cast<ValueSlider*>(object);
    return slider != nullptr && className == QLatin1String("epsilens::ui::ValueSlider")
               ? new AccessibleValueSlider(slider)
               : nullptr;
}

}  // namespace

ValueSlider::ValueSlider(QWidget* parent) : QWidget(parent) {
    static const bool installed = [] {
        QAccessible::installFactory(accessibleFor);
        return true;
    }();
    Q_UNUSED(installed)
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void ValueSlider::setScale(const ValueScale& scale) {
    m_scale = scale;
    update();
}

void ValueSlider::setValue(double value) {
    if (value == m_value) {
        return;
    }
    m_value = value;
    m_unrounded = value;
    announce();
}

QString ValueSlider::spokenValue() const {
    return m_spoken ? m_spoken(m_value) : shortest(m_value);
}

void ValueSlider::moveTo(double value) {
    m_unrounded = value;
    const double rounded = m_scale.rounded(value);
    if (rounded == m_value) {
        return;
    }
    m_value = rounded;
    announce();
    Q_EMIT valueChanged(m_value);
}

void ValueSlider::step(int steps) {
    moveTo(m_scale.stepped(m_unrounded, steps));
}

void ValueSlider::announce() {
    update();
    QAccessibleValueChangeEvent event(this, m_value);
    QAccessible::updateAccessibility(&event);
}

QSize ValueSlider::sizeHint() const {
    return {kPreferredWidth, kHeight};
}
QSize ValueSlider::minimumSizeHint() const {
    return {kLeastWidth, kHeight};
}

QRectF ValueSlider::groove() const {
    const double inset = kRingRadius;
    return {inset, (height() - kGrooveHeight) / 2.0, width() - 2.0 * inset, kGrooveHeight};
}

double ValueSlider::xOf(double value) const {
    const QRectF bar = groove();
    return bar.left() + m_scale.position(value) * bar.width();
}

void ValueSlider::paintEvent(QPaintEvent* /*event*/) {
    const Theme theme = themeFor(palette());
    const QRectF bar = groove();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(palette().color(QPalette::Dark));
    painter.drawRoundedRect(bar, 2.0, 2.0);
    const QPointF centre(xOf(m_value), bar.center().y());
    if (hasFocus()) {
        painter.setBrush(theme.focus);
        painter.drawEllipse(centre, kRingRadius, kRingRadius);
    }
    painter.setBrush(isEnabled() ? theme.accent : theme.border);
    painter.setPen(QPen(theme.surface, 2.0));
    painter.drawEllipse(centre, kHandleRadius, kHandleRadius);
}

void ValueSlider::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) {
        event->ignore();
        return;
    }
    m_dragging = true;
    Q_EMIT dragStarted();
    mouseMoveEvent(event);
}

void ValueSlider::mouseMoveEvent(QMouseEvent* event) {
    if (!m_dragging) {
        return;
    }
    const QRectF bar = groove();
    const double position = (event->position().x() - bar.left()) / bar.width();
    moveTo(m_scale.at(std::clamp(position, 0.0, 1.0)));
}

void ValueSlider::mouseReleaseEvent(QMouseEvent* event) {
    if (m_dragging && event->button() == Qt::LeftButton) {
        m_dragging = false;
        Q_EMIT dragFinished();
    }
}

void ValueSlider::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
        case Qt::Key_Right:
        case Qt::Key_Up:
            return step(1);
        case Qt::Key_Left:
        case Qt::Key_Down:
            return step(-1);
        case Qt::Key_PageUp:
            return step(kPageSteps);
        case Qt::Key_PageDown:
            return step(-kPageSteps);
        case Qt::Key_Home:
            return moveTo(m_scale.low);
        case Qt::Key_End:
            return moveTo(m_scale.high);
        default:
            QWidget::keyPressEvent(event);
    }
}

void ValueSlider::wheelEvent(QWheelEvent* event) {
    if (!hasFocus()) {
        event->ignore();
        return;
    }
    m_wheelRest += event->angleDelta().y();
    const int notches = m_wheelRest / kWheelNotch;
    m_wheelRest -= notches * kWheelNotch;
    if (notches != 0) {
        step(notches);
    }
    event->accept();
}

}  // namespace epsilens::ui
