#include "core/evaluation/scores.h"

#include <cmath>
#include <vector>

#include <catch2/catch.hpp>

#include "core/base/random_stream.h"

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

TEST_CASE("The area under the curve is the share of pairs in order") {
    SeededStream stream({3, StreamPurpose::wordSelection, 0, 0});
    std::vector<double> scores;
    std::vector<bool> positive;
    for (int i = 0; i < 60; ++i) {
        scores.push_back(static_cast<double>(stream.below(20)));  // with ties
        positive.push_back(stream.below(3) == 0);
    }
    double ordered = 0.0;
    double pairs = 0.0;
    for (std::size_t i = 0; i < scores.size(); ++i) {
        for (std::size_t j = 0; j < scores.size(); ++j) {
            if (positive[i] && !positive[j]) {
                pairs += 1.0;
                ordered += scores[i] > scores[j] ? 1.0 : scores[i] == scores[j] ? 0.5 : 0.0;
            }
        }
    }
    CHECK_THAT(areaUnderCurve(scores, positive), WithinAbs(ordered / pairs, 1e-12));
    CHECK(std::isnan(areaUnderCurve(scores, std::vector<bool>(scores.size(), true))));
}
