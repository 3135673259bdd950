#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/report/plot.h"

namespace epsilens::report {

/// The colours of the dial on paper.
inline constexpr std::string_view kKeptFill = kBlue;
inline constexpr std::string_view kNearFill = kSky;
inline constexpr std::string_view kNearInk = "#2F7DA8";
inline constexpr std::string_view kFarFill = "#F6DEA8";  ///< orange, as light as large areas need
inline constexpr std::string_view kFarInk = "#C9963A";
inline constexpr std::string_view kMemoInk = "#1A1A1A";
inline constexpr std::string_view kMemoMuted = kGrey;
inline constexpr std::string_view kMemoRule = "#8B95A1";

/// A rectangle of a drawing, in its pixels; y grows downwards.
struct PictureArea {
    double left = 0.0;
    double top = 0.0;
    double right = 0.0;
    double bottom = 0.0;

    [[nodiscard]] double width() const { return right - left; }
    [[nodiscard]] double middle() const { return 0.5 * (top + bottom); }
};

/// How a text of a drawing is set.
struct PictureLetters {
    std::string_view anchor = "start";
    std::string_view colour = kMemoInk;
    bool isStrong = false;
};

/// Collects the elements of a drawing in SVG Tiny 1.2, which has neither patterns nor clipping:
/// both are drawn out here.
class MemoCanvas {
public:
    static constexpr double kLetters = 15.0;  ///< size of the text: 9 points on a page of A4

    void rectangle(const PictureArea& area, std::string_view fill, std::string_view stroke = {});
    /// Lets what is below it shine through.
    void veil(const PictureArea& area);
    /// corners  at least three
    void polygon(const std::vector<PlotPoint>& corners, std::string_view fill);
    void line(PlotPoint from, PlotPoint to, std::string_view colour, double width);
    /// Vertically centred at y.
    void text(double x, double y, std::string_view words, const PictureLetters& letters = {});
    /// On a light ground, centred.
    void pill(double x, double y, std::string_view words, std::string_view colour = kMemoInk);
    /// Small squares wherever they lie within.
    void dots(const PictureArea& area, std::string_view ink,
              const std::function<bool(PlotPoint)>& isWithin);
    /// Strokes that rise to the right wherever they lie within.
    void stripes(const PictureArea& area, std::string_view ink,
                 const std::function<bool(PlotPoint)>& isWithin);
    /// Strokes that fall to the right, or rise.
    void hatch(const PictureArea& area, std::string_view ink, bool rises);

    /// How wide a text becomes, about: a little more than it is.
    [[nodiscard]] static double widthOf(std::string_view words);

    /// The whole drawing.
    [[nodiscard]] std::string render(double width, double height, std::string_view title,
                                     std::string_view description) const;

private:
    void path(const std::string& steps, std::string_view ink, double width);

    std::string m_elements{};
};

}  // namespace epsilens::report
