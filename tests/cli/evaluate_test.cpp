#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/support/csv_table.h"
#include "tests/support/run_cli.h"
#include "tests/support/temporary_folder.h"

using namespace epsilens;
using Catch::Matchers::Contains;
using test::CliResult;
using test::runCli;

namespace {

/// 60 messages whose class follows from one word each.
std::string messages() {
    const std::vector<std::string> names{"doctor", "hospital", "nurse",
                                         "train",  "ticket",   "station"};
    std::string csv = "id,class,message\n";
    for (std::size_t i = 0; i < 60; ++i) {
        const std::size_t name = i % names.size();
        csv += std::to_string(i) + (name < 3 ? ",health" : ",travel") + ",\"the " + names[name] +
               ", number " + std::to_string(i) + "\"\n";
    }
    return csv;
}

/// Writes messages(), and words.txt beside it: words of the built-in sample, those of the messages
/// among them. They are few, because the work of attackers grows with the vocabulary.
std::string writeMessages(const test::TemporaryFolder& folder) {
    folder.file("words.txt",
                "the\nof\nand\nto\nin\na\nis\nthat\nfor\nit\nas\nwas\nwith\nbe\nby\non\nnot\nhe\n"
                "his\nbut\nat\nare\nthis\nhave\nwhich\nfrom\nor\nhad\nthey\nyou\nwere\none\nall\n"
                "we\nman\nwoman\nhouse\ncity\nriver\nwater\ncat\ndog\nhorse\nroad\nschool\nletter\n"
                "book\nnumber\ndoctor\nhospital\nnurse\ntrain\nticket\nstation\n");
    return folder.file("messages.csv", messages());
}

/// path  of writeMessages
std::string wordsBeside(const std::string& path) {
    return std::filesystem::path(path).replace_filename("words.txt").string();
}

std::vector<std::string> arguments(const std::string& path, std::vector<std::string> more) {
    std::vector<std::string> all{"evaluate",    "sample",  "--data",       path,
                                 "--mechanism", "laplace", "--epsilon",    "1,200",
                                 "--repeats",   "2",       "--vocabulary", wordsBeside(path)};
    all.insert(all.end(), more.begin(), more.end());
    return all;
}

}  // namespace

TEST_CASE("evaluate: a CSV becomes JSON, says which columns it took, and repeats itself") {
    const test::TemporaryFolder folder;
    const std::string path = writeMessages(folder);
    const CliResult result = runCli(arguments(path, {"--format", "json", "--threads", "1"}));
    REQUIRE(result.exitCode == 0);
    CHECK_THAT(result.errors, Contains("text: column message (guessed)") &&
                                  Contains("label: column class (guessed)"));
    const auto json = nlohmann::json::parse(result.output);
    CHECK(json["schema"] == "epsilens.evaluate/1");
    CHECK(json["data"]["documents"] == 60);
    CHECK(json["data"]["positive"] == "travel");
    CHECK(json["cells"].size() == 2);
    const auto accuracy = [&](const nlohmann::json& part) {
        return part["classify"]["linear"]["accuracy"]["mean"].get<double>();
    };
    CHECK(accuracy(json["original"]) == 1.0);
    // At epsilon 200 no word of the sample moves.
    CHECK(accuracy(json["cells"][1]) == accuracy(json["ceiling"]));
    CHECK(json["run"]["partial"] == false);
    auto again = nlohmann::json::parse(
        runCli(arguments(path, {"--format", "json", "--threads", "2"})).output);
    auto first = json;
    for (auto* document : {&first, &again}) {
        for (const char* circumstance : {"seconds", "threads", "peakMemoryMiB"}) {
            (*document)["run"].erase(circumstance);
        }
    }
    CHECK(first == again);
}

TEST_CASE("evaluate: a page, a table and a text") {
    const test::TemporaryFolder folder;
    const std::string path = writeMessages(folder);
    const std::string page = folder.path("page.html");
    CHECK(runCli(arguments(path, {"-o", page})).exitCode == 0);
    CHECK_THAT(test::contentOf(page), Contains("<!DOCTYPE html>") && Contains("messages.csv") &&
                                          Contains("No attacker was measured"));
    const auto rows = test::csvTable(
        runCli(arguments(path, {"--format", "csv", "--task", "classify,reconstruct"})).output);
    REQUIRE(rows.back().at("epsilon") == "200");
    for (const char* column : {"classify.linear.accuracy.mean", "classify.linear.retained.ci95Low",
                               "nw.mean", "sw.ci95High", "reconstruct.noisyVectorContext.mean"}) {
        CAPTURE(column);
        CHECK_FALSE(rows.back().at(column).empty());
    }
    CHECK_THAT(runCli(arguments(path, {"--classifier", "linear,fasttext"})).output,
               Contains("Classifier fasttext"));
}

