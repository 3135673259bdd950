#include "core/document/calibration_json.h"

#include <limits>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/core/report/example_calibration.h"

// Key names, their order and the nulls are those of the documented schema epsilens.calibration/1;
// values are the ones filled in by hand in example_calibration.cpp.

using namespace epsilens;
using nlohmann::ordered_json;
using Keys = std::vector<std::string>;

namespace {

Keys keysOf(const ordered_json& object) {
    Keys keys;
    for (const auto& [key, value] : object.items()) {
        keys.push_back(key);
    }
    return keys;
}

ordered_json parsed(const calibration::CalibrationSummary& summary) {
    return ordered_json::parse(document::calibrationJson(test::exampleRun(), summary));
}

}  // namespace

TEST_CASE("A calibration document has the keys of its schema in their order") {
    const ordered_json json = parsed(test::exampleMahalanobis());
    CHECK(keysOf(json) ==
          Keys{"schema", "version", "embedding", "mechanism", "guarantee", "run", "cells"});
    CHECK(json["schema"] == "epsilens.calibration/1");
    CHECK(json["version"] == "9.8.7");
    CHECK(keysOf(json["embedding"]) ==
          Keys{"file", "sha256", "format", "words", "dimensions", "skipped"});
    CHECK(keysOf(json["embedding"]["skipped"]) == Keys{"badLines", "duplicates"});
    CHECK(keysOf(json["mechanism"]) == Keys{"name", "metric", "exact", "noise", "placement"});
    CHECK(keysOf(json["guarantee"][0]) == Keys{"epsilon", "lambda", "gamma", "metric", "bound",
                                               "cap", "statement", "scope", "euclidean"});
    CHECK(keysOf(json["run"]) == Keys{"words", "draws", "seed", "threads", "blockSize", "partial",
                                      "substitutions", "seconds", "peakMemoryMiB", "wordsAsked",
                                      "nearNeighbours", "independentDraws"});
    CHECK(keysOf(json["run"]["seconds"]) == Keys{"load", "prepare", "calibrate"});
    CHECK(keysOf(json["cells"][0]) == Keys{"epsilon", "lambda", "gamma", "beta", "nw", "sw",
                                           "minEntropy", "shannonEntropy", "hartleyEntropy", "kw",
                                           "kwFarther", "deniability", "kept", "near", "far",
                                           "meanDistance", "meanCosine", "coverage"});
    const Keys summaryKeys{"mean", "sd",  "sdTrue", "ci95", "min", "p1", "p5",
                           "p25",  "p50", "p75",    "p95",  "p99", "max"};
    for (const char* statistic : {"nw", "sw", "minEntropy", "shannonEntropy", "hartleyEntropy"}) {
        CAPTURE(statistic);
        CHECK(keysOf(json["cells"][0][statistic]) == summaryKeys);
    }
}

TEST_CASE("A calibration document holds the values of the run") {
    const ordered_json json = parsed(test::exampleMahalanobis());
    CHECK(json["embedding"]["file"] == "vectors.txt.gz");
    CHECK(json["embedding"]["words"] == 12345);
    CHECK(json["embedding"]["skipped"]["badLines"] == 2);
    CHECK(json["embedding"]["skipped"]["duplicates"] == 3);
    CHECK(json["mechanism"]["name"] == "mahalanobis");
    CHECK(json["mechanism"]["metric"] == "regularized Mahalanobis");
    CHECK(json["mechanism"]["exact"] == false);
    CHECK(json["run"]["seed"].get<std::uint64_t>() == 9007199254740993U);
    CHECK(json["run"]["partial"] == false);
    CHECK(json["run"]["seconds"]["calibrate"] == 20.125);
    CHECK(json["run"]["peakMemoryMiB"] == 700);
    REQUIRE(json["cells"].size() == 4);
    REQUIRE(json["guarantee"].size() == 4);
    const ordered_json& cell = json["cells"][1];  // lambda 0.5, epsilon 10
    CHECK(cell["epsilon"] == 10);
    CHECK(cell["lambda"] == 0.5);
    CHECK(cell["nw"]["mean"] == 2000);
    CHECK(cell["nw"]["sdTrue"] == 2002);
    CHECK(cell["nw"]["ci95"] == ordered_json({2003, 2004}));
    CHECK(cell["nw"]["p50"] == 2009);
    CHECK(cell["sw"]["max"] == 2113);
    CHECK(cell["hartleyEntropy"]["p99"] == 2412);
    CHECK(cell["far"] == 0.7);
    CHECK(cell["meanCosine"] == 0.625);
    const ordered_json& guarantee = json["guarantee"][2];  // lambda 1, epsilon 1
    CHECK(guarantee["lambda"] == 1);
    CHECK(guarantee["bound"] == 1);
    CHECK(guarantee["statement"] == "ε·‖·‖_RM");
    CHECK(guarantee["scope"] == "per word occurrence");
    CHECK(guarantee["euclidean"] == ordered_json({0.5, 2}));
}

