#include "core/report/plot.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "core/report/memo_figures.h"
#include "tests/core/report/drawn_elements.h"
#include "tests/core/report/example_calibration.h"
#include "tests/core/report/report_text.h"

// Expected places follow from the borders of the frame and proportion.

using namespace epsilens;
using report::Plot;
using report::PlotFrame;
using report::PlotPoint;
using test::DrawnElement;

namespace {

constexpr double kPlotPixel = 0.0051;  ///< coordinates have two decimals

Plot plotOf(std::vector<PlotPoint> points, bool isLogarithmic = false) {
    Plot plot;
    plot.title = "title";
    plot.x.isLogarithmic = isLogarithmic;
    plot.lines.push_back({"line", report::kBlue, std::move(points)});
    return plot;
}

/// x from 1 to 10,000, logarithmic; y from -10 to 30.
Plot plotWithRanges() {
    Plot plot;
    plot.x = {"x title", true, {{1, 10'000}}};
    plot.y = {"y title", false, {{-10, 30}}};
    return plot;
}

/// Where the frame of plotWithRanges has a point.
PlotPoint placeOf(double x, double y) {
    return {PlotFrame::kLeft + (PlotFrame::kRight - PlotFrame::kLeft) * std::log10(x) / 4,
            PlotFrame::kBottom - (PlotFrame::kBottom - PlotFrame::kTop) * (y + 10) / 40};
}

void checkCorners(const std::vector<PlotPoint>& corners, const std::vector<PlotPoint>& places) {
    REQUIRE(corners.size() == places.size());
    for (std::size_t i = 0; i < places.size(); ++i) {
        CAPTURE(i);
        CHECK(std::abs(corners[i].x - places[i].x) < kPlotPixel);
        CHECK(std::abs(corners[i].y - places[i].y) < kPlotPixel);
    }
}

/// Where the texts of a drawing stand that read so.
std::vector<PlotPoint> placesOf(const std::string& svg, const std::string& text) {
    std::vector<PlotPoint> places;
    for (const DrawnElement& element : test::elementsOf(svg, "text")) {
        if (element.text == text) {
            places.push_back({element.number("x"), element.number("y")});
        }
    }
    return places;
}

/// Contrast of a colour such as 0072B2 on white paper (WCAG 2.1, relative luminance).
double contrastOnWhite(const std::string& colour) {
    constexpr std::array kWeights{0.2126, 0.7152, 0.0722};
    double luminance = 0.0;
    for (std::size_t i = 0; i < kWeights.size(); ++i) {
        const double value = std::stoi(colour.substr(2 * i, 2), nullptr, 16) / 255.0;
        luminance += kWeights[i] *
                     (value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4));
    }
    return 1.05 / (luminance + 0.05);
}

}  // namespace

TEST_CASE("Parts of a plot stand where their data are, and what cannot be drawn is left out") {
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    Plot plot = plotWithRanges();
    plot.lines.push_back({"line", report::kBlue, {{1, 2}, {3, 5}, {4, kNan}, {10, 1}, {20, 7}}});
    plot.bands.push_back({"band",
                          report::kSky,
                          {{1, -5}, {10, 0}, {20, kNan}, {50, 1}, {100, 3}, {100'000, 0}},
                          {{1, 5}, {10, 20}, {20, 4}, {50, kNan}, {100, 3}, {100'000, 1}}});
    plot.rules.push_back({"limit", report::kGrey, true, 20, report::Dash::dashed});
    plot.rules.push_back({"chosen", report::kBlack, false, 100, report::Dash::dotted});
    const std::string svg = report::svgPlot(plot);
    const auto lines = test::elementsOf(svg, "polyline");
    REQUIRE(lines.size() == 2);
    checkCorners(lines[0].corners(), {placeOf(1, 2), placeOf(3, 5)});
    checkCorners(lines[1].corners(), {placeOf(10, 1), placeOf(20, 7)});
    checkCorners(test::elementsOf(svg, "polygon").front().corners(),
                 {placeOf(1, -5), placeOf(10, 0), placeOf(100, 3), placeOf(100, 3), placeOf(10, 20),
                  placeOf(1, 5)});
    auto rules = test::elementsOf(svg, "line");
    std::erase_if(rules, [](const auto& line) { return !line.has("stroke-width", "1.5"); });
    REQUIRE(rules.size() == 2);
    const auto endsOf = [](const DrawnElement& line) {
        return std::vector<PlotPoint>{{line.number("x1"), line.number("y1")},
                                      {line.number("x2"), line.number("y2")}};
    };
    checkCorners(endsOf(rules[0]), {placeOf(1, 20), placeOf(10'000, 20)});
    checkCorners(endsOf(rules[1]), {placeOf(100, 30), placeOf(100, -10)});
    // Labels of ticks: half a letter below the place, as they stand beside it.
    CHECK(std::abs(placesOf(svg, "20").front().y - 4 - placeOf(1, 20).y) < kPlotPixel);
    CHECK(std::abs(placesOf(svg, "1000").front().x - placeOf(1000, 0).x) < kPlotPixel);
}

TEST_CASE("A drawing with all kinds of parts and their legend is the one that was approved") {
    Plot plot = plotWithRanges();
    plot.title = "a < b & \"c\"";
    plot.description = "what it shows";
    for (const auto marker :
         {report::Marker::circle, report::Marker::square, report::Marker::triangle,
          report::Marker::diamond, report::Marker::triangleDown}) {
        plot.lines.push_back(
            {"line", report::kBlue, {{1, 2}, {3, 5}}, report::Dash::dotted, marker});
    }
    plot.lines.front().marked = {{3, 5}};
    plot.lines.push_back({"", report::kPurple, {{5, 5}}});
    plot.rules.push_back({"rule", report::kGrey, true, 5, report::Dash::dashed});
    plot.bands.push_back({"band", report::kSky, {{5, 5}}, {{5, 5}}});
    test::checkApproved("plot.svg", report::svgPlot(plot));
}

TEST_CASE("A legend of many parts is cut off nowhere") {
    Plot plot = plotWithRanges();
    for (int i = 0; i < 50; ++i) {
        plot.lines.push_back({"mean, λ = 0.25, β = " + std::to_string(i), report::kBlue, {{5, 5}}});
    }
    const std::string svg = report::svgPlot(plot);
    const DrawnElement whole = test::elementsOf(svg, "svg").front();
    double last = 0.0;
    for (int i = 0; i < 50; ++i) {
        const auto places = placesOf(svg, "mean, λ = 0.25, β = " + std::to_string(i));
        REQUIRE(places.size() == 1);
        CHECK(places[0].y >= last + 11);
        last = places[0].y;
        // 22 letters of 11 pixels, which is a little more than half as wide as it is high.
        CHECK(places[0].x + 22 * 6.5 < whole.number("width"));
    }
    CHECK(last < whole.number("height"));
}

TEST_CASE("All data lie inside the frame that is chosen for them") {
    Plot plot = plotOf({{5, -3}, {0.01, 8}}, true);
    plot.bands.push_back({"band", report::kSky, {{1, -10}, {2, 0}}, {{1, 3}, {2, 40}}});
    plot.rules.push_back({"limit", report::kGrey, true, 55, report::Dash::dashed});
    const PlotFrame frame(plot);
    for (const PlotPoint point : {PlotPoint{5, -3}, PlotPoint{0.01, 8}, PlotPoint{1, -10},
                                  PlotPoint{2, 40}, PlotPoint{1, 55}}) {
        CHECK(frame.holds(point));
    }
    CHECK_FALSE(frame.holds({0, 1}));
    // A single value, and none at all, still give an axis.
    CHECK(PlotFrame(plotOf({{7, 7}}, true)).holds({7, 7}));
    CHECK(PlotFrame(plotOf({{0, 0}})).holds({0, 0}));
    CHECK(PlotFrame(plotOf({})).x.range[1] > 0);
    // A quantity that is never negative keeps zero as its lowest end.
    CHECK(PlotFrame(plotOf({{1, 0.01}, {2, 5}})).y.range[0] == 0.0);
    CHECK(PlotFrame(plotOf({{1, -0.01}, {2, 5}})).y.range[0] < -0.01);
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

TEST_CASE("The bands of a report are the percentiles of the chosen series") {
    calibration::CalibrationSummary summary = test::exampleMahalanobis();
    for (const auto& [cell, low, high] : {std::tuple(0U, 250, 2750), std::tuple(1U, 1500, 3125)}) {
        summary.cells[cell].nw.p5 = low;
        summary.cells[cell].nw.p95 = high;
    }
    const document::Report report = test::reportOn(summary);
    const auto blocks = report::figureBlocks(report, document::findingsOf(report).value());
    const std::string& svg = std::get<report::Figure>(blocks.front()).svg;
    CHECK_FALSE(placesOf(svg, "p5–p95, λ = 0.5").empty());
    const auto band = test::elementsOf(svg, "polygon").front().corners();
    REQUIRE(band.size() == 4);
    // Epsilon 1, 10, and back, in proportion.
    CHECK(band[0].x == band[3].x);
    CHECK(band[1].x == band[2].x);
    const auto shareOf = [&](std::size_t corner) {
        return (band[0].y - band[corner].y) / (band[0].y - band[2].y);
    };
    CHECK(shareOf(1) == Approx((1500.0 - 250.0) / (3125.0 - 250.0)).epsilon(1e-3));
    CHECK(shareOf(3) == Approx((2750.0 - 250.0) / (3125.0 - 250.0)).epsilon(1e-3));
}

TEST_CASE("Lines of a report stand out on paper and differ without their colours") {
    std::set<std::pair<report::Dash, report::Marker>> looks;
    for (std::size_t place = 0; place < 12; ++place) {
        const report::PlotLine line = report::plotLine("", place);
        CHECK(contrastOnWhite(std::string(line.colour.substr(1))) >= 3.0);
        looks.emplace(line.dash, line.marker);
    }
    CHECK(looks.size() == 12);
}
