#include "core/training/ball_points.h"

#include <cmath>
#include <cstdint>
#include <vector>

#include <catch2/catch.hpp>

#include "tests/support/statistical.h"

using namespace epsilens;
using namespace epsilens::training;

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
