#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <locale>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "core/base/numbers.h"
#include "core/mechanism/guarantee.h"
#include "core/report/memo_figures.h"
#include "core/report/plot.h"
#include "tests/core/report/example_calibration.h"
#include "tests/core/report/report_text.h"

// Expected places of a plot follow from the borders of its frame and proportion. In drawings of the
// memo they are read off their own axis, as a reader does; expected epsilons follow from the
// definition of the guarantee, loss = bound · d.

using namespace epsilens;
using report::MemoAxis;
using report::Plot;
using report::PlotFrame;
using report::PlotPoint;

namespace {

/// An element of a drawing in SVG, as it is written.
struct DrawnElement {
    std::map<std::string, std::string> attributes{};
    std::string text{};  ///< what stands in it, of elements with an end of their own

    /// A number among the attributes.
    [[nodiscard]] double number(const std::string& attribute) const;
    [[nodiscard]] bool has(const std::string& attribute, std::string_view value) const;
    /// What is in the attribute "points".
    [[nodiscard]] std::vector<PlotPoint> corners() const;
};

std::map<std::string, std::string> attributesOf(std::string tag) {
    std::map<std::string, std::string> attributes;
    for (std::size_t equals = tag.find("=\""); equals != std::string::npos;
         equals = tag.find("=\"")) {
        const std::size_t name = tag.rfind(' ', equals) + 1;
        const std::size_t end = tag.find('"', equals + 2);
        attributes[tag.substr(name, equals - name)] = tag.substr(equals + 2, end - equals - 2);
        tag = tag.substr(end + 1);
    }
    return attributes;
}

double DrawnElement::number(const std::string& attribute) const {
    return parseNumber(attributes.at(attribute), attribute).value();
}

bool DrawnElement::has(const std::string& attribute, std::string_view value) const {
    const auto found = attributes.find(attribute);
    return found != attributes.end() && found->second == value;
}

std::vector<PlotPoint> DrawnElement::corners() const {
    std::vector<PlotPoint> all;
    std::string rest = attributes.at("points");
    while (rest.find(',') != std::string::npos) {
        const std::size_t comma = rest.find(',');
        const std::size_t blank = rest.find(' ');
        all.push_back({parseNumber(rest.substr(0, comma), "x").value(),
                       parseNumber(rest.substr(comma + 1, blank - comma - 1), "y").value()});
        rest = blank == std::string::npos ? std::string() : rest.substr(blank + 1);
    }
    return all;
}

std::vector<DrawnElement> elementsOf(const std::string& svg, const std::string& name) {
    std::vector<DrawnElement> all;
    const std::string start = "<" + name + " ";
    for (std::size_t at = svg.find(start); at != std::string::npos; at = svg.find(start, at + 1)) {
        const std::size_t end = svg.find('>', at);
        all.push_back({attributesOf(svg.substr(at, end - at)),
                       svg[end - 1] == '/' ? std::string()
                                           : svg.substr(end + 1, svg.find('<', end) - end - 1)});
    }
    return all;
}

constexpr double kPixel = 0.0051;  ///< coordinates have two decimals

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
    plot.xTitle = "x title";
    plot.x = {true, {{1, 10'000}}};
    plot.y = {false, {{-10, 30}}};
    return plot;
}

std::string svgOf(const Plot& plot) {
    return report::svgPlots({plot}, plot.title, "what it shows");
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
        CHECK(std::abs(corners[i].x - places[i].x) < kPixel);
        CHECK(std::abs(corners[i].y - places[i].y) < kPixel);
    }
}

/// Where the texts of a drawing stand that read so.
std::vector<PlotPoint> placesOf(const std::string& svg, const std::string& text) {
    std::vector<PlotPoint> places;
    for (const DrawnElement& element : elementsOf(svg, "text")) {
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

constexpr double kPixels = 0.011;  ///< coordinates have two decimals, on both sides of a difference

/// Two settings, 1 and 10, of which 60 and 90 of 100 words are kept, 10 and 5 near.
document::Report twoSettings() {
    calibration::CalibrationSummary summary = test::exampleMahalanobis();
    summary.grid.lambdas = {0.5};
    summary.cells.resize(2);
    summary.guarantees.resize(2);
    for (const auto& [cell, kept, near] : {std::tuple(0U, 0.6, 0.1), std::tuple(1U, 0.9, 0.05)}) {
        summary.cells[cell].kept = kept;
        summary.cells[cell].near = near;
        summary.cells[cell].far = 1.0 - kept - near;
    }
    document::Report report = test::reportOn(summary);
    report.run.pairs = {{"near", "nigh", 0.5, 1.5}};
    return report;
}

report::Figure promiseOf(const document::Report& report) {
    const auto findings = document::findingsOf(report).value();
    return report::promiseFigure(report, findings, report::shownPairs(findings));
}

report::Figure sharesOf(const document::Report& report) {
    return report::shareFigure(report, document::findingsOf(report).value());
}

/// What a place along the axis means, from two of its numbers.
double epsilonAt(const std::string& svg, double x) {
    std::vector<std::array<double, 2>> numbers;
    for (const DrawnElement& text : elementsOf(svg, "text")) {
        const auto value = parseNumber(text.text, "tick");
        if (value && text.has("text-anchor", "middle")) {
            numbers.push_back({text.number("x"), *value});
        }
    }
    REQUIRE(numbers.size() >= 2);
    const auto& [x0, low] = numbers.front();
    const auto& [x1, high] = numbers.back();
    return low * std::pow(high / low, (x - x0) / (x1 - x0));
}

/// Begins of the strokes of a path of some colour, right of the keys.
std::vector<PlotPoint> beginsOf(const std::string& svg, std::string_view colour) {
    std::vector<PlotPoint> begins;
    for (const DrawnElement& path : elementsOf(svg, "path")) {
        if (!path.has("stroke", colour)) {
            continue;
        }
        const std::string& steps = path.attributes.at("d");
        for (std::size_t at = steps.find('M'); at != std::string::npos;
             at = steps.find('M', at + 1)) {
            PlotPoint point;
            std::istringstream numbers(steps.substr(at + 1));
            numbers.imbue(std::locale::classic());
            REQUIRE(numbers >> point.x >> point.y);
            if (point.x >= MemoAxis::kLeft) {
                begins.push_back(point);
            }
        }
    }
    return begins;
}

std::vector<double> marksOf(const std::string& svg) {
    std::vector<double> epsilons;
    for (const DrawnElement& line : elementsOf(svg, "line")) {
        // The line of the chosen setting reaches beyond the ruler.
        if (line.has("stroke-width", "2") && line.number("y2") - line.number("y1") < 23.0) {
            epsilons.push_back(epsilonAt(svg, line.number("x1")));
        }
    }
    return epsilons;
}

bool says(const std::string& svg, const std::string& text) {
    const auto texts = elementsOf(svg, "text");
    return std::ranges::any_of(texts,
                               [&](const DrawnElement& element) { return element.text == text; });
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
    const std::string svg = svgOf(plot);
    const auto lines = elementsOf(svg, "polyline");
    REQUIRE(lines.size() == 2);
    checkCorners(lines[0].corners(), {placeOf(1, 2), placeOf(3, 5)});
    checkCorners(lines[1].corners(), {placeOf(10, 1), placeOf(20, 7)});
    checkCorners(elementsOf(svg, "polygon").front().corners(),
                 {placeOf(1, -5), placeOf(10, 0), placeOf(100, 3), placeOf(100, 3), placeOf(10, 20),
                  placeOf(1, 5)});
    auto rules = elementsOf(svg, "line");
    std::erase_if(rules, [](const auto& line) { return !line.has("stroke-width", "1.5"); });
    REQUIRE(rules.size() == 2);
    const auto endsOf = [](const DrawnElement& line) {
        return std::vector<PlotPoint>{{line.number("x1"), line.number("y1")},
                                      {line.number("x2"), line.number("y2")}};
    };
    checkCorners(endsOf(rules[0]), {placeOf(1, 20), placeOf(10'000, 20)});
    checkCorners(endsOf(rules[1]), {placeOf(100, 30), placeOf(100, -10)});
    // Labels of ticks: half a letter below the place, as they stand beside it.
    CHECK(std::abs(placesOf(svg, "20").front().y - 4 - placeOf(1, 20).y) < kPixels);
    CHECK(std::abs(placesOf(svg, "1000").front().x - placeOf(1000, 0).x) < kPixels);
}

TEST_CASE("A drawing with all kinds of parts and their legend is the one that was approved") {
    Plot plot = plotWithRanges();
    plot.title = "a < b & \"c\"";
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
    test::checkApproved("plot.svg", svgOf(plot));
}

TEST_CASE("A legend of many parts is cut off nowhere") {
    Plot plot = plotWithRanges();
    for (int i = 0; i < 50; ++i) {
        plot.lines.push_back({"mean, λ = 0.25, β = " + std::to_string(i), report::kBlue, {{5, 5}}});
    }
    const std::string svg = svgOf(plot);
    const DrawnElement whole = elementsOf(svg, "svg").front();
    std::set<std::pair<double, double>> taken;
    for (int i = 0; i < 50; ++i) {
        const auto places = placesOf(svg, "mean, λ = 0.25, β = " + std::to_string(i));
        REQUIRE(places.size() == 1);
        const auto [x, y] = places.front();
        // 22 letters of 13 pixels, which is a little more than half as wide as it is high.
        constexpr double kLabel = 22 * 7.4;
        CHECK(x + kLabel < whole.number("width"));
        CHECK(y < whole.number("height"));
        for (const auto& [left, line] : taken) {
            CHECK((std::abs(y - line) >= 13 || std::abs(x - left) > kLabel));
        }
        taken.emplace(x, y);
    }
}

TEST_CASE("Plots beside each other share a legend and no place") {
    Plot first = plotWithRanges();
    first.lines.push_back({"both", report::kBlue, {{1, 2}, {10'000, 30}}});
    Plot second = first;
    second.lines.push_back({"second alone", report::kGreen, {{1, -10}}});
    const std::string svg = report::svgPlots({first, second}, "title", "what they show");
    const auto lines = elementsOf(svg, "polyline");
    REQUIRE(lines.size() == 3);
    const auto left = lines[0].corners();
    const auto right = lines[1].corners();
    for (const std::size_t end : {0U, 1U}) {
        CHECK(right[end].x - left[end].x == Approx(PlotFrame::kStep));
        CHECK(right[end].y == left[end].y);
    }
    CHECK(left[1].x < right[0].x);
    CHECK(placesOf(svg, "both").size() == 1);
    CHECK(placesOf(svg, "second alone").size() == 1);
    CHECK(placesOf(svg, "x title").size() == 2);
    CHECK(elementsOf(svg, "svg").front().number("width") == 2.0 * PlotFrame::kStep);
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
    const std::string svg = report::curvesFigure(report, document::findingsOf(report).value()).svg;
    CHECK_FALSE(placesOf(svg, "90 of 100 words, λ = 0.5").empty());
    const auto band = elementsOf(svg, "polygon").front().corners();
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

TEST_CASE("At the epsilon of odds the guarantee of the mechanism admits just these") {
    constexpr double kDistance = 0.75;
    for (const double factor : {2.0, 10.0, 1e6}) {
        for (const auto& parameters : {mechanism::Parameters{}, mechanism::Parameters{.gamma = 0.5},
                                       mechanism::Parameters{.gamma = 2.0},
                                       mechanism::Parameters{.law = mechanism::RadialLaw::eq7}}) {
            const auto at = [&](double epsilon) {
                return mechanism::guaranteeOf(parameters, mechanism::Metric::euclidean, epsilon, 2);
            };
            const double epsilon = report::epsilonOfOdds(at(7.0), {}, kDistance, factor);
            if (epsilon > 0.0) {
                CHECK(mechanism::pairLoss(at(epsilon), kDistance) ==
                      Approx(std::log(factor)).epsilon(1e-12));
            } else {
                // Even the least epsilon admits more: m d = 1.5 > ln 2.
                CHECK(mechanism::pairLoss(at(1e-9), kDistance) > std::log(factor));
            }
        }
    }
    // A cap of e^2 that beta keeps at every epsilon.
    calibration::Cell cell;
    cell.beta = 0.001;
    const auto capped = mechanism::guaranteeOf({.gamma = 0.25}, mechanism::Metric::euclidean, 8.0);
    CHECK(report::epsilonOfOdds(capped, cell, 0.2, 10.0) ==
          std::numeric_limits<double>::infinity());
    CHECK(report::epsilonOfOdds(capped, cell, 0.2, 2.0) == Approx(std::log(2.0) / 0.2));
}

TEST_CASE("The memo shows the first pair, the nearest and the farthest") {
    calibration::Findings findings;
    for (const double distance : {3.0, 5.0, 4.0, 1.0, 2.0}) {
        findings.odds.push_back({{"a", "b", 0.0, distance}, {}});
    }
    const auto distances = [&] {
        std::vector<double> all;
        for (const auto& odds : report::shownPairs(findings)) {
            all.push_back(odds.pair.distance);
        }
        return all;
    };
    CHECK(distances() == std::vector<double>{1, 3, 5});
    findings.odds.resize(2);
    CHECK(distances() == std::vector<double>{3, 5});
}

// Of d = 1.5 the odds change by ten times at ln 10 / 1.5 = 1.535, which the axis from 1 to 10
// shows.
TEST_CASE("Marks of a ruler stand where the odds are theirs, and beyond the last nothing useful") {
    document::Report report = twoSettings();
    const report::Figure figure = promiseOf(report);
    const std::vector<double> marks = marksOf(figure.svg);
    REQUIRE(marks.size() == 3);
    for (const auto& [place, factor] : {std::pair{0U, 10.0}, {1U, 1e3}, {2U, 1e6}}) {
        CHECK(marks[place] == Approx(std::log(factor) / 1.5).epsilon(1e-3));
    }
    const auto zone = beginsOf(figure.svg, "#9AA2AB");
    REQUIRE_FALSE(zone.empty());
    for (const PlotPoint& stroke : zone) {
        CHECK(epsilonAt(figure.svg, stroke.x) > 0.99 * std::log(1e6) / 1.5);
    }
    CHECK(says(figure.svg, "near ↔ nigh"));
    // e^1.5 = 4.4817
    CHECK_THAT(test::memoOf(report), Catch::Matchers::Contains("near against nigh      1.50") &&
                                         Catch::Matchers::Contains("×4.49\n"));
    // Of a pair 30 apart all marks lie left of the axis: ln 10^6 / 30 = 0.46.
    report.run.pairs = {{"near", "nigh", 0.5, 0.01}, {"far", "away", 0.5, 30.0}};
    CHECK(marksOf(promiseOf(report).svg).empty());
    CHECK_FALSE(beginsOf(promiseOf(report).svg, "#9AA2AB").empty());
    // A cap that beta keeps at every epsilon.
    calibration::CalibrationSummary summary = *report.run.summary;
    for (auto& guarantee : summary.guarantees) {
        guarantee.cap = 2.0;
    }
    summary.cells[0].beta = summary.cells[1].beta = 0.001;
    report.run.summary = std::make_shared<const calibration::CalibrationSummary>(summary);
    CHECK(says(promiseOf(report).svg, "never more than ×7.39"));  // e^2 = 7.389
    CHECK(beginsOf(promiseOf(report).svg, "#9AA2AB").empty());
}

TEST_CASE("The areas of the memo have the shares of the settings, and the chosen one its counts") {
    document::Report report = twoSettings();
    const std::string svg = sharesOf(report).svg;
    const auto areas = elementsOf(svg, "polygon");
    REQUIRE(areas.size() == 2);
    // Far words above the first, kept words below the second.
    const double height = areas[1].corners()[2].y - areas[0].corners()[2].y;
    for (const auto& [area, shares] :
         {std::pair{0U, std::array{0.7, 0.95}}, {1U, std::array{0.6, 0.9}}}) {
        const auto corners = areas[area].corners();
        REQUIRE(corners.size() == 4);
        for (const std::size_t end : {0U, 1U}) {
            CHECK((areas[1].corners()[2].y - corners[end].y) / height ==
                  Approx(shares.at(end)).margin(kPixels / height));
            CHECK(epsilonAt(svg, corners[end].x) == Approx(end == 0 ? 1.0 : 10.0).epsilon(1e-3));
        }
    }
    // Stripes are left free between them.
    CHECK(svg.find("#2F7DA8") < svg.find("<polygon"));
    for (const char* text : {"ε = 1", "60 kept", "10 near", "30 far"}) {
        CAPTURE(text);
        CHECK(says(svg, text));
    }
    report.settings.choice.reset();
    CHECK_FALSE(says(sharesOf(report).svg, "ε = 1"));
    CHECK(says(sharesOf(test::reportOn(test::exampleLaplace())).svg, "not measured"));
}

TEST_CASE("Settings outside the limits are hatched, half-way to those within") {
    document::Report report = twoSettings();
    const auto hatched = [&] { return beginsOf(sharesOf(report).svg, "#B3261E"); };
    CHECK(hatched().empty());
    for (const auto& [limit, isHigh] :
         {std::pair("near.mean>=6%", true), std::pair("near.mean<=6%", false)}) {
        report.settings.limits = {*calibration::parseLimit(limit)};
        const report::Figure figure = sharesOf(report);
        auto borders = elementsOf(figure.svg, "line");
        std::erase_if(borders, [](const auto& line) { return !line.has("stroke", "#B3261E"); });
        REQUIRE(borders.size() == 1);
        CHECK(epsilonAt(figure.svg, borders[0].number("x1")) ==
              Approx(std::sqrt(10.0)).epsilon(1e-3));
        REQUIRE_FALSE(hatched().empty());
        for (const PlotPoint& stroke : hatched()) {
            CHECK((epsilonAt(figure.svg, stroke.x) > std::sqrt(10.0) * 0.999) == isHigh);
        }
        CHECK_THAT(figure.caption, Catch::Matchers::Contains("Hatched: outside the limits."));
    }
}