TEST_CASE("evaluate: attacks stand beside the classification") {
    const test::TemporaryFolder folder;
    const std::string path = writeMessages(folder);
    const std::string counts = folder.file("counts.tsv", "the\t100\nnurse\t3\n");
    const CliResult result = runCli(arguments(path, {"--task", "classify,reconstruct,membership",
                                                     "--prior", counts, "--format", "json"}));
    REQUIRE(result.exitCode == 0);
    const auto json = nlohmann::json::parse(result.output);
    CHECK(json["run"]["attack"]["priorFile"] == "counts.tsv");
    const auto& cell = json["cells"][1];
    // At epsilon 200 no word of the sample moves, so that the output is the word.
    CHECK(cell["reconstruct"]["echo"]["mean"] == 1.0);
    CHECK(cell["reconstruct"]["upper"]["mean"] > 0.9);
    CHECK(cell["membership"]["linear"]["threshold"].contains("tprAt1"));
    CHECK(cell["classify"]["linear"].contains("accuracy"));
    CHECK(cell["nw"]["mean"] == 100.0);
    CHECK(cell["sw"]["mean"] == 1.0);
    CHECK(json["run"]["survival"] == nlohmann::json({{"words", 54}, {"draws", 100}}));
    CHECK(json["original"]["reconstruct"]["echo"]["mean"] == 1.0);
    CHECK_THAT(runCli(arguments(path, {"--task", "reconstruct"})).output,
               Contains("How often would an attacker guess the word?") &&
                   Contains("no better attacker was found"));
}

TEST_CASE("evaluate refuses an option that no task reads") {
    const test::TemporaryFolder folder;
    const CliResult refused =
        runCli(arguments(writeMessages(folder), {"--task", "reconstruct", "--positive", "ham"}));
    CHECK(refused.exitCode == 2);
    CHECK_THAT(refused.errors, Contains("--positive: only --task classify reads it"));
}

TEST_CASE("evaluate --save-perturbed says in name and sidecar that the text is no release") {
    const test::TemporaryFolder folder;
    const std::string path = writeMessages(folder);
    const std::string study = folder.path("texts.study.csv");
    REQUIRE(runCli(arguments(path, {"--save-perturbed", study})).exitCode == 0);
    const std::string csv = test::contentOf(study);
    CHECK_THAT(csv, Contains("mechanism,epsilon,lambda,gamma,beta,number,split,label,text"));
    // A header, and 60 documents at two epsilons; the second keeps every word of the sample.
    CHECK(std::count(csv.begin(), csv.end(), '\n') == 121);
    CHECK_THAT(csv, Contains("laplace,200,,,,1,"));
    const auto sidecar = nlohmann::json::parse(test::contentOf(study + ".json"));
    CHECK(sidecar["schema"] == "epsilens.study-text/1");
    CHECK_THAT(sidecar["notice"].get<std::string>(), Contains("not a release"));
    CHECK(sidecar["settings"].size() == 2);
    CHECK(sidecar["run"]["seed"] == 1);
    // It can be read like the texts that it was made of.
    CHECK(runCli(arguments(study, {"--label-column", "label"})).exitCode == 0);
    const CliResult refused = runCli(arguments(path, {"--save-perturbed", folder.path("t.csv")}));
    CHECK(refused.exitCode == 2);
    CHECK_THAT(refused.errors, Contains("must contain \"study\""));
    const CliResult taken =
        runCli(arguments(path, {"--save-perturbed", study, "-o", study + ".json"}));
    CHECK(taken.exitCode == 2);
    CHECK_THAT(taken.errors, Contains("already receives the results"));
}

TEST_CASE("evaluate: what is wrong is said in one line") {
    const test::TemporaryFolder folder;
    const std::string path = writeMessages(folder);
    const auto error = [&](std::vector<std::string> more, int exitCode) {
        const CliResult result = runCli(arguments(path, std::move(more)));
        CHECK(result.exitCode == exitCode);
        CHECK(result.output.empty());
        return result.errors;
    };
    CHECK_THAT(error({"--label-column", "kind"}, 2),
               Contains("number of columns in its first line: 3"));
    CHECK_THAT(error({"--classifier", "magic"}, 2), Contains("linear, vectors, fasttext"));
    CHECK_THAT(error({"--task", "magic"}, 2), Contains("classify"));
    CHECK_THAT(error({"--task", "authorship"}, 2), Contains("--author-column"));
    CHECK_THAT(error({"--task", "reconstruct", "--prior", "none.txt"}, 4), Contains("none.txt"));
    CHECK_THAT(error({"--positive", "sport"}, 2), Contains("health, travel"));
    CHECK(runCli({"evaluate", "sample", "--data", folder.path("none.csv")}).exitCode == 4);
    CHECK(runCli({"evaluate", "sample"}).exitCode == 2);
}