TEST_CASE("What a calibration does not have is null, or absent where the schema says so") {
    const ordered_json json = parsed(test::exampleLaplace());
    const ordered_json& cell = json["cells"][0];
    for (const char* key :
         {"lambda", "gamma", "beta", "kw", "kwFarther", "deniability", "meanCosine"}) {
        CAPTURE(key);
        REQUIRE(cell.contains(key));
        CHECK(cell[key].is_null());
    }
    CHECK(cell["nw"]["sdTrue"].is_null());
    CHECK(cell["nw"]["ci95"].is_null());
    CHECK(json["mechanism"]["noise"].is_null());
    CHECK(json["mechanism"]["placement"].is_null());
    CHECK(json["guarantee"][0]["cap"].is_null());
    CHECK(json["guarantee"][0]["lambda"].is_null());
    CHECK_FALSE(json["guarantee"][0].contains("euclidean"));
    CHECK_FALSE(json["embedding"].contains("limitedTo"));
    CHECK_FALSE(json["embedding"].contains("vocabulary"));
}

TEST_CASE("An exact calibration document has radii, caps and error bounds, and no coverage") {
    const ordered_json json = parsed(test::exampleTem());
    CHECK(json["mechanism"]["name"] == "tem");
    CHECK(json["mechanism"]["metric"] == "angular");
    CHECK(json["mechanism"]["exact"] == true);
    REQUIRE(json["cells"].size() == 4);
    const ordered_json& cell = json["cells"][3];  // beta 0.25, epsilon 8
    CHECK(cell["lambda"].is_null());
    CHECK(cell["gamma"] == 5);
    CHECK(cell["beta"] == 0.25);
    CHECK(cell["coverage"].is_null());
    CHECK(cell["relativeError"] == 0.00025);
    const ordered_json& guarantee = json["guarantee"][0];
    CHECK(guarantee["lambda"].is_null());
    CHECK(guarantee["gamma"] == 20);
    CHECK(guarantee["cap"] == 40);
    CHECK(guarantee["bound"] == 2);
    CHECK(guarantee["metric"] == "angular");
    CHECK(json["run"]["substitutions"] == 0);
    // Under a Mahalanobis distance there is a lambda, and a given radius has no beta.
    calibration::CalibrationSummary mahalanobis = test::exampleTem();
    mahalanobis.grid.mechanism = mechanism::Tem{mechanism::Metric::mahalanobis};
    mahalanobis.cells[0].lambda = 0.5;
    mahalanobis.cells[0].beta = std::nullopt;
    const ordered_json first = parsed(mahalanobis)["cells"][0];
    CHECK(first["lambda"] == 0.5);
    CHECK(first["beta"].is_null());
}

TEST_CASE("Rows that were limited or selected are part of the document") {
    calibration::RunDescription run = test::exampleRun();
    run.embedding.limitedTo = 100;
    run.embedding.vocabulary = embedding::LoadReport::Selection{90, 7};
    const ordered_json json =
        ordered_json::parse(document::calibrationJson(run, test::exampleLaplace()));
    CHECK(json["embedding"]["limitedTo"] == 100);
    CHECK(json["embedding"]["vocabulary"]["kept"] == 90);
    CHECK(json["embedding"]["vocabulary"]["missing"] == 7);
}

