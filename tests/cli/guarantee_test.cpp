#include <cmath>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/support/csv_table.h"
#include "tests/support/run_cli.h"

using namespace epsilens;
using Catch::Matchers::Contains;
using nlohmann::json;
using test::CliResult;
using test::runCli;
using Arguments = std::vector<std::string>;

namespace {

// Distances: paris to london 5, doctor to nurse 1.
const char* const kPlaces = "the 9 9\nparis 0 0\nlondon 3 4\ndoctor 5 0\nnurse 6 0\n";

CliResult guaranteeOf(const test::TemporaryFolder& folder, const Arguments& options) {
    Arguments arguments{"guarantee", folder.file("toy.txt", kPlaces)};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return runCli(arguments);
}

}  // namespace

TEST_CASE("guarantee tells the odds of pairs") {
    const test::TemporaryFolder folder;
    const CliResult result = guaranteeOf(
        folder, {"--mechanism", "laplace", "--epsilon", "0.5,2", "--pair", "paris,london", "--pair",
                 "Doctor, nurse", "--odds", "10", "--format", "json"});
    INFO(result.errors);
    REQUIRE(result.exitCode == 0);
    const json document = json::parse(result.output);
    CHECK(document["schema"] == "epsilens.guarantee/1");
    REQUIRE(document["guarantees"].size() == 2);
    const json& entry = document["guarantees"][0];
    CHECK(entry["bound"] == 0.5);
    CHECK(entry["metric"] == "Euclidean");
    CHECK(entry["radius"]["distance"].get<double>() == Approx(std::log(10.0) / 0.5).epsilon(1e-14));
    REQUIRE(entry["pairs"].size() == 2);
    CHECK(entry["pairs"][0]["loss"] == 2.5);
    CHECK(entry["pairs"][1]["distance"] == 1.0);
    CHECK(document["guarantees"][1]["pairs"][0]["loss"] == 10.0);
}

TEST_CASE("guarantee writes text and CSV for a grid, lambda by lambda") {
    const test::TemporaryFolder folder;
    const CliResult text =
        guaranteeOf(folder, {"--epsilon", "1", "--lambda", "0,1", "--pair", "paris,london"});
    REQUIRE(text.exitCode == 0);
    CHECK_THAT(text.output, Contains("mahalanobis, ε = 1, λ = 0: ε·‖·‖₂") &&
                                Contains("mahalanobis, ε = 1, λ = 1: ε·‖·‖_RM") &&
                                Contains("×149") && Contains("Not covered:"));
    const CliResult csv = guaranteeOf(folder, {"--epsilon", "1", "--format", "csv"});
    REQUIRE(csv.exitCode == 0);
    const auto row = test::csvTable(csv.output).at(0);
    CHECK(row.at("mechanism") == "mahalanobis");
    CHECK(row.at("lambda") == "0.5");
    CHECK(row.at("metric") == "regularized Mahalanobis");
    CHECK(row.at("bound") == "1");
    CHECK(row.at("radius.odds") == "2");
    const auto pairs = test::csvTable(
        guaranteeOf(folder, {"--epsilon", "1", "--pair", "paris,london", "--format", "csv"})
            .output);
    CHECK(pairs.at(0).at("pairs.second") == "london");
}

TEST_CASE("guarantee without epsilon takes the data's and says so") {
    const test::TemporaryFolder folder;
    const CliResult result = guaranteeOf(folder, {"--format", "json"});
    REQUIRE(result.exitCode == 0);
    CHECK_THAT(result.errors, Contains("no --epsilon given: using "));
    CHECK(json::parse(result.output)["guarantees"].size() == 1);
}

TEST_CASE("guarantee refuses what has no odds and says why") {
    const test::TemporaryFolder folder;
    const auto refuse = [&](const Arguments& options, int code, const std::string& text) {
        CAPTURE(options);
        const CliResult result = guaranteeOf(folder, options);
        CHECK(result.exitCode == code);
        CHECK(result.output.empty());
        CHECK_THAT(result.errors, Contains(text));
    };
    refuse({"--pair", "paris"}, 2, "two words with a comma");
    refuse({"--pair", "paris,"}, 2, "two words with a comma");
    refuse({"--pair", "a,b,c"}, 2, "two words with a comma");
    refuse({"--pair", "pari,london"}, 2, "\"pari\" is not in the vocabulary; similar: paris");
    refuse({"--odds", "1"}, 2, "--odds: 1 is not above 1");
    refuse({"--odds", "many"}, 2, "--odds");
}
