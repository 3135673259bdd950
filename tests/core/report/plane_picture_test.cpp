#include "core/calibration/plane_picture.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "core/calibration/calibrate.h"
#include "core/mechanism/noise_contour.h"
#include "core/report/report_parts.h"
#include "tests/core/report/drawn_elements.h"
#include "tests/support/toy_embedding.h"

// Expected places follow from the vectors themselves; expected outlines from the formulas of the
// noise. Coordinates of a picture have six significant digits.

using namespace epsilens;
using calibration::PlanePicture;
using nlohmann::ordered_json;
using plane::PlanePoint;

namespace {

constexpr double kDigits = 2e-5;  ///< relative, of a difference of rounded coordinates

struct Run {
    engine::SearchSpaceHandle space;
    calibration::CalibrationOptions options;
    calibration::CalibrationSummary summary;
};

Run runOn(RowMatrixF vectors, calibration::CalibrationOptions options) {
    auto space =
        std::make_shared<const engine::SearchSpace>(test::toyEmbedding(std::move(vectors)));
    options.words.count = 10;
    options.draws = 5;
    auto summary = calibration::calibrate(*space, options);
    REQUIRE(summary);
    return {std::move(space), std::move(options), std::move(*summary)};
}

Run mahalanobisRun() {
    calibration::CalibrationOptions options;
    options.grid.mechanism = mechanism::Mahalanobis{};
    options.grid.epsilons = {2, 8};
    options.grid.lambdas = {0, 0.75};
    return runOn(test::anisotropicVectors(60, 5, 7), options);
}

Run temRun() {
    calibration::CalibrationOptions options;
    options.grid.mechanism = mechanism::Tem{metric::Metric::mahalanobis};
    options.grid.epsilons = {1e-6, 1e6};
    options.grid.lambdas = {0.25, 1};
    options.grid.gammas = {1.5};
    return runOn(test::anisotropicVectors(60, 5, 7), options);
}

Run hyperbolicRun(Eigen::Index dimensions) {
    calibration::CalibrationOptions options;
    options.grid.mechanism = mechanism::Hyperbolic{};
    options.grid.epsilons = {6, 40};
    return runOn(test::poincareVectors(60, dimensions, 0.9, 3), options);
}

PlanePicture pictureOf(const Run& run) {
    auto picture = calibration::planePicture(*run.space, run.summary);
    INFO((picture ? "" : picture.error().message));
    REQUIRE(picture);
    REQUIRE(picture->has_value());
    REQUIRE((**picture).settings.size() == run.summary.cells.size());
    return std::move(**picture);
}

double variance(const std::vector<double>& values) {
    double mean = 0.0;
    for (const double value : values) {
        mean += value / static_cast<double>(values.size());
    }
    double sum = 0.0;
    for (const double value : values) {
        sum += (value - mean) * (value - mean);
    }
    return sum / static_cast<double>(values.size() - 1);
}

bool isNear(const PlanePoint& a, const PlanePoint& b, double tolerance) {
    return std::abs(a.x - b.x) <= tolerance && std::abs(a.y - b.y) <= tolerance;
}

/// How wide the outlines with or without dashes are drawn.
std::vector<double> widths(const std::string& svg, bool dashed) {
    std::vector<double> found;
    for (const test::DrawnElement& line : test::elementsOf(svg, "polyline")) {
        if (line.attributes.contains("stroke-dasharray") != dashed) {
            continue;
        }
        const auto corners = line.corners();
        const auto [left, right] = std::minmax_element(
            corners.begin(), corners.end(),
            [](const report::PlotPoint& a, const report::PlotPoint& b) { return a.x < b.x; });
        found.push_back(right->x - left->x);
    }
    return found;
}

document::Report reportOf(const Run& run, PlanePicture picture, std::size_t cell) {
    document::Report report;
    report.run.provenance = calibration::provenanceOf(run.space->embedding());
    report.run.plane = std::move(picture);
    report.run.summary = std::make_shared<const calibration::CalibrationSummary>(run.summary);
    const calibration::Cell& chosen = run.summary.cells[cell];
    report.settings.choice = calibration::Choice{chosen.epsilon, chosen.lambda, chosen.gamma};
    return report;
}

}  // namespace

