#include "core/evaluation/scores.h"

#include <cmath>
#include <vector>

#include <catch2/catch.hpp>

using namespace epsilens;
using namespace epsilens::evaluation;
using Catch::Matchers::WithinAbs;

TEST_CASE("Scores of two classes, counted by hand") {
    // Predicted 1, 1, 0, 0, 1 for the labels 1, 0, 0, 1, 1: TP 2, FP 1, FN 1, TN 1.
    RowMatrixD probabilities(5, 2);
    probabilities << 0.1, 0.9, 0.4, 0.6, 0.7, 0.3, 0.8, 0.2, 0.5 - 1e-9, 0.5 + 1e-9;
    const std::vector<std::int32_t> labels{1, 0, 0, 1, 1};
    const Scores scores = scoresOf(probabilities, labels, 1);
    CHECK_THAT(scores[0], WithinAbs(0.6, 1e-12));
    // F1 of class 0: 2/4, of class 1: 4/6.
    CHECK_THAT(scores[1], WithinAbs((0.5 + 2.0 / 3.0) / 2.0, 1e-12));
    CHECK_THAT(scores[2], WithinAbs(2.0 / 3.0, 1e-12));
    CHECK_THAT(scores[3], WithinAbs(2.0 / 3.0, 1e-12));
    // Pairs of a positive and another: 0.9, 0.2, 0.5 against 0.6, 0.3: 2 + 0 + 1 of 6.
    CHECK_THAT(scores[4], WithinAbs(0.5, 1e-12));
    CHECK(std::isnan(scoresOf(probabilities, labels, std::nullopt)[2]));
}

TEST_CASE("Classes that neither occur nor are predicted do not count in macro F1") {
    RowMatrixD probabilities = RowMatrixD::Zero(2, 4);
    probabilities(0, 2) = 1.0;
    probabilities(1, 0) = 1.0;
    CHECK(scoresOf(probabilities, std::vector<std::int32_t>{2, 0}, std::nullopt)[1] == 1.0);
}
