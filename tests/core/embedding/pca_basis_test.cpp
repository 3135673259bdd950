#include "core/embedding/pca_basis.h"

#include <cmath>

#include <catch2/catch.hpp>

#include "tests/support/toy_embedding.h"

using namespace epsilens;
using namespace epsilens::embedding;

TEST_CASE("The basis diagonalises the sample covariance") {
    const RowMatrixF vectors = test::anisotropicVectors(3000, 6, 81);
    const PcaBasis basis = pcaBasis(vectors, 2).value();
    const RowMatrixD rows = vectors.cast<double>();
    const RowMatrixD centred = rows.rowwise() - rows.colwise().mean();
    const RowMatrixD covariance = centred.transpose() * centred / 2999.0;
    CHECK(basis.totalVariance == Approx(covariance.trace()).epsilon(1e-12));
    const RowMatrixD rebuilt = basis.axes * basis.spectrum.asDiagonal() * basis.axes.transpose() *
                               (basis.totalVariance / 6.0);
    CHECK((rebuilt - covariance).cwiseAbs().maxCoeff() < 1e-12);
    CHECK((basis.axes.transpose() * basis.axes - RowMatrixD::Identity(6, 6)).cwiseAbs().maxCoeff() <
          1e-12);
    CHECK(basis.spectrum.sum() == Approx(6.0).epsilon(1e-12));
    for (Eigen::Index k = 0; k + 1 < 6; ++k) {
        CHECK(basis.spectrum[k] >= basis.spectrum[k + 1]);
    }
    CHECK(basis.rank() == 6);
    double shares = 0.0;
    for (Eigen::Index k = 0; k < 6; ++k) {
        shares += basis.varianceShare(k);
    }
    CHECK(shares == Approx(1.0).epsilon(1e-12));
}

TEST_CASE("The basis does not depend on threads") {
    const RowMatrixF vectors = test::anisotropicVectors(1000, 5, 82);
    const PcaBasis one = pcaBasis(vectors, 1).value();
    const PcaBasis many = pcaBasis(vectors, 3).value();
    CHECK(one.axes == many.axes);
    CHECK(one.spectrum == many.spectrum);
}

TEST_CASE("Rank counts the directions the words span") {
    CHECK(pcaBasis(test::anisotropicVectors(5, 8, 83)).value().rank() == 4);
    CHECK(pcaBasis(RowMatrixF::Constant(7, 3, 2.0F)).value().rank() == 0);
    CHECK(pcaBasis(RowMatrixF::Constant(1, 3, 2.0F)).value().totalVariance == 0.0);
}

TEST_CASE("Coordinates on the axes are centred and have the axes' variances") {
    const RowMatrixF vectors = test::anisotropicVectors(500, 4, 84);
    const PcaBasis basis = pcaBasis(vectors).value();
    const RowMatrixD points = principalCoordinates(basis, vectors).cast<double>();
    // Rounded to float32.
    CHECK(points.colwise().mean().cwiseAbs().maxCoeff() < 1e-6);
    for (Eigen::Index axis = 0; axis < 4; ++axis) {
        CHECK(points.col(axis).squaredNorm() / 499.0 ==
              Approx(basis.spectrum[axis] * basis.totalVariance / 4.0).epsilon(1e-5));
    }
}
