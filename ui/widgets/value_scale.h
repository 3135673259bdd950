#pragma once

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

    /// Position of a value, clamped to [0, 1].
    [[nodiscard]] double position(double value) const;
    /// Value at a position in [0, 1], unrounded.
    [[nodiscard]] double at(double position) const;
    /// The value a slider stops at: a multiple of the step, or so many significant digits.
    [[nodiscard]] double rounded(double value) const;
    /// The unrounded value `steps` arrow keys away, clamped to the range. A logarithmic step is a
    /// hundredth of a decade: x 1.023, ten steps x 1.26.
    [[nodiscard]] double stepped(double value, int steps) const;
    [[nodiscard]] bool operator==(const ValueScale&) const = default;
};

}  // namespace epsilens::ui
