#include "core/report/calibration_text.h"

#include <string>

#include <catch2/catch.hpp>

#include "tests/core/report/example_calibration.h"
#include "tests/core/report/example_report.h"

using namespace epsilens;
using Catch::Matchers::Contains;

TEST_CASE("The text of a calibration names the run, the statistics and the guarantee") {
    calibration::CalibrationSummary summary = test::exampleMahalanobis();
    summary.cells[0].nw.mean = 41.5;
    summary.cells[0].nw.ci95 = {40.25, 42.75};
    summary.cells[0].coverage = 0.95;
    const std::string text = report::calibrationText(test::exampleRun(summary));
    CHECK_THAT(text, Contains("vectors.txt.gz: 12,345 words × 300 dimensions, glove-text\n"));
    CHECK_THAT(text, Contains("3 words, R = 4 sampled draws each"));
    // The interval is 2.5 wide, so that no decimal of the mean is certain.
    CHECK_THAT(text, Contains("1   0.5         42"));
    CHECK_THAT(text, Contains("40.25 to 42.75"));
    CHECK_THAT(text, Contains("ε·‖·‖_RM"));
    CHECK_THAT(text, Contains("The lower factor is no guarantee"));
    CHECK_THAT(text, Contains("Equal ε across λ means equal noise power"));
    CHECK_THAT(text, Contains("log2 R = 2.00"));
    CHECK_THAT(text, !Contains("PARTIAL"));
}

TEST_CASE("The text compares words only where they were compared") {
    calibration::CalibrationSummary summary = test::exampleMahalanobis();
    CHECK_THAT(report::calibrationText(test::exampleRun(summary)), !Contains("K_w"));
    summary.independentDraws = true;
    for (calibration::Cell& cell : summary.cells) {
        cell.kw = cell.nw;
    }
    summary.cells[0].kw->mean = 3.25;
    std::string text = report::calibrationText(test::exampleRun(summary));
    CHECK_THAT(text, Contains("words that share an output of w") && Contains("3.25") &&
                         !Contains("deniability"));
    summary.cells[0].deniability =
        calibration::Deniability{2.5, summary.cells[0].hartleyEntropy, 17, 0.875};
    text = report::calibrationText(test::exampleRun(summary));
    CHECK_THAT(text, Contains("at most 2.5 (deniability)") && Contains("17") && Contains("87.5%"));
}

TEST_CASE("The text lists words that were counted again, and what a count of zero says") {
    calibration::CalibrationSummary summary = test::exampleMahalanobis();
    CHECK_THAT(report::calibrationText(test::exampleRun(summary)),
               !Contains("ounted again") && !Contains("kept in none of"));
    for (calibration::Cell& cell : summary.cells) {
        cell.worst = calibration::WorstWords{10'000, {{3, "bee", 3.0, 2'512}}};
    }
    summary.draws = 100;
    summary.cells[0].nw.min = 0.0;
    const std::string text = report::calibrationText(test::exampleRun(summary));
    CHECK_THAT(text, Contains("Counted again with 10,000 fresh draws"));
    CHECK_THAT(text, Contains("bee     3    3                     2512"));
    // The rule of three: 1 - 0.05^(1/100) is 2.95%.
    CHECK_THAT(
        text, Contains("A word kept in none of its 100 draws is kept with probability ≤ 3% (95%)"));
}

TEST_CASE("A partial calibration says so in its first line") {
    calibration::CalibrationSummary summary = test::exampleMahalanobis();
    summary.partial = true;
    summary.words = 312;
    summary.wordsAsked = 500;
    CHECK(report::calibrationText(test::exampleRun(summary)).rfind("PARTIAL: ", 0) == 0);
    CHECK_THAT(report::calibrationText(test::exampleRun(summary)),
               Contains("312 of 500 words, the calibration was interrupted"));
}

TEST_CASE("Entropies are called lower bounds while draws have seen too little") {
    // Below a Good-Turing coverage of 0.9.
    calibration::CalibrationSummary summary = test::exampleLaplace();
    summary.cells[0].coverage = 0.89;
    CHECK_THAT(report::calibrationText(test::exampleRun(summary)), Contains("lower bound"));
    summary.cells[0].coverage = 0.9;
    CHECK_THAT(report::calibrationText(test::exampleRun(summary)), !Contains("lower bound"));
}

TEST_CASE("A mechanism without lambda compares none") {
    const std::string text = report::calibrationText(test::exampleRun(test::exampleLaplace()));
    CHECK_THAT(text, !Contains("Equal ε across λ"));
    CHECK_THAT(text, !Contains("The lower factor is no guarantee"));
}

TEST_CASE("The text of an exact calibration says so, and how exact it is") {
    const std::string text = report::calibrationText(test::exampleRun(test::exampleTem()));
    CHECK_THAT(text, Contains("2 words, expectations out of R = 4 draws computed exactly") &&
                         Contains("seed 7"));
    CHECK_THAT(text, Contains("not sampled; rounding changes them by at most 0.03%"));
    CHECK_THAT(text, Contains("e^(bound · d(w, w')), and by at most e^cap where there is a cap"));
    CHECK_THAT(text, Contains("ε·min(∠, γ)"));
    CHECK_THAT(text, Contains("with probability 1 − β or more"));
    for (const char* sampled : {"lower bound", "coverage", "λ", "log2 R"}) {
        CAPTURE(sampled);
        CHECK_THAT(text, !Contains(sampled));
    }
    calibration::CalibrationSummary given = test::exampleTem();
    given.grid.betas.clear();
    for (calibration::Cell& cell : given.cells) {
        cell.beta.reset();
    }
    given.grid.gammas = {20, 5};
    CHECK_THAT(report::calibrationText(test::exampleRun(given)), !Contains("β"));
    given.grid.mechanism = mechanism::Tem{mechanism::Metric::mahalanobis};
    given.grid.lambdas = {0, 1};
    const std::string overLambda = report::calibrationText(test::exampleRun(given));
    CHECK_THAT(overLambda, Contains("λ"));
    CHECK_THAT(overLambda, Contains("does not mean an equal Euclidean guarantee"));
    CHECK_THAT(overLambda, !Contains("noise power"));
}
