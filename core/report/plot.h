#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Drawings as SVG documents of their own, without an XML declaration, so that they can stand
/// inside HTML; only elements and attributes of SVG Tiny 1.2.
namespace epsilens::report {

/// Okabe and Ito's colours, which readers with any colour vision tell apart.
inline constexpr std::string_view kBlue = "#0072B2";
inline constexpr std::string_view kVermillion = "#D55E00";
inline constexpr std::string_view kGreen = "#009E73";
inline constexpr std::string_view kSky = "#56B4E9";
inline constexpr std::string_view kPurple = "#CC79A7";
inline constexpr std::string_view kGrey = "#595959";
inline constexpr std::string_view kBlack = "#000000";

enum class Dash { solid, dashed, dotted };
enum class Marker { none, circle, square, triangle, diamond, triangleDown };

/// Of data, or of a drawing in its pixels; there y grows downwards.
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
};

/// A line without points that is told from others by colour, dashes and marker: those of its place
/// among them. With a contrast of at least 3:1 on paper; prints may be grey.
[[nodiscard]] PlotLine plotLine(std::string label, std::size_t place);

/// The area between two lines of as many points.
struct PlotBand {
    std::string label{};
    std::string_view colour = kSky;
    std::vector<PlotPoint> low{};
    std::vector<PlotPoint> high{};
};

/// A straight line across the whole plot.
struct PlotRule {
    std::string label{};
    std::string_view colour = kGrey;
    bool isHorizontal = true;
    double at = 0.0;
    Dash dash = Dash::dashed;
};

struct PlotAxis {
    bool isLogarithmic = false;
    /// Low and high end; nothing: what the data take up, with a margin.
    std::optional<std::array<double, 2>> range{};
};

/// A plot as data. Values that are not finite, or not above 0 on a logarithmic axis, are left out
/// and interrupt a line.
struct Plot {
    std::string title{};  ///< says what y is
    std::string xTitle{};
    PlotAxis x{};
    PlotAxis y{};
    std::vector<PlotBand> bands{};
    std::vector<PlotLine> lines{};
    std::vector<PlotRule> rules{};
};

/// Where values of an axis lie in the drawing.
struct PlotScale {
    std::array<double, 2> range{};
    bool isLogarithmic = false;
    double start = 0.0;  ///< pixel of the low end
    double end = 0.0;

    [[nodiscard]] double place(double value) const;
    [[nodiscard]] bool holds(double value) const;
};

/// Where data lie in the drawing.
struct PlotFrame {
    static constexpr double kLeft = 46.0;  ///< of the first plot
    static constexpr double kRight = 398.0;
    static constexpr double kTop = 30.0;
    static constexpr double kBottom = kTop + 120.0;
    static constexpr double kStep = 412.0;  ///< from a plot to the next: half the text of a page

    /// place  of the plot among those beside each other, from 0
    explicit PlotFrame(const Plot& plot, std::size_t place = 0);
    /// Whether a point can be drawn.
    [[nodiscard]] bool holds(const PlotPoint& point) const {
        return x.holds(point.x) && y.holds(point.y);
    }

    PlotScale x{};
    PlotScale y{};
};

/// Values of the labelled ticks of an axis: round numbers within the range, for a logarithmic one
/// powers of ten and, where these are few, their multiples by 2 and 5.
[[nodiscard]] std::vector<double> plotTicks(std::array<double, 2> range, bool isLogarithmic);

/// Plots beside each other, and one legend below them that names each label once.
///
/// plots               at least one
/// title, description  for those who do not see it
[[nodiscard]] std::string svgPlots(const std::vector<Plot>& plots, std::string_view title,
                                   std::string_view description);

/// A rectangle of a drawing.
struct PictureArea {
    double left = 0.0;
    double top = 0.0;
    double right = 0.0;
    double bottom = 0.0;

    [[nodiscard]] double width() const { return right - left; }
    [[nodiscard]] double height() const { return bottom - top; }
    [[nodiscard]] double middle() const { return 0.5 * (top + bottom); }
};

/// Collects the elements of a drawing. `more` are further attributes, as ' rx="3"'.
class Picture {
public:
    void rectangle(const PictureArea& area, std::string_view fill, std::string_view more = {});
    void polygon(const std::vector<PlotPoint>& corners, std::string_view fill,
                 std::string_view more = {});
    void polyline(const std::vector<PlotPoint>& points, std::string_view colour,
                  std::string_view more = {});
    void line(PlotPoint from, PlotPoint to, std::string_view colour, double width,
              std::string_view more = {});
    /// On a baseline.
    void text(PlotPoint at, std::string_view words, std::string_view anchor,
              std::string_view colour, std::string_view more = {});
    /// steps  as in the attribute d; empty: nothing
    void strokes(const std::string& steps, std::string_view colour, double width);

    /// title, description  for those who do not see it
    [[nodiscard]] std::string render(double width, double height, double letters,
                                     std::string_view title, std::string_view description) const;

private:
    std::string m_elements{};
};

}  // namespace epsilens::report