TEST_CASE("Numbers are written shortest and never as NaN or infinity") {
    calibration::CalibrationSummary summary = test::exampleLaplace();
    summary.cells[0].kept = 0.1;  // 0.1000000000000000055… as a double
    summary.cells[0].near = 1.0 / 3.0;
    summary.cells[0].meanDistance = std::numeric_limits<double>::quiet_NaN();
    summary.cells[0].nw.max = std::numeric_limits<double>::infinity();
    const std::string text = document::calibrationJson(test::exampleRun(), summary);
    CHECK(text.find("\"kept\": 0.1,") != std::string::npos);
    CHECK(text.find("nan") == std::string::npos);
    CHECK(text.find("inf") == std::string::npos);
    const ordered_json json = ordered_json::parse(text);
    CHECK(json["cells"][0]["near"].get<double>() == 1.0 / 3.0);
    CHECK(json["cells"][0]["meanDistance"].is_null());
    CHECK(json["cells"][0]["nw"]["max"].is_null());
    CHECK(text.back() == '\n');
}

TEST_CASE("A partial calibration says how far it got") {
    calibration::CalibrationSummary summary = test::exampleMahalanobis();
    summary.partial = true;
    summary.wordsAsked = 500;
    const ordered_json json = parsed(summary);
    CHECK(json["run"]["partial"] == true);
    CHECK(json["run"]["words"] == 3);
    CHECK(json["run"]["wordsAsked"] == 500);
}

TEST_CASE("A file name that is not UTF-8 does not break the document") {
    calibration::RunDescription run = test::exampleRun();
    run.embedding.file = "caf\xE9.txt";
    const ordered_json json =
        ordered_json::parse(document::calibrationJson(run, test::exampleLaplace()));
    CHECK(json["embedding"]["file"] == "caf\xEF\xBF\xBD.txt");
}

TEST_CASE("A choice of words that is neither all nor random is part of the document") {
    calibration::RunDescription run = test::exampleRun();
    run.selection = calibration::SelectionDescription{"sparsest:50", {}, {}, 0};
    const auto selection = [&] {
        return ordered_json::parse(
            document::calibrationJson(run, test::exampleLaplace()))["run"]["selection"];
    };
    CHECK(selection() == ordered_json({{"words", "sparsest:50"}, {"data", nullptr}}));
    run.selection = calibration::SelectionDescription{"500", "tweets.csv", "text", 7613};
    CHECK(selection()["data"] ==
          ordered_json({{"file", "tweets.csv"}, {"column", "text"}, {"records", 7613}}));
    run.selection->dataColumn.clear();
    CHECK(selection()["data"]["column"].is_null());
    run.selection->dataFormat = io::RecordFormat::lines;
    run.selection->letterCase = text::CasePolicy::keep;
    CHECK(selection()["data"]["format"] == "lines");
    CHECK(selection()["data"]["case"] == "keep");
}

TEST_CASE("Comparisons between words stand in their places") {
    calibration::CalibrationSummary summary = test::exampleMahalanobis();
    summary.independentDraws = true;
    calibration::Cell& cell = summary.cells[1];
    cell.kw = cell.nw;
    cell.kwFarther = cell.sw;
    cell.deniability = calibration::Deniability{2.5, cell.hartleyEntropy, 17, 0.875};
    const ordered_json json = parsed(summary);
    CHECK(json["run"]["independentDraws"] == true);
    const ordered_json& shown = json["cells"][1];
    CHECK(shown["kw"]["mean"] == 2000);
    CHECK(shown["kwFarther"]["max"] == 2113);
    CHECK(shown["deniability"]["odds"] == 2.5);
    CHECK(shown["deniability"]["words"] == 17);
    CHECK(shown["deniability"]["share"] == 0.875);
    CHECK(shown["deniability"]["p99"] == 2412);
    CHECK(json["cells"][0]["kw"].is_null());
    CHECK_FALSE(json["cells"][0].contains("worst"));
}

TEST_CASE("Words that were counted again stand in their cell") {
    calibration::CalibrationSummary summary = test::exampleMahalanobis();
    summary.cells[1].worst = calibration::WorstWords{10'000, {{3, "b", 4.0, 2'500}}};
    const ordered_json worst = parsed(summary)["cells"][1]["worst"];
    CHECK(worst["draws"] == 10'000);
    CHECK(worst["words"][0] ==
          ordered_json({{"word", "b"}, {"row", 3}, {"nw", 4.0}, {"kept", 2'500}}));
}
