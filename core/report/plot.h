#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace epsilens::report {

/// Okabe and Ito's colours, which readers with any colour vision tell apart.
inline constexpr std::string_view kBlue = "#0072B2";
inline constexpr std::string_view kVermillion = "#D55E00";
inline constexpr std::string_view kGreen = "#009E73";
inline constexpr std::string_view kSky = "#56B4E9";
inline constexpr std::string_view kOrange = "#E69F00";
inline constexpr std::string_view kPurple = "#CC79A7";
inline constexpr std::string_view kGrey = "#595959";
inline constexpr std::string_view kBlack = "#000000";

enum class Dash { solid, dashed, dotted };
enum class Marker { none, circle, square, triangle, diamond, triangleDown };

struct PlotPoint {
    double x = 0.0;
    double y = 0.0;
};

/// Points joined in their order, with markers.
struct PlotLine {
    std::string label{};  ///< in the legend, as those of all parts; empty: not there
    std::string_view colour = kBlue;
    std::vector<PlotPoint> points{};
    Dash dash = Dash::solid;
    Marker marker = Marker::none;
    std::vector<PlotPoint> marked{};  ///< where the markers stand instead; empty: at the points
    /// Beside the points, as many; those for which there is no room are left out. Empty: none.
    std::vector<std::string> names{};
};

/// A line without points that is told from others by colour, dashes and marker: those of its place
/// among them. With a contrast of at least 3:1 on paper; prints may be grey.
[[nodiscard]] PlotLine plotLine(std::string label, std::size_t place);

/// The area between two lines over the same x.
struct PlotBand {
    std::string label{};
    std::string_view colour = kSky;
    std::vector<double> x{};
    std::vector<double> low{};
    std::vector<double> high{};
};

/// Markers that are not joined.
struct PlotPoints {
    std::string label{};
    std::string_view colour = kBlue;
    std::vector<PlotPoint> points{};
    Marker marker = Marker::circle;
    double radius = 3.5;  ///< of a marker, in pixels
};

/// A straight line across the whole plot.
struct PlotRule {
    std::string label{};
    std::string_view colour = kGrey;
    bool horizontal = true;
    double at = 0.0;
    Dash dash = Dash::dashed;
};

struct PlotAxis {
    std::string title{};
    bool logarithmic = false;
    /// Low and high end; nothing: what the data take up, with a margin.
    std::optional<std::array<double, 2>> range{};
};

/// A plot as data. Values that are not finite, or not above 0 on a logarithmic axis, are left out
/// and interrupt a line.
struct Plot {
    std::string title{};
    std::string description{};  ///< one sentence of what it shows, for those who do not see it
    PlotAxis x{};
    PlotAxis y{};
    std::vector<PlotBand> bands{};
    std::vector<PlotLine> lines{};
    std::vector<PlotPoints> points{};
    std::vector<PlotRule> rules{};
    double frameHeight = 292.0;  ///< in pixels of the drawing
};

/// Where data lie in the drawing, in its pixels; y grows downwards there.
class PlotFrame {
public:
    static constexpr double kWidth = 640.0;  ///< the least, where the legend leaves room
    static constexpr double kBelow = 54.0;   ///< for the numbers and the title of x
    static constexpr double kLeft = 62.0;
    static constexpr double kRight = 470.0;
    static constexpr double kTop = 34.0;

    explicit PlotFrame(const Plot& plot);

    [[nodiscard]] double x(double value) const { return m_x.place(value); }
    [[nodiscard]] double y(double value) const { return m_y.place(value); }
    [[nodiscard]] double bottom() const { return m_y.start; }
    [[nodiscard]] std::array<double, 2> rangeX() const { return m_x.range; }
    [[nodiscard]] std::array<double, 2> rangeY() const { return m_y.range; }
    /// Whether a point can be drawn.
    [[nodiscard]] bool holds(const PlotPoint& point) const;

private:
    struct Scale {
        std::array<double, 2> range{};
        bool logarithmic = false;
        double start = 0.0;  ///< pixel of the low end
        double end = 0.0;

        [[nodiscard]] double place(double value) const;
        [[nodiscard]] bool holds(double value) const;
    };

    Scale m_x{};
    Scale m_y{};
};

/// Values of the labelled ticks of an axis: round numbers within the range, for a logarithmic one
/// powers of ten and, where these are few, their multiples by 2 and 5.
[[nodiscard]] std::vector<double> plotTicks(std::array<double, 2> range, bool logarithmic);

}  // namespace epsilens::report
