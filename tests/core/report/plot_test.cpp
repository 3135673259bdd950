#include "core/report/plot.h"

#include <cmath>
#include <limits>
#include <string>

#include <catch2/catch.hpp>

#include "core/base/numbers.h"
#include "core/report/svg_plot.h"

// Expected places follow from the borders of the frame and proportion; expected ellipses from their
// equation.

using namespace epsilens;
using report::Plot;
using report::PlotFrame;
using report::PlotPoint;

namespace {

constexpr double kPixel = 0.0051;  ///< coordinates have two decimals

Plot plotOf(std::vector<PlotPoint> points, bool logarithmic = false) {
    Plot plot;
    plot.title = "title";
    plot.x.logarithmic = logarithmic;
    plot.lines.push_back({"line", report::kBlue, std::move(points)});
    return plot;
}

/// Corners of every polyline of a drawing.
std::vector<std::vector<PlotPoint>> polylines(const std::string& svg) {
    std::vector<std::vector<PlotPoint>> lines;
    const std::string start = "<polyline points=\"";
    for (std::size_t at = svg.find(start); at != std::string::npos; at = svg.find(start, at + 1)) {
        const std::size_t first = at + start.size();
        std::string text = svg.substr(first, svg.find('"', first) - first);
        std::vector<PlotPoint> corners;
        while (!text.empty()) {
            const std::size_t comma = text.find(',');
            const std::size_t blank = text.find(' ');
            corners.push_back({*parseNumber(text.substr(0, comma), "x"),
                               *parseNumber(text.substr(comma + 1, blank - comma - 1), "y")});
            text = text.substr(blank + 1);
        }
        lines.push_back(corners);
    }
    return lines;
}

}  // namespace

TEST_CASE("A linear axis places values in proportion") {
    Plot plot = plotOf({{0, 0}, {1, 1}});
    plot.x.range = {-2, 6};
    plot.y.range = {10, 20};
    const PlotFrame frame(plot);
    CHECK(frame.x(-2) == Approx(PlotFrame::kLeft));
    CHECK(frame.x(6) == Approx(PlotFrame::kRight));
    CHECK(frame.x(0) == Approx(PlotFrame::kLeft + 0.25 * (PlotFrame::kRight - PlotFrame::kLeft)));
    CHECK(frame.y(10) == Approx(PlotFrame::kBottom));
    CHECK(frame.y(20) == Approx(PlotFrame::kTop));
    CHECK(frame.y(15) == Approx(0.5 * (PlotFrame::kBottom + PlotFrame::kTop)));
}

