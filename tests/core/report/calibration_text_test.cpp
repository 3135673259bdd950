#include "core/report/calibration_text.h"

#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "core/document/calibration_document.h"
#include "core/document/json_parts.h"
#include "tests/core/report/example_calibration.h"
#include "tests/core/report/report_text.h"

using namespace epsilens;
using Catch::Matchers::Contains;
using Lines = std::vector<std::string>;

namespace {

Lines split(const std::string& text, char separator) {
    Lines parts;
    std::istringstream stream(text);
    for (std::string part; std::getline(stream, part, separator);) {
        parts.push_back(part);
    }
    return parts;
}

}  // namespace

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
                            document::jsonText(document::calibrationDocument(run)));
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

// Expected values are those filled in by hand in example_calibration.cpp.
TEST_CASE("The table of words has the documented columns, quoted words and lambda-major cells") {
    const Lines lines =
        split(report::perWordCsv(test::exampleMahalanobis(), test::exampleVocabulary()), '\n');
    CHECK(lines == Lines{"word,row,epsilon,lambda,gamma,nw,sw,criticalEpsilonMedian",
                         "plain,0,1,0.5,,0,4,0.1", "plain,0,10,0.5,,1,3,0.1",
                         "plain,0,1,1,,2,2,2.5", "plain,0,10,1,,3,1,2.5", "\"a,b\",1,1,0.5,,4,1,0",
                         "\"a,b\",1,10,0.5,,0,4,0", "\"a,b\",1,1,1,,1,3,", "\"a,b\",1,10,1,,2,2,",
                         "слово,3,1,0.5,,3,1,1e-07", "слово,3,10,0.5,,4,1,1e-07",
                         "слово,3,1,1,,0,4,40", "слово,3,10,1,,1,3,40"});
}

TEST_CASE("The table of words without critical epsilons leaves their column empty") {
    CHECK(report::perWordCsv(test::exampleLaplace(), test::exampleVocabulary()) ==
          "word,row,epsilon,lambda,gamma,nw,sw,criticalEpsilonMedian\n"
          "\"say \"\"hi\"\"\",2,0.1,,,0,1,\n");
}

TEST_CASE("The table of words of an exact calibration has gamma and real numbers") {
    // One critical epsilon per beta, none where it is infinite.
    CHECK(split(report::perWordCsv(test::exampleTem(), test::exampleVocabulary()), '\n') ==
          Lines{"word,row,epsilon,lambda,gamma,nw,sw,criticalEpsilonMedian",
                "plain,0,2,,20,0.5,3.5,1.5", "plain,0,8,,5,1.25,3,1.5", "plain,0,2,,20,2,2,2.5",
                "plain,0,8,,5,3,1.5,2.5", "слово,3,2,,20,4,1,0", "слово,3,8,,5,0.0625,4,0",
                "слово,3,2,,20,1,3,", "слово,3,8,,5,2,2,"});
}
