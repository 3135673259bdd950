#include <limits>
#include <optional>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "core/document/descriptions.h"
#include "core/document/fields.h"
#include "core/document/json_parser.h"

using namespace epsilens;
using Catch::Matchers::Contains;
using nlohmann::ordered_json;

namespace {

constexpr float kNeverF = std::numeric_limits<float>::infinity();
constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr std::int64_t kVocabulary = 4;

/// 3 words, 2 epsilons, one lambda, 4 draws; without values of single words.
calibration::CalibrationSummary exampleGrid() {
    calibration::CalibrationSummary summary;
    summary.grid.epsilons = {1, 10};
    summary.cells.resize(2);
    summary.cells[0].epsilon = 1;
    summary.cells[1].epsilon = 10;
    summary.words = 3;
    summary.draws = 4;
    return summary;
}

/// Written by Python's struct.pack("<…") and base64.b64encode.
ordered_json exampleWordResults() {
    ordered_json json;
    json["rows"] = "AAAAAAEAAAADAAAA";  // 0, 1, 3
    // 0, 1, 2, 3, 4, 0
    json["nw"] = "AAAAAAAAAAAAAAAAAADwPwAAAAAAAABAAAAAAAAACEAAAAAAAAAQQAAAAAAAAAAA";
    // 4, 3, 2, 1, 1, 4
    json["sw"] = "AAAAAAAAEEAAAAAAAAAIQAAAAAAAAABAAAAAAAAA8D8AAAAAAADwPwAAAAAAABBA";
    json["near"] = "AACAPwAAQD8AAAA/AACAPgAAAAAAAIA/";   // 1, 0.75, 0.5, 0.25, 0, 1
    json["criticalEpsilonMedian"] = "AAAAPwAAIEAAAIB/";  // 0.5, 2.5, inf
    ordered_json table;
    table["lambda"] = 0.5;
    // 0.5, 1, 2.5, 3 · 1, 1, inf, inf · 0, 0, 0, inf
    table["values"] =
        "AAAAAAAA4D8AAAAAAADwPwAAAAAAAARAAAAAAAAACEAAAAAAAADwPwAAAAAAAPA/AAAAAAAA8H8AAAAAAADwfwAAAA"
        "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAPB/";
    json["criticalEpsilons"] = ordered_json::array({table});
    return json;
}

struct ReadBack {
    calibration::CalibrationSummary summary{};
    std::string complaint{};
};

ReadBack readWith(const ordered_json& wordResults,
                  calibration::CalibrationSummary grid = exampleGrid(),
                  std::int64_t vocabularySize = kVocabulary) {
    ordered_json document;
    document["wordResults"] = wordResults;
    ReadBack read{std::move(grid), {}};
    std::optional<Error> problem;
    const auto parsed = document::parseJson(document.dump());
    REQUIRE(parsed);
    document::FieldReader json(document::JsonNode(*parsed, problem));
    document::describeWords(json, read.summary, vocabularySize);
    read.complaint = problem ? problem->message : "";
    return read;
}

ordered_json written(const calibration::CalibrationSummary& summary) {
    document::FieldWriter json(document::Purpose::file);
    document::describeWords(json, summary, kVocabulary);
    return std::move(json).json();
}

std::string complaintWith(const char* key, const char* text) {
    ordered_json changed = exampleWordResults();
    changed[key] = text;
    return readWith(changed).complaint;
}

}  // namespace

TEST_CASE("Values of single words are read as another program packs them") {
    const auto [summary, complaint] = readWith(exampleWordResults());
    INFO(complaint);
    REQUIRE(complaint.empty());
    CHECK(summary.perWord.words == std::vector<embedding::Row>{0, 1, 3});
    CHECK(summary.perWord.cells == 2);
    CHECK(summary.perWord.nw == std::vector<double>{0, 1, 2, 3, 4, 0});
    CHECK(summary.perWord.sw == std::vector<double>{4, 3, 2, 1, 1, 4});
    CHECK(summary.perWord.near == std::vector<float>{1, 0.75F, 0.5F, 0.25F, 0, 1});
    CHECK(summary.perWord.criticalEpsilonMedian == std::vector<float>{0.5F, 2.5F, kNeverF});
    REQUIRE(summary.critical.size() == 1);
    CHECK(summary.critical[0].lambda == 0.5);
    CHECK(summary.critical[0].values ==
          std::vector<double>{0.5, 1, 2.5, 3, 1, 1, kNever, kNever, 0, 0, 0, kNever});
    CHECK(written(summary)["wordResults"] == exampleWordResults());
}

