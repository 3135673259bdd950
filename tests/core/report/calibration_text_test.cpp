#include "core/report/calibration_text.h"

#include <string>
#include <utility>

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "core/document/calibration_document.h"
#include "tests/core/report/example_calibration.h"
#include "tests/core/report/example_report.h"
#include "tests/core/report/report_text.h"

using namespace epsilens;
using Catch::Matchers::Contains;

TEST_CASE("A calibration as text and as JSON is as approved, whatever was measured") {
    calibration::CalibrationSummary all = test::exampleMahalanobis();
    all.independentDraws = true;
    all.draws = 100;
    for (calibration::Cell& cell : all.cells) {
        cell.kw = cell.nw;
        cell.deniability = calibration::Deniability{2.5, cell.hartleyEntropy, 17, 0.875};
        cell.worst = calibration::WorstWords{10'000, {{3, "bee", 3.0, 2'512}}};
    }
    all.cells[0].nw.min = 0.0;
    for (const auto& [name, summary] :
         {std::pair("", test::exampleMahalanobis()), std::pair("_of_one", test::exampleLaplace()),
          std::pair("_exact", test::exampleTem()), std::pair("_compared", all)}) {
        const calibration::Run run = test::exampleRun(summary);
        test::checkApproved(fmt::format("calibration{}.txt", name), report::calibrationText(run));
        test::checkApproved(fmt::format("calibration{}.json", name),
                            document::calibrationJson(run));
    }
    // The rule of three: 1 - 0.05^(1/100) is 2.95%.
    CHECK_THAT(
        report::calibrationText(test::exampleRun(all)),
        Contains("A word kept in none of its 100 draws is kept with probability ≤ 3% (95%)"));
}

TEST_CASE("A partial calibration says so in its first line") {
    calibration::CalibrationSummary summary = test::exampleMahalanobis();
    summary.partial = true;
    summary.words = 312;
    summary.wordsAsked = 500;
    const std::string text = report::calibrationText(test::exampleRun(summary));
    CHECK(text.starts_with("PARTIAL: "));
    CHECK_THAT(text, Contains("312 of 500 words, the calibration was interrupted"));
}

TEST_CASE(
    "A radius that was given follows from no beta, and λ are compared where there are several") {
    calibration::CalibrationSummary given = test::exampleTem();
    given.grid.betas.clear();
    for (calibration::Cell& cell : given.cells) {
        cell.beta.reset();
    }
    given.grid.gammas = {20, 5};
    CHECK_THAT(report::calibrationText(test::exampleRun(given)), !Contains("β"));
    given.grid.mechanism = mechanism::Tem{mechanism::Metric::mahalanobis};
    given.grid.lambdas = {0, 1};
    CHECK_THAT(report::calibrationText(test::exampleRun(given)),
               Contains("does not mean an equal Euclidean guarantee") && !Contains("noise power"));
}
