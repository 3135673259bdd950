#include "core/training/ball_points.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include <catch2/catch.hpp>

#include "core/base/random_stream.h"
#include "tests/support/brute_force.h"
#include "tests/support/statistical.h"

using namespace epsilens;
using namespace epsilens::training;

namespace {

using Points = std::vector<test::LongVector>;

/// The loss by its definition; point 0 is the child, 1 the parent, the others are negatives.
long double loss(const Points& points) {
    long double sum = 0;
    for (std::size_t i = 1; i < points.size(); ++i) {
        sum += std::exp(-test::textbookDistance(points[0], points[i]));
    }
    return test::textbookDistance(points[0], points[1]) + std::log(sum);
}

long double gapOf(const test::LongVector& point) {
    return 1 - point.squaredNorm();
}

/// Derivative of the loss by one coordinate, from central differences over a small part of the way
/// to the edge and to the other points.
long double slope(Points points, std::size_t index, Eigen::Index coordinate) {
    long double scale = gapOf(points[index]);
    for (std::size_t other = 0; other < points.size(); ++other) {
        scale = other == index ? scale : std::min(scale, (points[other] - points[index]).norm());
    }
    const long double step = 1e-4L * scale;
    points[index][coordinate] += step;
    const long double above = loss(points);
    points[index][coordinate] -= 2 * step;
    return (above - loss(points)) / (2 * step);
}

/// Points of given norms in random directions; float64, as what the step starts from.
Points pointsOf(const std::vector<double>& norms, Eigen::Index dimensions, std::uint64_t seed) {
    SeededStream stream({seed, StreamPurpose::wordSelection, 0, 0});
    Points points;
    for (const double norm : norms) {
        const VectorD point = VectorD::NullaryExpr(dimensions, [&] { return stream.normal(); });
        points.push_back((point * (norm / point.norm())).eval().cast<long double>());
    }
    return points;
}

BallPoints ballOf(const Points& points) {
    BallPoints ball(static_cast<Row>(points.size()), points[0].size());
    for (std::size_t i = 0; i < points.size(); ++i) {
        ball.set(static_cast<Row>(i), points[i].cast<double>().transpose());
    }
    return ball;
}

std::vector<Row> targetsOf(const Points& points) {
    std::vector<Row> targets(points.size() - 1);
    std::iota(targets.begin(), targets.end(), Row{1});
    return targets;
}

}  // namespace

TEST_CASE("Points begin at the origin and keep what is set") {
    const Eigen::Index dimensions = GENERATE(1, 3, 4, 5, 50);
    BallPoints points(3, dimensions);
    CHECK(points.matrix().isZero());
    Eigen::RowVectorXd point = Eigen::RowVectorXd::LinSpaced(dimensions, 0.1, 0.2);
    point *= 0.9 / point.norm();
    points.set(1, point);
    CHECK(points.matrix().row(1) == point);
    CHECK(points.matrix().row(0).isZero());
    CHECK(points.matrix().row(2).isZero());
    // 1 - 0.9^2, at the place the header names.
    CHECK(points.row(1)[points.width()] == Approx(0.19).epsilon(1e-14));
    CHECK(points.row(2)[points.width()] == 1.0);
    for (auto k = static_cast<std::size_t>(dimensions); k < points.width(); ++k) {
        CHECK(points.row(1)[k] == 0.0);
    }
}

TEST_CASE("Rows begin on cache lines of their own") {
    BallPoints points(5, GENERATE(1, 5, 7, 8, 20));
    for (Row node = 0; node < 5; ++node) {
        CHECK(reinterpret_cast<std::uintptr_t>(points.row(node)) % 64 == 0);
    }
}

TEST_CASE("Points outside are pulled back in their direction") {
    BallPoints points(1, 3);
    const double length = GENERATE(1.0 - 1e-6, 1.0, 1.5, 1e6);
    const Eigen::RowVectorXd direction = Eigen::RowVector3d(2.0, -3.0, 6.0) / 7.0;
    points.set(0, length * direction);
    const Eigen::RowVectorXd point = points.matrix().row(0);
    CHECK(point.norm() == Approx(1.0 - 1e-5).epsilon(1e-14));
    CHECK((point.normalized() - direction).norm() < 1e-14);
    CHECK(points.row(0)[points.width()] == Approx(1.0 - std::pow(1.0 - 1e-5, 2)).epsilon(1e-10));
}

TEST_CASE("The start is uniform on (-0.001, 0.001) and a function of the seed") {
    BallPoints points(4000, 5);
    points.scatter(7);
    const RowMatrixD start = points.matrix();
    const std::vector<double> sample(start.data(), start.data() + start.size());
    const auto law = [](double x) { return (x + 0.001) / 0.002; };
    CHECK(start.cwiseAbs().maxCoeff() < 0.001);
    CHECK(test::ksDistance(sample, law) < test::ksCritical(sample.size(), 1e-6));
    BallPoints again(4000, 5);
    again.scatter(7);
    CHECK(again.matrix() == start);
    again.scatter(8);
    CHECK(again.matrix() != start);
}