TEST_CASE("A run without values of single words is kept without them") {
    CHECK(written(exampleGrid()).empty());
    ordered_json without = exampleWordResults();
    without.erase("criticalEpsilonMedian");
    without.erase("criticalEpsilons");
    const auto [summary, complaint] = readWith(without);
    CHECK(complaint.empty());
    CHECK(summary.critical.empty());
    CHECK(summary.perWord.criticalEpsilonMedian.empty());
}

TEST_CASE("Values of single words of what is no whole grid are refused") {
    calibration::CalibrationSummary grid = exampleGrid();
    grid.cells.push_back(grid.cells[0]);
    CHECK_THAT(readWith(exampleWordResults(), grid).complaint, Contains("no grid"));
    grid = exampleGrid();
    std::swap(grid.cells[0], grid.cells[1]);
    CHECK_THAT(readWith(exampleWordResults(), grid).complaint, Contains("no grid"));
    grid = exampleGrid();
    grid.cells.clear();
    grid.grid.epsilons.clear();
    CHECK_THAT(readWith(exampleWordResults(), grid).complaint, Contains("no grid"));
    CHECK_THAT(readWith(exampleWordResults(), exampleGrid(), 2).complaint,
               Contains("more words than there are"));
}

TEST_CASE("Damaged values of single words are refused by their place") {
    CHECK_THAT(complaintWith("rows", "AAAAAAEAAAADAAA"), Contains("wordResults.rows"));
    CHECK_THAT(complaintWith("rows", "AAAAAAEAAAA="), Contains("3 numbers of 4 bytes"));
    CHECK_THAT(complaintWith("rows", "AQAAAAAAAAADAAAA"), Contains("rise"));          // 1, 0, 3
    CHECK_THAT(complaintWith("rows", "AAAAAAEAAAAEAAAA"), Contains("out of range"));  // 0, 1, 4
    CHECK_THAT(complaintWith("rows", "/////wEAAAADAAAA"), Contains("out of range"));  // -1, 1, 3
    // 5 of 4 draws, and a NaN
    CHECK_THAT(
        complaintWith("nw", "AAAAAAAAFEAAAAAAAADwPwAAAAAAAABAAAAAAAAACEAAAAAAAAAQQAAAAAAAAAAA"),
        Contains("wordResults.nw") && Contains("out of range"));
    CHECK_THAT(
        complaintWith("sw", "AAAAAAAA+H8AAAAAAAAIQAAAAAAAAABAAAAAAAAA8D8AAAAAAADwPwAAAAAAABBA"),
        Contains("wordResults.sw") && Contains("out of range"));
    CHECK_THAT(complaintWith("near", "AAAAQAAAQD8AAAA/AACAPgAAAAAAAIA/"), Contains("near"));  // 2
    CHECK_THAT(complaintWith("criticalEpsilonMedian", "AACAvwAAIEAAAIB/"),                    // -1
               Contains("criticalEpsilonMedian"));
    ordered_json changed = exampleWordResults();
    changed["criticalEpsilons"].push_back(changed["criticalEpsilons"][0]);
    CHECK_THAT(readWith(changed).complaint, Contains("criticalEpsilons"));
    changed = exampleWordResults();
    changed["criticalEpsilons"] = ordered_json::array();
    CHECK_THAT(readWith(changed).complaint, Contains("0 tables for 1"));
    // 1, 0.5, 2.5, 3 in the place of the first word
    changed = exampleWordResults();
    changed["criticalEpsilons"][0]["values"] =
        "AAAAAAAA8D8AAAAAAADgPwAAAAAAAARAAAAAAAAACEAAAAAAAADwPwAAAAAAAPA/AAAAAAAA8H8AAAAAAADwfwAAAA"
        "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAPB/";
    CHECK_THAT(readWith(changed).complaint, Contains("do not rise"));
    for (const char* key : {"rows", "nw", "sw", "near"}) {
        changed = exampleWordResults();
        changed.erase(key);
        CHECK_THAT(readWith(changed).complaint, Contains(key));
    }
}
