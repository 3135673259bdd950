#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tests/cli/report_fixture.h"

using namespace epsilens;
using Catch::Matchers::Contains;
using nlohmann::ordered_json;
using test::Arguments;
using test::change;
using test::CliResult;
using test::runCli;

namespace {

/// Messages by four authors, of two classes that follow from their words. Those of the second part
/// have other numbers.
std::string messages(int part) {
    std::string csv = "class,author,message\n";
    for (int i = 0; i < 80; ++i) {
        const int first = 30 * (i % 2);
        csv += fmt::format("{},a{},w{} w{} w{} text {}\n", i % 2 == 0 ? "ham" : "spam", i % 4,
                           first + i % 30, first + 3 * i % 30, first + 7 * i % 30, 100 * part + i);
    }
    return csv;
}

/// Writes vectors, texts and lists, evaluates with these options more, and returns the path of the
/// results.
std::string evaluated(const test::TemporaryFolder& folder, const Arguments& more) {
    Arguments arguments{"evaluate", folder.file("small.txt", test::madeUpGlove(60, 4, 1)),
                        "--data",   folder.file("train.csv", messages(0)),
                        "--format", "json",
                        "-o",       folder.path("evaluation.json")};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const CliResult result = runCli(arguments);
    INFO(result.errors);
    REQUIRE(result.exitCode == 0);
    return folder.path("evaluation.json");
}

CliResult verified(const std::string& from, const Arguments& more = {}) {
    Arguments arguments{"verify", "--from", from};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return runCli(arguments);
}

}  // namespace

TEST_CASE("verify does an evaluation again by all that it was asked for") {
    const test::TemporaryFolder folder;
    const std::string from =
        evaluated(folder, {
                              "--mechanism",  "tem",
                              "--epsilon",    "2,4",
                              "--gamma",      "1.5",
                              "--seed",       "7",
                              "--repeats",    "2",
                              "--task",       "classify,reconstruct,membership,authorship",
                              "--classifier", "linear,vectors",
                              "--test",       folder.file("test.csv", messages(1)),
                              "--stop-words", folder.file("stop.txt", "w1\nw2\n"),
                              "--prior",      folder.file("counts.tsv", "w3\t9\n"),
                              "--positive",   "ham",
                              "--unknown",    "random",
                              "--test-text",  "perturbed",
                          });
    // Another number of threads than that of the run.
    const CliResult sound = verified(from, {"--threads", "1", "--seed", "3"});
    INFO(sound.output + sound.errors);
    CHECK(sound.exitCode == 0);
    CHECK_THAT(sound.output, Contains("every value is the same"));

    SECTION("a value that it does not confirm is named") {
        change(folder, "evaluation.json", "/cells/1/authorship/correct/mean", 0.125);
        change(folder, "evaluation.json", "/repeat/options/perturbTest", false);
        const CliResult changed = verified(from);
        CHECK(changed.exitCode == 1);
        CHECK_THAT(changed.output,
                   Contains("cells[1].authorship.correct.mean (ε = 4") &&
                       Contains("run.testText: stored \"perturbed\", found \"original\""));
    }
    SECTION("its files are found beside it") {
        for (const char* name :
             {"evaluation.json", "small.txt", "train.csv", "test.csv", "stop.txt", "counts.tsv"}) {
            folder.file(std::string("moved/") + name, test::contentOf(folder.path(name)));
            std::filesystem::remove(folder.path(name));
        }
        const CliResult moved = verified(folder.path("moved/evaluation.json"));
        INFO(moved.errors);
        CHECK(moved.exitCode == 0);
    }
    SECTION("other files than its own are refused") {
        for (const char* name : {"stop.txt", "counts.tsv"}) {
            const std::string own = test::contentOf(folder.path(name));
            folder.file(name, own + "w9\t1\n");
            const CliResult other = verified(from);
            CHECK(other.exitCode == 4);
            CHECK_THAT(other.errors,
                       Contains(name) && Contains("it is not the file that the evaluation read"));
            folder.file(name, own);
        }
        folder.file("test.csv", messages(2));
        const CliResult texts = verified(from);
        CHECK(texts.exitCode == 4);
        CHECK_THAT(texts.errors, Contains("these are not the texts of the evaluation"));
    }
    SECTION("one that was cut off or does not say what it was asked for cannot be done again") {
        change(folder, "evaluation.json", "/run/partial", true);
        CHECK_THAT(verified(from).errors, Contains("the evaluation is partial"));
        change(folder, "evaluation.json", "/run/partial", false);
        change(folder, "evaluation.json", "/repeat", nullptr);
        const CliResult unknown = verified(from);
        CHECK(unknown.exitCode == 4);
        CHECK_THAT(unknown.errors, Contains("does not hold what it was asked for"));
    }
}

TEST_CASE("An evaluation of listed words says what it leaves open, and is done again with them") {
    const test::TemporaryFolder folder;
    const std::string from =
        evaluated(folder, {"--mechanism", "laplace", "--epsilon", "3", "--repeats", "2",
                           "--only-words", folder.file("only.txt", "w1\nw2\nw3\n")});
    const auto run = ordered_json::parse(test::contentOf(from))["run"];
    CHECK(run["onlyWords"] == 3);
    CHECK(run["onlyWordsNotice"] ==
          "Only the words of a list are replaced: nothing else is protected, and which words were "
          "replaced is visible.");
    CHECK(verified(from).exitCode == 0);
    for (const char* format : {"text", "html"}) {
        const CliResult shown =
            runCli({"evaluate", folder.path("small.txt"), "--data", folder.path("train.csv"),
                    "--mechanism", "laplace", "--epsilon", "3", "--repeats", "2", "--only-words",
                    folder.path("only.txt"), "--format", format});
        CHECK(shown.exitCode == 0);
        CHECK_THAT(shown.output, Contains("nothing else is protected, and which words were "));
    }
}

TEST_CASE("evaluate reads its data strictly where asked, and names bad rows of each file") {
    const test::TemporaryFolder folder;
    const std::string vectors = folder.file("small.txt", test::madeUpGlove(60, 4, 1));
    const std::string train = folder.file("train.csv", messages(0) + ",a1,w1\n");
    const std::string bad = folder.file("test.csv", messages(1) + "ham,a1,\n,a2,w2\n");
    const Arguments usual{"evaluate",  vectors,       "--data",   train,       "--test",
                          bad,         "--mechanism", "laplace",  "--epsilon", "3",
                          "--repeats", "1",           "--format", "json"};
    const CliResult result = runCli(usual);
    INFO(result.errors);
    REQUIRE(result.exitCode == 0);
    CHECK_THAT(result.errors, Contains("train.csv: 1 rows left out") && Contains(": 81") &&
                                  Contains("test.csv: 2 rows left out") && Contains(": 81, 82"));
    const auto data = ordered_json::parse(result.output)["data"];
    CHECK(data["badRows"] == 3);
    CHECK(data["firstBadRows"] == ordered_json::array({81}));
    CHECK(data["badTestRows"] == 2);
    CHECK(data["firstBadTestRows"] == ordered_json::array({81, 82}));
    Arguments strict = usual;
    strict.emplace_back("--strict");
    const CliResult refused = runCli(strict);
    CHECK(refused.exitCode == 4);
    CHECK_THAT(refused.errors, Contains("train.csv") && Contains("row 81 lacks a text"));
}