TEST_CASE("The step is the Riemannian gradient of the loss, by finite differences") {
    // Long steps near the middle, short ones near the edge; all stay inside, where a step is
    // linear in the rate. The tolerance allows for the differences, and for rounding a coordinate
    // near 1 to float64 when the gradient is multiplied by gap^2 / 4.
    const Eigen::Index dimensions = GENERATE(1, 2, 5, 10);
    const std::vector<double> norms = GENERATE(
        std::vector<double>{0.0005, 0.0007, 0.0002, 0.0009},
        std::vector<double>{0.3, 0.1, 0.8, 0.5, 0.0},
        std::vector<double>{0.99, 0.9, 0.999, 0.5, 0.95, 0.2}, std::vector<double>{0.4, 0.995});
    constexpr double kRate = 0.02;
    const Points points = pointsOf(norms, dimensions, static_cast<std::uint64_t>(11 + dimensions));
    BallPoints ball = ballOf(points);
    const double value = RelationStep(ball).run(0, targetsOf(points), kRate);
    CHECK(value == Approx(static_cast<double>(loss(points))).epsilon(1e-12).margin(1e-14));
    const RowMatrixD moved = ball.matrix();
    for (std::size_t i = 0; i < points.size(); ++i) {
        const long double gap = gapOf(points[i]);
        for (Eigen::Index k = 0; k < dimensions; ++k) {
            const long double change = moved(static_cast<Eigen::Index>(i), k) - points[i][k];
            const long double expected = -kRate * gap * gap / 4 * slope(points, i, k);
            CAPTURE(dimensions, norms, i, k);
            CHECK(static_cast<double>(change) ==
                  Approx(static_cast<double>(expected)).epsilon(1e-6).margin(1e-15));
        }
    }
}

TEST_CASE("Without negatives the loss is 0 and nothing moves") {
    const Points points = pointsOf({0.5, 0.9}, 3, 5);
    BallPoints ball = ballOf(points);
    const RowMatrixD before = ball.matrix();
    CHECK(RelationStep(ball).run(0, targetsOf(points), 1.0) == 0.0);
    CHECK((ball.matrix() - before).cwiseAbs().maxCoeff() <= 1e-16);
}

TEST_CASE("Points that coincide do not pull or push each other") {
    // Child, parent and one negative at the same place, one negative elsewhere: the loss is ln of
    // 1 + 1 + e^-d, only the last negative has a gradient.
    Points points = pointsOf({0.5, 0.5, 0.5, 0.8}, 3, 9);
    points[1] = points[2] = points[0];
    BallPoints ball = ballOf(points);
    const RowMatrixD before = ball.matrix();
    const double value = RelationStep(ball).run(0, targetsOf(points), 0.1);
    const auto expected =
        static_cast<double>(std::log(2 + std::exp(-test::textbookDistance(points[0], points[3]))));
    CHECK(value == Approx(expected).epsilon(1e-13));
    const RowMatrixD after = ball.matrix();
    CHECK(after.row(1) == before.row(1));
    CHECK(after.row(2) == before.row(2));
    CHECK(after.row(3) != before.row(3));
    CHECK(after.allFinite());
}

TEST_CASE("Points that nearly coincide move by no more than the step allows") {
    // The gradient of a distance has hyperbolic length 1 (Euclidean gap / 2), however near.
    for (const double apart : {1e-300, 1e-160, 1e-100, 1e-20, 1e-16, 1e-12, 1e-8}) {
        BallPoints ball(3, 2);
        ball.set(1, Eigen::RowVector2d(apart, 0.0));
        ball.set(2, Eigen::RowVector2d(0.0, 0.5));
        RelationStep(ball).run(0, std::vector<Row>{1, 2}, 0.1);
        const RowMatrixD after = ball.matrix();
        CAPTURE(apart, after);
        CHECK(after.allFinite());
        CHECK(after.rowwise().norm().head(2).maxCoeff() <= 0.1);
    }
}

TEST_CASE("No step leaves the ball") {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        const Points points =
            pointsOf({1.0 - 1e-5, 1.0 - 1e-5, 0.99998, 0.99, 0.5, 0.0}, 3, 100 + seed);
        BallPoints ball = ballOf(points);
        RelationStep step(ball);
        for (int i = 0; i < 20; ++i) {
            CHECK(std::isfinite(step.run(0, targetsOf(points), 10.0)));
            REQUIRE(ball.matrix().rowwise().norm().maxCoeff() <=
                    BallPoints::kLargestNorm * (1 + 1e-15));
        }
    }
}
