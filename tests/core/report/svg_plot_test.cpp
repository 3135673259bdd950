#include "core/report/svg_plot.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "core/base/numbers.h"
#include "core/report/report_parts.h"
#include "tests/core/report/drawn_elements.h"
#include "tests/core/report/example_calibration.h"
#include "tests/core/report/example_report.h"
#include "tests/core/report/report_text.h"

// Expected places follow from the borders of the frame and proportion, or from the axes as a reader
// of the drawing sees them.

using namespace epsilens;
using report::Plot;
using report::PlotFrame;
using report::PlotPoint;
using test::DrawnElement;

namespace {

// Of a plot of the usual height.
constexpr double kBottom = PlotFrame::kTop + 292.0;
constexpr double kHeight = kBottom + PlotFrame::kBelow;

constexpr double kPixel = 0.0051;  ///< coordinates have two decimals
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// x from 1 to 10,000, logarithmic; y from -10 to 30.
Plot plotWithRanges() {
    Plot plot;
    plot.title = "title";
    plot.x = {"x title", true, {{1, 10'000}}};
    plot.y = {"y title", false, {{-10, 30}}};
    return plot;
}

/// Where the frame of plotWithRanges has a point.
PlotPoint placeOf(double x, double y) {
    return {PlotFrame::kLeft + (PlotFrame::kRight - PlotFrame::kLeft) * std::log10(x) / 4,
            kBottom - (kBottom - PlotFrame::kTop) * (y + 10) / 40};
}

void checkCorners(const DrawnElement& drawn, const std::vector<PlotPoint>& places) {
    const std::vector<PlotPoint> corners = drawn.corners();
    REQUIRE(corners.size() == places.size());
    for (std::size_t i = 0; i < places.size(); ++i) {
        CAPTURE(i);
        CHECK(std::abs(corners[i].x - places[i].x) < kPixel);
        CHECK(std::abs(corners[i].y - places[i].y) < kPixel);
    }
}

/// The one text of a drawing that reads so.
DrawnElement textOf(const std::string& svg, const std::string& text) {
    std::vector<DrawnElement> found = test::elementsOf(svg, "text");
    std::erase_if(found, [&](const DrawnElement& element) { return element.text != text; });
    CAPTURE(text);
    REQUIRE(found.size() == 1);
    return found.front();
}

/// An axis as the labels of its grid tell it.
struct ReadAxis {
    std::vector<double> values{};
    std::vector<double> places{};
    bool logarithmic = false;

    [[nodiscard]] double valueAt(double place) const {
        const auto scaled = [this](double value) { return logarithmic ? std::log(value) : value; };
        const double share = (place - places.front()) / (places.back() - places.front());
        const double value =
            scaled(values.front()) + share * (scaled(values.back()) - scaled(values.front()));
        return logarithmic ? std::exp(value) : value;
    }
};

/// Each label stands at a line of the grid: below it, or to the left of it.
ReadAxis readAxis(const std::string& svg, bool horizontal, bool logarithmic) {
    ReadAxis axis{{}, {}, logarithmic};
    const std::vector<DrawnElement> labels = test::elementsOf(svg, "text");
    for (const DrawnElement& line : test::elementsOf(svg, "line")) {
        const bool isGrid = line.has("stroke", "#E0E0E0");
        const char* across = horizontal ? "x1" : "y1";
        if (!isGrid || line.number(across) != line.number(horizontal ? "x2" : "y2")) {
            continue;
        }
        const double place = line.number(across);
        for (const DrawnElement& label : labels) {
            const bool isTick = label.has("text-anchor", horizontal ? "middle" : "end") &&
                                parseNumber(label.text, "tick").has_value();
            const double offset = horizontal ? 0.0 : 4.0;  // half a letter, to stand beside it
            if (isTick &&
                std::abs(label.number(horizontal ? "x" : "y") - place - offset) < 2 * kPixel) {
                axis.values.push_back(*parseNumber(label.text, "tick"));
                axis.places.push_back(place);
            }
        }
    }
    REQUIRE(axis.values.size() >= 2);
    return axis;
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

/// Dashes of a drawn line, and the shape of the first marker behind it: its name, and of a polygon
/// where its corners lie from the first one.
std::string lookWithoutColour(const std::string& drawn) {
    const std::size_t dash = drawn.find("stroke-dasharray");
    std::string look = dash == std::string::npos ? "solid" : drawn.substr(dash, 24);
    const std::size_t marker = drawn.find('<', 1);
    look += drawn.substr(marker, 5);
    if (drawn.compare(marker, 8, "<polygon") == 0) {
        const auto corners = test::elementsOf(drawn, "polygon").front().corners();
        for (const PlotPoint& corner : corners) {
            look += fmt::format(" {:.1f},{:.1f}", corner.x - corners[0].x, corner.y - corners[0].y);
        }
    }
    return look;
}

}  // namespace

TEST_CASE("The corners of a drawn line are its data, and what cannot be drawn interrupts it") {
    const std::vector<PlotPoint> points{{1, 2}, {3, 5}, {4, kNan}, {10, 1}, {20, 7}};
    Plot plot = plotWithRanges();
    plot.lines.push_back({"line", report::kBlue, points});
    const auto drawn = test::elementsOf(report::svgPlot(plot), "polyline");
    REQUIRE(drawn.size() == 2);
    checkCorners(drawn[0], {placeOf(1, 2), placeOf(3, 5)});
    checkCorners(drawn[1], {placeOf(10, 1), placeOf(20, 7)});
}

TEST_CASE("The corners of a drawn band are its low ends and, on the way back, its high ones") {
    Plot plot = plotWithRanges();
    plot.bands.push_back({"band",
                          report::kSky,
                          {1, 10, 20, 50, 100, 2000},
                          {-5, 0, kNan, 1, 3, 12.5},
                          {5, 20, 4, kNan, 3, 30}});
    // A band that leaves the frame of the axes is drawn where it lies within.
    plot.bands.push_back({"", report::kOrange, {10, 100, 100'000}, {0, -11, 0}, {1, 1, 1}});
    const auto drawn = test::elementsOf(report::svgPlot(plot), "polygon");
    REQUIRE(drawn.size() == 2);
    CHECK(drawn[0].has("fill", report::kSky));
    CHECK(drawn[0].has("fill-opacity", "0.3"));
    checkCorners(drawn[0], {placeOf(1, -5), placeOf(10, 0), placeOf(100, 3), placeOf(2000, 12.5),
                            placeOf(2000, 30), placeOf(100, 3), placeOf(10, 20), placeOf(1, 5)});
    CHECK(drawn[1].has("fill", report::kOrange));
    checkCorners(drawn[1], {placeOf(10, 0), placeOf(10, 1)});
}

TEST_CASE("A rule goes right across the frame at its value") {
    Plot plot = plotWithRanges();
    plot.rules.push_back({"limit", report::kGrey, true, 20, report::Dash::dashed});
    plot.rules.push_back({"chosen", "#000000", false, 100, report::Dash::dotted});
    const std::string svg = report::svgPlot(plot);
    for (const auto& [colour, dash, from, to] :
         {std::tuple{report::kGrey, "7,4", placeOf(1, 20), placeOf(10'000, 20)},
          std::tuple{std::string_view("#000000"), "2,3", placeOf(100, 30), placeOf(100, -10)}}) {
        std::vector<DrawnElement> rules = test::elementsOf(svg, "line");
        std::erase_if(rules, [colour = colour](const DrawnElement& line) {
            return !line.has("stroke", colour) || !line.has("stroke-width", "1.5");
        });
        REQUIRE(rules.size() == 1);
        CHECK(rules[0].has("stroke-dasharray", dash));
        CHECK(rules[0].number("x1") == Approx(from.x).margin(kPixel));
        CHECK(rules[0].number("y1") == Approx(from.y).margin(kPixel));
        CHECK(rules[0].number("x2") == Approx(to.x).margin(kPixel));
        CHECK(rules[0].number("y2") == Approx(to.y).margin(kPixel));
    }
}

TEST_CASE("Labels of ticks stand at their places, titles of axes in the middle") {
    const std::string svg = report::svgPlot(plotWithRanges());
    for (const auto& [text, value] : {std::pair{"1", 1.0}, std::pair{"10", 10.0},
                                      std::pair{"1000", 1000.0}, std::pair{"10000", 10'000.0}}) {
        std::vector<DrawnElement> labels = test::elementsOf(svg, "text");
        std::erase_if(labels, [text = text](const DrawnElement& label) {
            return label.text != text || !label.has("text-anchor", "middle");
        });
        CAPTURE(text);
        REQUIRE(labels.size() == 1);
        CHECK(labels[0].number("x") == Approx(placeOf(value, 0).x).margin(kPixel));
        CHECK(labels[0].number("y") > kBottom);
    }
    for (const auto& [text, value] : {std::pair{"-10", -10.0}, std::pair{"20", 20.0}}) {
        const DrawnElement label = textOf(svg, text);
        CHECK(label.has("text-anchor", "end"));
        CHECK(label.number("x") < PlotFrame::kLeft);
        CHECK(label.number("y") - 4 == Approx(placeOf(1, value).y).margin(kPixel));
    }
    const DrawnElement below = textOf(svg, "x title");
    CHECK(below.has("text-anchor", "middle"));
    CHECK(below.number("x") == Approx(placeOf(100, 0).x));
    CHECK(below.number("y") < kHeight);
    const DrawnElement beside = textOf(svg, "y title");
    CHECK(beside.has("text-anchor", "middle"));
    CHECK(beside.number("y") == Approx(placeOf(1, 10).y));
    CHECK(beside.has("transform", "rotate(-90 16 180.00)"));
}

TEST_CASE("A drawing with all kinds of parts and their legend is the one that was approved") {
    Plot plot = plotWithRanges();
    plot.title = "a < b & \"c\"";
    plot.description = "what it shows";
    plot.points.push_back({"points", report::kGreen, {{5, 5}}, report::Marker::square});
    for (const auto marker : {report::Marker::circle, report::Marker::triangle,
                              report::Marker::diamond, report::Marker::triangleDown}) {
        plot.lines.push_back(
            {"line", report::kBlue, {{1, 2}, {3, 5}}, report::Dash::dotted, marker, {}, {"ε 1"}});
    }
    plot.lines.front().marked = {{3, 5}};
    plot.lines.push_back({"", report::kPurple, {{5, 5}}});
    plot.rules.push_back({"rule", report::kGrey, true, 5, report::Dash::dashed});
    plot.bands.push_back({"band", report::kSky, {5}, {5}, {5}});
    test::checkApproved("plot.svg", report::svgPlot(plot));
}

TEST_CASE("A legend of many parts is cut off nowhere") {
    Plot plot = plotWithRanges();
    for (int i = 0; i < 50; ++i) {
        plot.lines.push_back({"mean, λ = 0.25, β = " + std::to_string(i), report::kBlue, {{5, 5}}});
    }
    const std::string svg = report::svgPlot(plot);
    const DrawnElement whole = test::elementsOf(svg, "svg").front();
    std::vector<PlotPoint> places;
    for (int i = 0; i < 50; ++i) {
        const DrawnElement label = textOf(svg, "mean, λ = 0.25, β = " + std::to_string(i));
        const PlotPoint place{label.number("x"), label.number("y")};
        CHECK(place.y < whole.number("height"));
        // 22 letters of 11 pixels, which is a little more than half as wide as it is high.
        CHECK(place.x + 22 * 6.5 < whole.number("width"));
        for (const PlotPoint& other : places) {
            const bool isApart =
                std::abs(place.y - other.y) >= 11 || std::abs(place.x - other.x) >= 22 * 6.5;
            CHECK(isApart);
        }
        places.push_back(place);
    }
    CHECK(whole.has("viewBox",
                    "0 0 " + whole.attributes.at("width") + " " + whole.attributes.at("height")));
    // The frame with the data does not grow: a page that is narrower draws all of it smaller.
    CHECK(whole.number("height") == kHeight);
}

TEST_CASE("The bands of a report are the percentiles of the chosen series, read at its axes") {
    calibration::CalibrationSummary summary = test::exampleMahalanobis();
    const auto setBand = [&](std::size_t cell, double low, double high) {
        summary.cells[cell].nw.p5 = low;
        summary.cells[cell].nw.p95 = high;
    };
    setBand(0, 250, 2750);
    setBand(1, 1500, 3125);
    document::Report report{{}, test::exampleRun(std::move(summary))};
    report.settings.choice = calibration::Choice{10, 0.5, std::nullopt};
    const auto findings = document::findingsOf(report);
    REQUIRE(findings);
    const auto blocks = report::figureBlocks(report, *findings);
    const auto* figure = std::get_if<report::Figure>(&blocks.front());
    REQUIRE(figure != nullptr);
    const ReadAxis x = readAxis(figure->svg, true, true);
    const ReadAxis y = readAxis(figure->svg, false, false);
    const auto band = test::elementsOf(figure->svg, "polygon").front().corners();
    REQUIRE(band.size() == 4);
    // Epsilon 1, 10, and back.
    const std::vector<PlotPoint> expected{{1, 250}, {10, 1500}, {10, 3125}, {1, 2750}};
    for (std::size_t i = 0; i < band.size(); ++i) {
        CAPTURE(i);
        CHECK(x.valueAt(band[i].x) == Approx(expected[i].x).epsilon(1e-3));
        CHECK(y.valueAt(band[i].y) == Approx(expected[i].y).margin(1.0));
    }
    CHECK(textOf(figure->svg, "p5–p95, λ = 0.5").number("x") > PlotFrame::kRight);
}

TEST_CASE("Lines of a report stand out on paper and differ without their colours") {
    calibration::CalibrationSummary summary = test::exampleMahalanobis();
    const std::vector<calibration::Cell> two{summary.cells[0], summary.cells[1]};
    summary.grid.lambdas.clear();
    summary.cells.clear();
    for (int series = 0; series < 12; ++series) {
        summary.grid.lambdas.push_back(series / 20.0);
        for (calibration::Cell cell : two) {
            cell.lambda = series / 20.0;
            summary.cells.push_back(cell);
        }
    }
    document::Report report{{}, test::exampleRun(std::move(summary))};
    const auto findings = document::findingsOf(report);
    REQUIRE(findings);
    const auto blocks = report::figureBlocks(report, *findings);
    const std::string& svg = std::get<report::Figure>(blocks.front()).svg;
    std::set<std::string> looks;
    int lines = 0;
    for (std::size_t at = svg.find("<polyline"); at != std::string::npos; ++lines) {
        const std::size_t next = svg.find("<polyline", at + 1);
        const std::string drawn = svg.substr(at, next - at);
        CHECK(contrastOnWhite(drawn.substr(drawn.find("stroke=\"#") + 9, 6)) >= 3.0);
        looks.insert(lookWithoutColour(drawn));
        at = next;
    }
    CHECK(lines == 12);
    CHECK(looks.size() == 12);
}
