#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/report/plot.h"

/// Drawings as SVG documents of their own, without an XML declaration, so that they can stand
/// inside HTML; only elements and attributes of SVG Tiny 1.2.
namespace epsilens::report {

[[nodiscard]] std::string svgPlot(const Plot& plot);

/// A rectangle of a drawing, in its pixels; y grows downwards.
struct PictureArea {
    double left = 0.0;
    double top = 0.0;
    double right = 0.0;
    double bottom = 0.0;

    [[nodiscard]] double width() const { return right - left; }
    [[nodiscard]] double height() const { return bottom - top; }
    [[nodiscard]] double middle() const { return 0.5 * (top + bottom); }
};

// Elements; `more` are further attributes, as ' rx="3"'.
[[nodiscard]] std::string svgRectangle(const PictureArea& area, std::string_view fill,
                                       std::string_view more = {});
[[nodiscard]] std::string svgPolygon(const std::vector<PlotPoint>& corners, std::string_view fill,
                                     std::string_view more = {});
[[nodiscard]] std::string svgLine(PlotPoint from, PlotPoint to, std::string_view colour,
                                  double width, std::string_view more = {});
/// On a baseline.
[[nodiscard]] std::string svgText(double x, double y, std::string_view text,
                                  std::string_view anchor, std::string_view colour,
                                  std::string_view more = {});
/// title, description  for those who do not see it
[[nodiscard]] std::string svgDocument(double width, double height, double letters,
                                      std::string_view title, std::string_view description,
                                      std::string_view elements);

}  // namespace epsilens::report