TEST_CASE("Words of the picture lie where the principal axes place them") {
    const Run run = mahalanobisRun();
    const PlanePicture picture = pictureOf(run);
    CHECK_FALSE(picture.isDisk);
    CHECK(picture.vocabulary == 60);
    REQUIRE(picture.words.size() == 60);  // all of them, by rising row
    const auto& vectors = run.space->embedding().vectors();
    double total = 0.0;
    for (Eigen::Index k = 0; k < vectors.cols(); ++k) {
        std::vector<double> column;
        for (Eigen::Index row = 0; row < vectors.rows(); ++row) {
            column.push_back(vectors(row, k));
        }
        total += variance(column);
    }
    std::vector<double> x;
    std::vector<double> y;
    for (const PlanePoint& point : picture.words) {
        x.push_back(point.x);
        y.push_back(point.y);
    }
    CHECK(variance(x) == Approx(picture.shares[0] * total).epsilon(1e-4));
    CHECK(variance(y) == Approx(picture.shares[1] * total).epsilon(1e-4));
    CHECK(picture.shares[0] >= picture.shares[1]);
    CHECK(picture.word == run.space->embedding().vocabulary().word(0));
    CHECK(isNear(picture.place, picture.words[0], 1e-9));
}

TEST_CASE("Outlines of elliptical noise have the semi-axes of the formula") {
    const Run run = mahalanobisRun();
    const PlanePicture picture = pictureOf(run);
    const double rho[] = {*mechanism::planeRadius(0.50, 5), *mechanism::planeRadius(0.95, 5)};
    for (std::size_t i = 0; i < picture.settings.size(); ++i) {
        const calibration::Cell& cell = run.summary.cells[i];
        const PlanePicture::Setting& setting = picture.settings[i];
        REQUIRE(setting.contours.size() == 2);
        REQUIRE(setting.spherical.size() == 2);
        CHECK(setting.draws.size() == 100);
        for (std::size_t q = 0; q < 2; ++q) {
            // xi of an axis: its share of the variance times m.
            const double xi = 5.0 * picture.shares[0];
            CHECK(setting.spherical[q].semiAxisX == Approx(rho[q] / cell.epsilon).epsilon(kDigits));
            CHECK(setting.contours[q].semiAxisX ==
                  Approx(rho[q] / cell.epsilon * std::sqrt(cell.lambda * xi + 1 - cell.lambda))
                      .epsilon(kDigits));
        }
    }
}

TEST_CASE("Outputs of TEM in the picture are words and stay at a large epsilon") {
    const Run run = temRun();
    const PlanePicture picture = pictureOf(run);
    for (std::size_t i = 0; i < picture.settings.size(); ++i) {
        const PlanePicture::Setting& setting = picture.settings[i];
        REQUIRE(setting.draws.size() == 100);
        CHECK(setting.spherical.empty());
        REQUIRE(setting.contours.size() == 1);
        const double lambda = run.summary.cells[i].lambda;
        CHECK(setting.contours[0].semiAxisY ==
              Approx(1.5 * std::sqrt(lambda * 5.0 * picture.shares[1] + 1 - lambda))
                  .epsilon(kDigits));
        std::size_t kept = 0;
        for (const PlanePoint& draw : setting.draws) {
            const PlanePoint place{picture.place.x + draw.x, picture.place.y + draw.y};
            CHECK(std::any_of(picture.words.begin(), picture.words.end(),
                              [&](const PlanePoint& word) { return isNear(place, word, 1e-3); }));
            kept += isNear(draw, {}, 0.0) ? 1 : 0;
        }
        // At 1e6 every other word has weight exp(-5e5 d); at 1e-6 all 60 words are equally likely,
        // and more than 20 of 100 draws keep one of them with probability below 1e-15.
        const bool isLarge = run.summary.cells[i].epsilon > 1;
        CHECK((isLarge ? kept == 100 : kept <= 20));
    }
}

