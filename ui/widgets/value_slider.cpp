#include "ui/widgets/value_slider.h"

#include <algorithm>
#include <cmath>

#include <QtWidgets>

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
constexpr int kWheelNotch = 120;

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

int stepsOfKey(int key) {
    constexpr int kPage = 10;
    return key == Qt::Key_Right || key == Qt::Key_Up    ? 1
           : key == Qt::Key_Left || key == Qt::Key_Down ? -1
           : key == Qt::Key_PageUp                      ? kPage
           : key == Qt::Key_PageDown                    ? -kPage
                                                        : 0;
}

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
    const QRectF bar = groove();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(palette().color(QPalette::Dark));
    painter.drawRoundedRect(bar, 2.0, 2.0);
    drawHandle(painter, bar.center().y());
}

void ValueSlider::drawHandle(QPainter& painter, double y) const {
    const Theme theme = themeFor(palette());
    const QPointF centre(xOf(m_value), y);
    painter.setRenderHint(QPainter::Antialiasing);
    if (hasFocus()) {
        painter.setPen(Qt::NoPen);
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
    const int key = event->key();
    if (const int steps = stepsOfKey(key); steps != 0) {
        step(steps);
    } else if (key == Qt::Key_Home || key == Qt::Key_End) {
        moveTo(key == Qt::Key_Home ? m_scale.low : m_scale.high);
    } else {
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

double ValueScale::position(double value) const {
    if (kind == Kind::linear) {
        return std::clamp((value - low) / (high - low), 0.0, 1.0);
    }
    const double whole = std::log((high - origin) / (low - origin));
    return value > low ? std::clamp(std::log((value - origin) / (low - origin)) / whole, 0.0, 1.0)
                       : 0.0;
}

double ValueScale::at(double position) const {
    return kind == Kind::linear
               ? low + position * (high - low)
               : origin + (low - origin) * std::pow((high - origin) / (low - origin), position);
}

double ValueScale::rounded(double value) const {
    if (kind == Kind::linear) {
        // A quotient of two integers, so that 0.29 is the double that "0.29" reads as.
        const double perUnit = std::round(1.0 / step);
        return perUnit >= 1.0 ? std::round(value * perUnit) / perUnit
                              : std::round(value / step) * step;
    }
    if (digits == 0) {
        return std::round(value);
    }
    const double above = value - origin;
    const double exponent = std::floor(std::log10(above)) - (digits - 1);
    const double unit = std::pow(10.0, std::abs(exponent));
    return origin +
           (exponent < 0.0 ? std::round(above * unit) / unit : std::round(above / unit) * unit);
}

double ValueScale::stepped(double value, int steps) const {
    // A typed value may lie beyond the ends: a step starts from there and leads no farther out.
    const double least = std::min(low, value);
    const double most = std::max(high, value);
    if (kind == Kind::linear) {
        return std::clamp(rounded(value + steps * step), least, most);
    }
    constexpr double kStepsPerDecade = 100.0;
    double next = origin + (value - origin) * std::pow(10.0, steps / kStepsPerDecade);
    if (digits == 0 && std::round(next) == std::round(value)) {
        next = value + (steps > 0 ? 1.0 : -1.0);
    }
    return std::clamp(next, least, most);
}

std::vector<double> ValueScale::roundNumbers() const {
    std::vector<double> numbers;
    const int first = static_cast<int>(std::floor(std::log10(low - origin)));
    const int last = static_cast<int>(std::floor(std::log10(high - origin)));
    for (int decade = first; decade <= last; ++decade) {
        for (const double digit : {1.0, 2.0, 5.0}) {
            const double power = std::pow(10.0, std::abs(decade));
            const double above = decade < 0 ? digit / power : digit * power;
            // Beyond an origin, a round number near it.
            const double unit = digit == 2.0 ? above / 2.0 : above;
            const double number =
                origin == 0.0 ? above : std::round((origin + above) / unit) * unit;
            if (number >= low && number <= high && (numbers.empty() || number > numbers.back())) {
                numbers.push_back(number);
            }
        }
    }
    return numbers;
}

}  // namespace epsilens::ui
