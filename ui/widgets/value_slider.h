#pragma once

#include <functional>

#include <QWidget>

#include "ui/widgets/value_scale.h"

namespace epsilens::ui {

/// A slider over real numbers, linear or logarithmic. Speaks its value, not steps, to assistive
/// technology; may shade a part of its groove; the wheel moves it only when it has the focus.
class ValueSlider : public QWidget {
    Q_OBJECT

public:
    explicit ValueSlider(QWidget* parent = nullptr);

    [[nodiscard]] const ValueScale& scale() const { return m_scale; }
    void setScale(const ValueScale& scale);
    /// May lie outside the scale; the handle then rests at the end.
    [[nodiscard]] double value() const { return m_value; }
    /// Sets the value exactly as given; emits nothing.
    void setValue(double value);
    /// Words for a value: "10.2 per unit of distance".
    void setSpokenValue(std::function<QString(double)> spoken) { m_spoken = std::move(spoken); }
    [[nodiscard]] QString spokenValue() const;
    /// As if moved by the user: rounds to the scale and emits valueChanged.
    void moveTo(double value);
    /// As if so many arrow keys were pressed; steps add up even where rounding hides one.
    void step(int steps);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    /// The user moved the slider.
    void valueChanged(double value);
    /// Between press and release of the mouse.
    void dragStarted();
    void dragFinished();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;

    /// What the pointer moves along; its left and right ends are those of the scale.
    [[nodiscard]] virtual QRectF groove() const;
    [[nodiscard]] double xOf(double value) const;

private:
    void announce();

    ValueScale m_scale;
    double m_value = 0.0;
    double m_unrounded = 0.0;  ///< what steps build on, so that up and down cancel exactly
    int m_wheelRest = 0;
    bool m_dragging = false;
    std::function<QString(double)> m_spoken;
};

}  // namespace epsilens::ui
