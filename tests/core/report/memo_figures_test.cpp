#include "core/report/memo_figures.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <locale>
#include <sstream>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "core/base/numbers.h"
#include "core/mechanism/guarantee_of.h"
#include "core/report/plot.h"
#include "tests/core/report/drawn_elements.h"
#include "tests/core/report/example_calibration.h"
#include "tests/core/report/report_text.h"

// Places are read off the drawing's own axis, as a reader does; expected epsilons follow from the
// definition of the guarantee, loss = bound · d.

using namespace epsilens;
using mechanism::Guarantee;
using report::MemoAxis;
using report::PlotPoint;
using test::DrawnElement;

namespace {

constexpr double kPixel = 0.011;  ///< coordinates have two decimals, on both sides of a difference

calibration::Findings foundIn(const document::Report& report) {
    return document::findingsOf(report).value();
}

/// Two settings, 1 and 10, of which 60 and 90 of 100 words are kept, 10 and 5 near.
document::Report twoSettings() {
    calibration::CalibrationSummary summary = test::exampleMahalanobis();
    summary.grid.lambdas = {0.5};
    summary.cells.resize(2);
    summary.guarantees.resize(2);
    summary.cells[0].kept = 0.6;
    summary.cells[0].near = 0.1;
    summary.cells[0].far = 0.3;
    summary.cells[1].kept = 0.9;
    summary.cells[1].near = 0.05;
    summary.cells[1].far = 0.05;
    document::Report report = test::reportOn(summary);
    report.run.pairs = {{"near", "nigh", 0.5, 1.5}};
    return report;
}

/// What a place along the axis means, from two of its numbers.
double epsilonAt(const std::string& svg, double x) {
    std::vector<std::array<double, 2>> numbers;
    for (const DrawnElement& text : test::elementsOf(svg, "text")) {
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

/// Begins of the strokes of a path of some colour.
std::vector<PlotPoint> beginsOf(const std::string& svg, std::string_view colour) {
    std::vector<PlotPoint> begins;
    for (const DrawnElement& path : test::elementsOf(svg, "path")) {
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
            begins.push_back(point);
        }
    }
    return begins;
}

std::vector<double> marksOf(const std::string& svg) {
    std::vector<double> epsilons;
    for (const DrawnElement& line : test::elementsOf(svg, "line")) {
        // The line of the chosen setting reaches beyond the ruler.
        if (line.has("stroke-width", "2") && line.number("y2") - line.number("y1") < 23.0) {
            epsilons.push_back(epsilonAt(svg, line.number("x1")));
        }
    }
    return epsilons;
}

bool says(const std::string& svg, const std::string& text) {
    const auto texts = test::elementsOf(svg, "text");
    return std::any_of(texts.begin(), texts.end(),
                       [&](const DrawnElement& element) { return element.text == text; });
}

}  // namespace

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
    Guarantee capped = mechanism::guaranteeOf({.gamma = 0.25}, mechanism::Metric::euclidean, 8.0);
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
    findings.odds.clear();
    CHECK(distances().empty());
}

// Of d = 1.5 the odds change by ten times at ln 10 / 1.5 = 1.535, which the axis from 1 to 10
// shows.
TEST_CASE("Marks of a ruler stand where the odds are theirs, and beyond the last nothing useful") {
    const document::Report report = twoSettings();
    const auto findings = foundIn(report);
    const report::Figure figure =
        report::promiseFigure(report, findings, report::shownPairs(findings));
    const std::vector<double> marks = marksOf(figure.svg);
    REQUIRE(marks.size() == 3);
    for (const auto& [place, factor] : {std::pair{0, 10.0}, {1, 1e3}, {2, 1e6}}) {
        CHECK(marks.at(static_cast<std::size_t>(place)) ==
              Approx(std::log(factor) / 1.5).epsilon(1e-3));
    }
    const auto zone = beginsOf(figure.svg, "#9AA2AB");
    REQUIRE_FALSE(zone.empty());
    for (const PlotPoint& stroke : zone) {
        CHECK(epsilonAt(figure.svg, stroke.x) > 0.99 * std::log(1e6) / 1.5);
    }
    CHECK(says(figure.svg, "near ↔ nigh"));
    REQUIRE(figure.table);
    CHECK(figure.table->rows.front() ==
          std::vector<std::string>{"near against nigh", "1.50", "×4.49"});  // e^1.5 = 4.4817
}

TEST_CASE("A ruler whose odds have a cap says so, and one left of the axis says where it was") {
    document::Report report = twoSettings();
    calibration::CalibrationSummary summary = *report.run.summary;
    for (auto& guarantee : summary.guarantees) {
        guarantee.cap = 2.0;
    }
    summary.cells[0].beta = summary.cells[1].beta = 0.001;
    report.run.summary = std::make_shared<const calibration::CalibrationSummary>(summary);
    auto findings = foundIn(report);
    std::string svg = report::promiseFigure(report, findings, findings.odds).svg;
    CHECK(says(svg, "never more than ×7.39"));  // e^2 = 7.389
    CHECK_FALSE(says(svg, "no useful bound"));
    report = twoSettings();
    report.run.pairs.push_back({"far", "away", 0.5, 30.0});
    findings = foundIn(report);
    svg = report::promiseFigure(report, findings, findings.odds).svg;
    // ln 10^6 / 30 = 0.4605, rounded down, is left of 1.
    CHECK(says(svg, "no useful bound"));
    CHECK(marksOf(svg).size() == 3);
}

