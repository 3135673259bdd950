#include "core/report/memo_figures.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <locale>
#include <sstream>
#include <string>
#include <tuple>
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
using report::MemoAxis;
using report::PlotPoint;
using test::DrawnElement;

namespace {

constexpr double kPixel = 0.011;  ///< coordinates have two decimals, on both sides of a difference

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

/// Begins of the strokes of a path of some colour, right of the keys.
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
            if (point.x >= MemoAxis::kLeft) {
                begins.push_back(point);
            }
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
    CHECK(report::pairTable(report.run.summary->guarantees[0], document::findingsOf(report)->odds)
              .rows.front() ==
          std::vector<std::string>{"near against nigh", "1.50", "×4.49"});  // e^1.5 = 4.4817
    // Of a pair 30 apart all marks lie left of the axis: ln 10^6 / 30 = 0.46.
    report.run.pairs = {{"near", "nigh", 0.5, 0.01}, {"far", "away", 0.5, 30.0}};
    CHECK(marksOf(promiseOf(report).svg).empty());
    CHECK(says(promiseOf(report).svg, "no useful bound"));
    // A cap that beta keeps at every epsilon.
    calibration::CalibrationSummary summary = *report.run.summary;
    for (auto& guarantee : summary.guarantees) {
        guarantee.cap = 2.0;
    }
    summary.cells[0].beta = summary.cells[1].beta = 0.001;
    report.run.summary = std::make_shared<const calibration::CalibrationSummary>(summary);
    CHECK(says(promiseOf(report).svg, "never more than ×7.39"));  // e^2 = 7.389
    CHECK_FALSE(says(promiseOf(report).svg, "no useful bound"));
}

TEST_CASE("The areas of the memo have the shares of the settings, and the chosen one its counts") {
    document::Report report = twoSettings();
    const std::string svg = sharesOf(report).svg;
    const auto areas = test::elementsOf(svg, "polygon");
    REQUIRE(areas.size() == 2);
    // Far words above the first, kept words below the second.
    const double height = areas[1].corners()[2].y - areas[0].corners()[2].y;
    for (const auto& [area, shares] :
         {std::pair{0U, std::array{0.7, 0.95}}, {1U, std::array{0.6, 0.9}}}) {
        const auto corners = areas[area].corners();
        REQUIRE(corners.size() == 4);
        for (const std::size_t end : {0U, 1U}) {
            CHECK((areas[1].corners()[2].y - corners[end].y) / height ==
                  Approx(shares.at(end)).margin(kPixel / height));
            CHECK(epsilonAt(svg, corners[end].x) == Approx(end == 0 ? 1.0 : 10.0).epsilon(1e-3));
        }
    }
    // Patterns: squares in the upper one, stripes that both leave free between them.
    const auto line = areas[0].corners();
    const auto squares = beginsOf(svg, report::kFarInk);
    CHECK(squares.size() > 100);
    for (const PlotPoint& point : squares) {
        constexpr double kRounding = 0.2;  // of patterns, one decimal
        CHECK(point.y <
              line[0].y +
                  (line[1].y - line[0].y) * (point.x - line[0].x) / (line[1].x - line[0].x) +
                  kRounding);
    }
    CHECK(svg.find(report::kNearInk) < svg.find("<polygon"));
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
        auto borders = test::elementsOf(figure.svg, "line");
        std::erase_if(borders, [](const auto& line) { return !line.has("stroke", "#B3261E"); });
        REQUIRE(borders.size() == 1);
        CHECK(epsilonAt(figure.svg, borders[0].number("x1")) ==
              Approx(std::sqrt(10.0)).epsilon(1e-3));
        REQUIRE_FALSE(hatched().empty());
        for (const PlotPoint& stroke : hatched()) {
            CHECK((epsilonAt(figure.svg, stroke.x) > std::sqrt(10.0) * 0.999) == isHigh);
        }
        CHECK(says(figure.svg, "outside the limits"));
        CHECK_THAT(figure.svg, Catch::Matchers::Contains("Hatched: outside the limits."));
    }
}
