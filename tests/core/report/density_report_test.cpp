#include "core/report/density_report.h"

#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/support/toy_embedding.h"

using namespace epsilens;
using nlohmann::ordered_json;

namespace {

// Words w0 to w3 on a line; nearest distances 1, 1, 2, 7.
const engine::SearchSpace& space() {
    static const engine::SearchSpace line = [] {
        RowMatrixF vectors(4, 1);
        vectors << 0, 1, 3, 10;
        return engine::SearchSpace(test::toyEmbedding(vectors));
    }();
    return line;
}

text::DataSetWords records() {
    text::DataSetWords words;
    words.file = "data\x1b.tsv";
    words.column = "message";
    words.skippedRecords = 1;
    words.addRecord(std::vector<embedding::Row>{0, 1, 0}, 2);
    words.addRecord(std::vector<embedding::Row>{0}, 0);
    return words;
}

std::vector<std::string> memberNames(const ordered_json& json) {
    std::vector<std::string> keys;
    for (const auto& [key, value] : json.items()) {
        keys.push_back(key);
    }
    return keys;
}

}  // namespace

TEST_CASE("The density of a vocabulary has fixed keys, with shares only where there are records") {
    const auto profile = statistics::densityProfile(space()).value();
    const ordered_json plain =
        report::jsonDensity(report::describeDensity(profile, space(), std::nullopt, 0.25));
    CHECK(memberNames(plain) ==
          std::vector<std::string>{"metric", "distinctVectors", "words", "min", "max", "maxOverMin",
                                   "mean", "p5", "p50", "p95", "extremeWords", "sparsestMean",
                                   "densestMean", "sparsestOverDensest", "sparsest", "densest",
                                   "seconds", "data"});
    CHECK(plain["seconds"] == 0.25);
    CHECK(plain["sparsest"][0] ==
          ordered_json({{"word", "w3"}, {"distance", 7.0}, {"nearest", "w2"}}));
    CHECK(plain["densest"][0]["word"] == "w0");
    const ordered_json with =
        report::jsonDensity(report::describeDensity(profile, space(), records(), 0.25));
    // w0 in two of two records, w1 in one, the other two in none.
    CHECK(with["sparsestShareOfRecords"] == 0.375);
    CHECK(with["recordsWithSparsest"] == 1.0);
    CHECK(with["data"]["tokens"] == 6);
    CHECK(with["data"]["unknownTokens"] == 2);
    CHECK(with["data"]["density"]["words"] == 2);
    CHECK(with["data"]["density"]["sparsestShareOfRecords"] == 0.75);
}

TEST_CASE("A data set without known words has no profile of its own") {
    const auto profile = statistics::densityProfile(space()).value();
    text::DataSetWords none;
    none.file = "x";
    none.addRecord({}, 3);
    const auto density = report::describeDensity(profile, space(), none, 0.0);
    CHECK(report::jsonDensity(density)["data"]["density"].is_null());
    CHECK(report::densityLines(density).back().first == "data set");
}

TEST_CASE("Names of a data set cannot steer a terminal") {
    const auto profile = statistics::densityProfile(space()).value();
    for (const auto& [name, value] :
         report::densityLines(report::describeDensity(profile, space(), records(), 0.0))) {
        CHECK(value.find('\x1b') == std::string::npos);
    }
}