TEST_CASE("Outlines in the Poincaré disk are circles of one hyperbolic radius") {
    const Run run = hyperbolicRun(2);
    const PlanePicture picture = pictureOf(run);
    CHECK(picture.isDisk);
    CHECK(picture.isWhole);
    const auto& vectors = run.space->embedding().vectors();
    for (Eigen::Index row = 0; row < vectors.rows(); ++row) {
        CHECK(isNear(picture.words[static_cast<std::size_t>(row)],
                     {vectors(row, 0), vectors(row, 1)}, 1e-5));
    }
    const auto gap = [](double x, double y) { return 1.0 - x * x - y * y; };
    for (const PlanePicture::Setting& setting : picture.settings) {
        REQUIRE(setting.contours.size() == 2);
        for (const plane::Contour& circle : setting.contours) {
            CHECK(circle.semiAxisX == circle.semiAxisY);
            std::vector<double> radii;
            for (const PlanePoint& point : plane::outline(circle, picture.place, 8)) {
                const double dx = point.x - picture.place.x;
                const double dy = point.y - picture.place.y;
                CHECK(gap(point.x, point.y) > 0.0);
                radii.push_back(std::acosh(
                    1.0 + 2.0 * (dx * dx + dy * dy) /
                              (gap(point.x, point.y) * gap(picture.place.x, picture.place.y))));
            }
            const auto [least, largest] = std::minmax_element(radii.begin(), radii.end());
            CHECK(*largest == Approx(*least).epsilon(5e-3));
        }
        CHECK(setting.contours[1].semiAxisX > setting.contours[0].semiAxisX);
    }
    CHECK_FALSE(pictureOf(hyperbolicRun(4)).isWhole);
}

TEST_CASE("There is no picture of one dimension") {
    calibration::CalibrationOptions options;
    options.grid.epsilons = {2};
    const Run run = runOn(test::anisotropicVectors(20, 1, 7), options);
    const auto picture = calibration::planePicture(*run.space, run.summary);
    REQUIRE(picture);
    CHECK_FALSE(picture->has_value());
}

TEST_CASE("The drawing places words and outlines in proportion") {
    const Run run = mahalanobisRun();
    const PlanePicture picture = pictureOf(run);
    const std::size_t cell = 3;  // epsilon 8 or 2 at lambda 0.75
    const document::Report report = reportOf(run, picture, cell);
    const auto findings = document::findingsOf(report);
    REQUIRE(findings);
    const auto figure = report::planeFigure(report, *findings);
    REQUIRE(figure);
    std::vector<double> x;
    std::vector<double> y;
    for (const test::DrawnElement& circle : test::elementsOf(figure->svg, "circle")) {
        if (circle.has("r", "1.5")) {
            x.push_back(circle.number("cx"));
            y.push_back(circle.number("cy"));
        }
    }
    REQUIRE(x.size() == 61);  // and the one of the legend
    // One unit is as long on both axes, and y grows upwards.
    const double scale = (x[1] - x[0]) / (picture.words[1].x - picture.words[0].x);
    for (std::size_t i = 0; i < 60; ++i) {
        CHECK(x[i] - x[0] == Approx(scale * (picture.words[i].x - picture.words[0].x)).margin(0.2));
        CHECK(y[0] - y[i] == Approx(scale * (picture.words[i].y - picture.words[0].y)).margin(0.2));
    }
    // Solid: this setting; dashed: spherical. Each is named in the legend.
    const PlanePicture::Setting& setting = picture.settings[cell];
    const std::vector<double> solid = widths(figure->svg, false);
    const std::vector<double> dashed = widths(figure->svg, true);
    REQUIRE(solid.size() == 2);
    REQUIRE(dashed.size() == 2);
    for (std::size_t q = 0; q < 2; ++q) {
        CHECK(solid[q] == Approx(2 * scale * setting.contours[q].semiAxisX).margin(0.3));
        CHECK(dashed[q] == Approx(2 * scale * setting.spherical[q].semiAxisX).margin(0.3));
    }
    CHECK(figure->svg.find("95% of the noise") != std::string::npos);
    CHECK(figure->svg.find("spherical, 50%") != std::string::npos);
    CHECK(figure->caption.find("60 of 60 words") != std::string::npos);
    REQUIRE(figure->table.has_value());
    REQUIRE(figure->table->rows.size() == 4);
    CHECK(figure->table->rows[1].back() ==
          fmt::format("{} of 100", plane::countInside(setting.draws, setting.contours[1])));
}
