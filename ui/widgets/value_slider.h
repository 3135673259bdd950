#pragma once

#include <functional>
#include <vector>

#include <QWidget>

namespace epsilens::ui {

/// How a slider's positions map to values: a position in [0, 1] per value in [low, high].
struct ValueScale {
    enum class Kind { linear, logarithmic };

    Kind kind = Kind::linear;
    double low = 0.0;    ///< > origin when logarithmic
    double high = 1.0;   ///< > low
    double step = 0.01;  ///< of linear scales; an arrow key moves by one, a page key by ten
    int digits =
        4;  ///< significant digits of values reached on a logarithmic scale; 0: whole numbers
    double origin = 0.0;  ///< < low; a logarithmic scale goes by value - origin, of which `digits`
                          ///< count; 0 with whole numbers

    [[nodiscard]] double position(double value) const;
    [[nodiscard]] double at(double position) const;
    /// The value a slider stops at: a multiple of the step, or so many significant digits.
    [[nodiscard]] double rounded(double value) const;
    /// The unrounded value `steps` arrow keys away, clamped to the range. A logarithmic step is a
    /// hundredth of a decade: x 1.023, ten steps x 1.26.
    [[nodiscard]] double stepped(double value, int steps) const;
    /// 1, 2 and 5 times powers of ten above the origin of a logarithmic scale.
    [[nodiscard]] std::vector<double> roundNumbers() const;
    [[nodiscard]] bool operator==(const ValueScale&) const = default;
};

/// By how many steps a key moves a value: 1 or -1 by an arrow, ten of them by a page; 0 for others.
[[nodiscard]] int stepsOfKey(int key);

/// A slider over real numbers, linear or logarithmic. Speaks its value, not steps, to assistive
/// technology; the wheel moves it only when it has the focus.
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
    void setSpokenValue(std::function<QString(double)> spoken) { m_spoken = std::move(spoken); }
    [[nodiscard]] QString spokenValue() const;
    /// As if moved by the user: rounds to the scale and emits valueChanged.
    void moveTo(double value);
    /// As if so many arrow keys were pressed; steps add up even where rounding hides one.
    void step(int steps);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    void valueChanged(double value);
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
    void drawHandle(QPainter& painter, double y) const;

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