TEST_CASE("A logarithmic axis places the geometric mean in the middle") {
    Plot plot = plotOf({{1, 0}, {100, 1}}, true);
    plot.x.range = {1, 10'000};
    const PlotFrame frame(plot);
    CHECK(frame.x(1) == Approx(PlotFrame::kLeft));
    CHECK(frame.x(100) == Approx(0.5 * (PlotFrame::kLeft + PlotFrame::kRight)));
    CHECK(frame.x(10) == Approx(0.75 * PlotFrame::kLeft + 0.25 * PlotFrame::kRight));
    CHECK_FALSE(frame.holds({0, 0.5}));
    CHECK_FALSE(frame.holds({-1, 0.5}));
}

TEST_CASE("The corners of a drawn line are its data, and what cannot be drawn interrupts it") {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const std::vector<PlotPoint> points{{1, 2}, {3, 5}, {4, nan}, {10, 1}, {20, 7}};
    const Plot plot = plotOf(points, true);
    const PlotFrame frame(plot);
    const auto lines = polylines(report::svgPlot(plot));
    REQUIRE(lines.size() == 2);
    REQUIRE(lines[0].size() == 2);
    REQUIRE(lines[1].size() == 2);
    for (const auto& [corner, point] :
         {std::pair{lines[0][0], points[0]}, std::pair{lines[0][1], points[1]},
          std::pair{lines[1][0], points[3]}, std::pair{lines[1][1], points[4]}}) {
        CHECK(std::abs(corner.x - frame.x(point.x)) < kPixel);
        CHECK(std::abs(corner.y - frame.y(point.y)) < kPixel);
    }
}

TEST_CASE("All data lie inside the frame that is chosen for them") {
    Plot plot = plotOf({{5, -3}, {0.01, 8}}, true);
    plot.bands.push_back({"band", report::kSky, {1, 2}, {-10, 0}, {3, 40}});
    plot.points.push_back({"points", report::kGreen, {{1000, 1}}});
    plot.rules.push_back({"limit", report::kGrey, true, 55, report::Dash::dashed});
    const PlotFrame frame(plot);
    for (const PlotPoint point : {PlotPoint{5, -3}, PlotPoint{0.01, 8}, PlotPoint{1, -10},
                                  PlotPoint{2, 40}, PlotPoint{1000, 1}, PlotPoint{1, 55}}) {
        CHECK(frame.holds(point));
    }
    // A single value, and none at all, still give an axis.
    CHECK(PlotFrame(plotOf({{7, 7}}, true)).holds({7, 7}));
    CHECK(PlotFrame(plotOf({{0, 0}})).holds({0, 0}));
    CHECK(PlotFrame(plotOf({})).rangeX()[1] > 0);
}

TEST_CASE("A quantity that is never negative keeps zero as its lowest end") {
    CHECK(PlotFrame(plotOf({{1, 0.01}, {2, 5}})).rangeY()[0] == 0.0);
    CHECK(PlotFrame(plotOf({{1, -0.01}, {2, 5}})).rangeY()[0] < -0.01);
}

TEST_CASE("A drawn ellipse satisfies its equation, on equal axes") {
    Plot plot;
    plot.equalAspect = true;
    const report::PlotEllipse ellipse{"e", report::kBlue, {2, -1}, 3, 1, 0.6, report::Dash::solid};
    plot.ellipses.push_back(ellipse);
    const PlotFrame frame(plot);
    const double perX = frame.x(1) - frame.x(0);
    const double perY = frame.y(0) - frame.y(1);
    CHECK(perX == Approx(perY));
    const auto lines = polylines(report::svgPlot(plot));
    REQUIRE(lines.size() == 1);
    REQUIRE(lines[0].size() == 97);
    for (const PlotPoint& corner : lines[0]) {
        const double dx = (corner.x - frame.x(2)) / perX;
        const double dy = (frame.y(-1) - corner.y) / perY;
        const double along = dx * std::cos(0.6) + dy * std::sin(0.6);
        const double across = -dx * std::sin(0.6) + dy * std::cos(0.6);
        CHECK(along * along / 9 + across * across == Approx(1).margin(0.01));
    }
}

TEST_CASE("Ticks are round numbers inside the range") {
    CHECK(report::plotTicks({0, 100}, false) == std::vector<double>{0, 20, 40, 60, 80, 100});
    CHECK(report::plotTicks({0, 1}, false) == std::vector<double>{0, 0.2, 0.4, 0.6, 0.8, 1});
    CHECK(report::plotTicks({0.5, 2000}, true) == std::vector<double>{1, 10, 100, 1000});
    CHECK(report::plotTicks({0.9, 30}, true) == std::vector<double>{1, 2, 5, 10, 20});
    // Within less than a decade there may be no power of ten.
    const auto few = report::plotTicks({6, 9}, true);
    CHECK(few.size() >= 2);
    CHECK(few.front() >= 6);
    CHECK(few.back() <= 9);
}

TEST_CASE("A drawing names itself and lets no text act as markup") {
    Plot plot = plotOf({{1, 1}, {2, 2}});
    plot.title = "a < b & \"c\"";
    plot.description = "what it shows";
    const std::string svg = report::svgPlot(plot);
    CHECK(svg.find("<title>a &lt; b &amp; &quot;c&quot;</title>") != std::string::npos);
    CHECK(svg.find("<desc>what it shows</desc>") != std::string::npos);
    CHECK(svg.find("nan") == std::string::npos);
    CHECK(svg.rfind("<svg ", 0) == 0);
}
