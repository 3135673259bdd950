#include "core/report/calibration_csv.h"

#include <algorithm>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "tests/core/report/example_calibration.h"

// Expected values are those filled in by hand in example_calibration.cpp.

using namespace epsilens;
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

/// A line of a table without quoted fields, by the names of its columns.
std::map<std::string, std::string> named(const std::string& header, const std::string& line) {
    const Lines names = split(header, ',');
    Lines values = split(line, ',');
    values.resize(std::max(values.size(), names.size()));
    std::map<std::string, std::string> fields;
    for (std::size_t i = 0; i < names.size(); ++i) {
        fields[names[i]] = values[i];
    }
    return fields;
}

}  // namespace

TEST_CASE("A calibration table has a line per setting and a field per column") {
    const Lines lines = split(report::calibrationCsv(test::exampleMahalanobis()), '\n');
    REQUIRE(lines.size() == 5);
    for (const std::string& line : lines) {
        CHECK(std::count(line.begin(), line.end(), ',') ==
              std::count(lines[0].begin(), lines[0].end(), ','));
    }
    auto fields = named(lines[0], lines[2]);  // lambda 0.5, epsilon 10
    CHECK(fields["epsilon"] == "10");
    CHECK(fields["lambda"] == "0.5");
    CHECK(fields["gamma"].empty());
    CHECK(fields["bound"] == "10");
    CHECK(fields["nw.mean"] == "2000");
    CHECK(fields["nw.ci95High"] == "2004");
    CHECK(fields["sw.p95"] == "2111");
    CHECK(fields["hartleyEntropy.max"] == "2413");
    CHECK(fields["kept"] == "0.1");
    CHECK(fields["coverage"] == "0.75");
    CHECK(fields["partial"] == "false");
    CHECK(fields["exact"] == "false");
    CHECK(fields["relativeError"].empty());
    fields = named(lines[0], lines[4]);
    CHECK(fields["lambda"] == "1");
    CHECK(fields["nw.mean"] == "4000");
}

// The example counts: each statistic from a number of its own on, its aggregates by ones.
TEST_CASE("Every column of a calibration table holds what it is called") {
    const Lines lines = split(report::calibrationCsv(test::exampleMahalanobis()), '\n');
    auto fields = named(lines[0], lines[2]);  // the second cell counts from 2000
    const Lines aggregates{"mean", "sd",  "sdTrue", "ci95Low", "ci95High", "min", "p1",
                           "p5",   "p25", "p50",    "p75",     "p95",      "p99", "max"};
    int first = 2000;
    for (const char* statistic : {"nw", "sw", "minEntropy", "shannonEntropy", "hartleyEntropy"}) {
        for (std::size_t i = 0; i < aggregates.size(); ++i) {
            const std::string column = std::string(statistic) + "." + aggregates[i];
            const bool isOfInterval = i >= 2 && i <= 4;
            const bool isThere = !isOfInterval || first < 2200;
            CAPTURE(column);
            REQUIRE(fields.count(column) == 1);
            CHECK(fields[column] ==
                  (isThere ? std::to_string(first + static_cast<int>(i)) : std::string()));
        }
        first += 100;
    }
    const std::map<std::string, std::string> single{{"mechanism", "mahalanobis"},
                                                    {"metric", "regularized Mahalanobis"},
                                                    {"beta", ""},
                                                    {"cap", ""},
                                                    {"kept", "0.1"},
                                                    {"near", "0.2"},
                                                    {"far", "0.7"},
                                                    {"meanDistance", "3.25"},
                                                    {"meanCosine", "0.625"},
                                                    {"coverage", "0.75"},
                                                    {"words", "3"},
                                                    {"draws", "4"},
                                                    {"seed", "9007199254740993"},
                                                    {"independentDraws", "false"}};
    for (const auto& [column, value] : single) {
        CAPTURE(column);
        REQUIRE(fields.count(column) == 1);
        CHECK(fields[column] == value);
    }
}

TEST_CASE("A calibration table has the comparisons between words") {
    calibration::CalibrationSummary summary = test::exampleMahalanobis();
    summary.independentDraws = true;
    calibration::Cell& cell = summary.cells[0];
    cell.kw = cell.nw;
    cell.deniability = calibration::Deniability{2.5, cell.sw, 17, 0.875};
    summary.cells[1].worst = calibration::WorstWords{10'000, {{3, "b", 4.0, 2'500}}};
    const Lines lines = split(report::calibrationCsv(summary), '\n');
    auto fields = named(lines[0], lines[1]);
    CHECK(fields["kw.p5"] == "1007");
    CHECK(fields["deniability.max"] == "1113");
    CHECK(fields["deniability.odds"] == "2.5");
    CHECK(fields["deniability.words"] == "17");
    CHECK(fields["deniability.share"] == "0.875");
    CHECK(fields["independentDraws"] == "true");
    CHECK(fields["worst.draws"].empty());
    fields = named(lines[0], lines[2]);
    CHECK(fields["kw.p5"].empty());
    CHECK(fields["deniability.odds"].empty());
    CHECK(fields["worst.draws"] == "10000");
    CHECK(fields["worst.largestShare"] == "0.25");
}

TEST_CASE("A calibration table leaves fields empty where nothing exists") {
    calibration::CalibrationSummary summary = test::exampleLaplace();
    summary.partial = true;
    const Lines lines = split(report::calibrationCsv(summary), '\n');
    REQUIRE(lines.size() == 2);
    auto fields = named(lines[0], lines[1]);
    CHECK(fields["lambda"].empty());
    CHECK(fields["nw.sdTrue"].empty());
    CHECK(fields["nw.ci95Low"].empty());
    CHECK(fields["meanCosine"].empty());
    CHECK(fields["partial"] == "true");
}

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

TEST_CASE("Tables of an exact calibration have gamma, beta and real numbers") {
    const Lines lines = split(report::calibrationCsv(test::exampleTem()), '\n');
    REQUIRE(lines.size() == 5);
    auto fields = named(lines[0], lines[4]);  // beta 0.25, epsilon 8
    CHECK(fields["mechanism"] == "tem");
    CHECK(fields["lambda"].empty());
    CHECK(fields["gamma"] == "5");
    CHECK(fields["beta"] == "0.25");
    CHECK(fields["cap"] == "40");
    CHECK(fields["metric"] == "angular");
    CHECK(fields["coverage"].empty());
    CHECK(fields["exact"] == "true");
    CHECK(fields["relativeError"] == "0.00025");
    // One critical epsilon per beta, none where it is infinite.
    CHECK(split(report::perWordCsv(test::exampleTem(), test::exampleVocabulary()), '\n') ==
          Lines{"word,row,epsilon,lambda,gamma,nw,sw,criticalEpsilonMedian",
                "plain,0,2,,20,0.5,3.5,1.5", "plain,0,8,,5,1.25,3,1.5", "plain,0,2,,20,2,2,2.5",
                "plain,0,8,,5,3,1.5,2.5", "слово,3,2,,20,4,1,0", "слово,3,8,,5,0.0625,4,0",
                "слово,3,2,,20,1,3,", "слово,3,8,,5,2,2,"});
}