TEST_CASE("The areas of the memo have the shares of the settings") {
    const document::Report report = twoSettings();
    const report::Figure figure = report::shareFigure(report, foundIn(report));
    const auto areas = test::elementsOf(figure.svg, "polygon");
    REQUIRE(areas.size() == 2);
    double zero = 0.0;
    double hundred = 0.0;
    for (const DrawnElement& text : test::elementsOf(figure.svg, "text")) {
        if (text.has("text-anchor", "end")) {
            zero = text.text == "0" ? text.number("y") : zero;
            hundred = text.text == "100" ? text.number("y") : hundred;
        }
    }
    // Both places are of text, the same below the middle of its line.
    const double height = zero - hundred;
    const auto shareOf = [&](const PlotPoint& corner, double bottom) {
        return (bottom - corner.y) / height;
    };
    for (const auto& [area, shares] :
         {std::pair{0, std::array{0.7, 0.95}}, {1, std::array{0.6, 0.9}}}) {
        const auto corners = areas.at(static_cast<std::size_t>(area)).corners();
        REQUIRE(corners.size() == 4);
        CHECK(shareOf(corners[0], corners[2].y) == Approx(shares[0]).margin(kPixel / height));
        CHECK(shareOf(corners[1], corners[2].y) == Approx(shares[1]).margin(kPixel / height));
        CHECK(epsilonAt(figure.svg, corners[0].x) == Approx(1.0).epsilon(1e-3));
        CHECK(epsilonAt(figure.svg, corners[1].x) == Approx(10.0).epsilon(1e-3));
    }
    // Patterns: squares above both areas, stripes between them. The keys at the left have them too.
    const auto both = areas[0].corners();
    const auto kept = areas[1].corners();
    const auto heightOf = [](const std::vector<PlotPoint>& area, double x) {
        return area[0].y + (area[1].y - area[0].y) * (x - area[0].x) / (area[1].x - area[0].x);
    };
    const auto within = [&](std::string_view ink, auto&& isRight) {
        int count = 0;
        for (const PlotPoint& point : beginsOf(figure.svg, ink)) {
            if (point.x > MemoAxis::kLeft) {
                CHECK(isRight(point));
                ++count;
            }
        }
        return count;
    };
    constexpr double kRounding = 0.2;  // of patterns, one decimal
    CHECK(within(report::kFarInk, [&](const PlotPoint& point) {
              return point.y < heightOf(both, point.x) + kRounding;
          }) > 100);
    CHECK(within(report::kNearInk, [&](const PlotPoint& point) {
              return point.y > heightOf(both, point.x) - kRounding &&
                     point.y < heightOf(kept, point.x) + kRounding;
          }) > 50);
}

TEST_CASE("The chosen setting is a line with its counts beside it") {
    document::Report report = twoSettings();
    const std::string svg = report::shareFigure(report, foundIn(report)).svg;
    for (const char* text : {"ε = 1", "60 kept", "10 near", "30 far"}) {
        CAPTURE(text);
        CHECK(says(svg, text));
    }
    report.settings.choice.reset();
    const std::string open = report::shareFigure(report, foundIn(report)).svg;
    CHECK_FALSE(says(open, "ε = 1"));
    CHECK(says(open, "kept"));
}

TEST_CASE("Settings outside the limits are hatched, half-way to those within") {
    document::Report report = twoSettings();
    const auto hatched = [&] {
        return beginsOf(report::shareFigure(report, foundIn(report)).svg, "#B3261E");
    };
    CHECK(hatched().empty());
    report.settings.limits = {*calibration::parseLimit("near.mean>=6%")};
    const report::Figure figure = report::shareFigure(report, foundIn(report));
    const auto strokes = hatched();
    REQUIRE_FALSE(strokes.empty());
    for (const PlotPoint& stroke : strokes) {
        CHECK(epsilonAt(figure.svg, stroke.x) > std::sqrt(10.0) * 0.999);
    }
    CHECK(says(figure.svg, "outside the limits"));
    CHECK_THAT(figure.svg, Catch::Matchers::Contains("Hatched: outside the limits."));
}

TEST_CASE("A setting alone, and what was not measured, are told apart from a curve") {
    const document::Report report = test::reportOn(test::exampleLaplace());
    const auto figure = report::shareFigure(report, foundIn(report));
    CHECK_THAT(figure.caption, Catch::Matchers::Contains("measured at this ε only"));
    CHECK(says(figure.svg, "not measured"));
}
