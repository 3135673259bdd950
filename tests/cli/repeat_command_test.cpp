#include <algorithm>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "core/document/calibration_document.h"
#include "core/document/session_file.h"
#include "tests/support/made_up_embedding.h"
#include "tests/support/run_cli.h"

// The command that a report gives for doing its run again is given to a shell, beside the files it
// names, and has to give the numbers of the run.

using namespace epsilens;
using test::CliResult;
using test::runCli;
using Arguments = std::vector<std::string>;
using Catch::Matchers::Contains;
using nlohmann::ordered_json;

namespace {

/// Standard output of a run in the folder that ends well.
std::string printedIn(const test::TemporaryFolder& folder, const Arguments& arguments,
                      test::CliSetup setup = {}) {
    setup.workingDirectory = folder.path("");
    const CliResult result = runCli(arguments, setup);
    INFO(result.errors);
    REQUIRE(result.exitCode == 0);
    return result.output;
}

ordered_json calibratedIn(const test::TemporaryFolder& folder, const Arguments& options,
                          const std::string& input = {}) {
    Arguments arguments{"calibrate", "--draws", "10", "--format", "json", "-o", "run.json"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    if (std::find(options.begin(), options.end(), "--mechanism") == options.end()) {
        arguments.insert(arguments.end(), {"--mechanism", "laplace", "--epsilon", "2,8"});
    }
    test::CliSetup setup;
    setup.input = input;
    printedIn(folder, arguments, setup);
    return ordered_json::parse(test::contentOf(folder.path("run.json")));
}

/// The command in the report on the calibration made last.
///
/// name  of the command
/// more  options of the report
std::string commandIn(const test::TemporaryFolder& folder, const std::string& name = "calibrate",
                      const Arguments& more = {}) {
    Arguments arguments{"report", "--from", "run.json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const std::string report = printedIn(folder, arguments);
    const std::size_t begin = report.find("epsilens-cli " + name);
    REQUIRE(begin != std::string::npos);
    return report.substr(begin, report.find('\n', begin) - begin);
}

/// What a command gives in a shell.
ordered_json givenBy(const std::string& command, const test::TemporaryFolder& folder,
                     const std::string& input = {}) {
    test::CliSetup setup;
    setup.input = input;
    setup.wrapper = {"/bin/sh", "-c", "PATH=${0%/*}; " + command};
    return ordered_json::parse(printedIn(folder, {}, setup));
}

ordered_json repeatedIn(const test::TemporaryFolder& folder, const std::string& input = {}) {
    return givenBy(commandIn(folder), folder, input);
}

}  // namespace

TEST_CASE("The command in a report gives the numbers of its run") {
    const test::TemporaryFolder folder;
    std::string vectors = test::madeUpGlove(60, 4, 1);
    folder.file("plain.txt", vectors);
    folder.file("-x y.txt", vectors);
    // One of sixty words with a capital: auto keeps the letter case.
    vectors.replace(vectors.find("w1 "), 3, "W1 ");
    folder.file("capital.txt", vectors);
    folder.file("two,columns.csv", "w1,w2\nw3 w5\n");
    folder.file("capitals.txt", "W1 W3 w5\n");
    folder.file("-data.tsv", "1\tw1 w2\n2\tw4\n");
    folder.file("-words.txt", "w1\nw2\nw3\nw4\nw5\nw6\nw7\nw8\n");
    const auto [options, part] = GENERATE(table<Arguments, std::string>({
        {{"plain.txt", "--words", "20"}, " --words 20 "},
        {{"plain.txt", "--words", "sparsest:7"}, " --words sparsest:7 "},
        {{"./-x y.txt", "--words", "all"}, "calibrate './-x y.txt' "},
        {{"plain.txt", "--vocabulary", "./-words.txt"}, " --vocabulary ./-words.txt "},
        {{"plain.txt", "--data", "two,columns.csv", "--data-format", "lines"},
         " --data two,columns.csv --data-format lines "},
        {{"plain.txt", "--data", "./-data.tsv", "--column", "2"},
         " --data ./-data.tsv --column 2 "},
        {{"capital.txt", "--data", "capitals.txt", "--case", "lower"}, " --case lower "},
        {{"capital.txt", "--data", "capitals.txt"}, " --data capitals.txt "},
        {{"plain.txt", "--input-format", "glove", "--strict", "--limit-rows", "50"},
         " --input-format glove --strict --limit-rows 50 "},
        {{"plain.txt", "--mechanism", "laplace", "--epsilon", "all", "--points", "9"},
         " --epsilon all --points 9 "},
        {{"plain.txt", "--mechanism", "mahalanobis", "--epsilon", "2,8", "--lambda", "0,0.3"},
         " --lambda 0,0.3 "},
        {{"plain.txt", "--mechanism", "tem", "--metric", "mahalanobis", "--epsilon", "2,8",
          "--lambda", "0.25", "--gamma", "1.5,3"},
         " --lambda 0.25 --metric mahalanobis --gamma 1.5,3 "},
        {{"plain.txt", "--mechanism", "tem", "--metric", "angular", "--epsilon", "2,8", "--beta",
          "0.01"},
         " --metric angular --beta 0.01 "},
        {{"sample-poincare", "--mechanism", "hyperbolic", "--noise", "eq7", "--epsilon", "12",
          "--words", "20", "--limit-rows", "1000"},
         " --noise eq7 "},
    }));
    const ordered_json run = calibratedIn(folder, options);
    CAPTURE(commandIn(folder));
    CHECK_THAT(commandIn(folder), Contains(part));
    CHECK(repeatedIn(folder)["cells"] == run["cells"]);
}

TEST_CASE("The command in a report gives the numbers of its evaluation") {
    const test::TemporaryFolder folder;
    folder.file("plain.txt", test::madeUpGlove(60, 4, 1));
    std::string texts = "kind of text,message,penned\n";
    for (int i = 0; i < 48; ++i) {
        const std::string first = std::to_string(i % 2 == 0 ? i % 20 : 20 + i % 20);
        texts += std::string(i % 2 == 0 ? "one," : "two,") + "w" + first + " w" +
                 std::to_string(i % 40) + " unheard number" + std::to_string(i) + ",writer" +
                 std::to_string(i % 3) + "\n";
    }
    folder.file("-my texts.csv", texts);
    folder.file("common.txt", "w1\nw2\n");
    const auto [options, part] = GENERATE(table<Arguments, std::string>({
        {{"--mechanism", "laplace"}, " --data './-my texts.csv' --unknown mask "},
        {{"--mechanism", "mahalanobis", "--lambda", "0,0.5", "--task", "classify", "--label-column",
          "kind of text", "--classifier", "vectors,linear", "--repeats", "3", "--positive", "two",
          "--test-text", "perturbed"},
         " --label-column 'kind of text' "},
        {{"--mechanism", "tem", "--metric", "euclidean", "--beta", "0.01", "--task", "reconstruct",
          "--unknown", "drop", "--case", "lower", "--stop-words", "common.txt", "--prior",
          "uniform"},
         " --unknown drop --case lower --stop-words common.txt --prior uniform "},
    }));
    // The calibration has the mechanism of the evaluation, and is not looked at.
    Arguments calibration{"calibrate", "plain.txt", "--epsilon", "2",    "--words", "5",
                          "--draws",   "5",         "--format",  "json", "-o",      "run.json"};
    Arguments evaluation{"evaluate",  "plain.txt", "--data", "./-my texts.csv",
                         "--epsilon", "2,8",       "--seed", "5",
                         "--format",  "json",      "-o",     "evaluation.json"};
    for (std::size_t i = 0; i + 1 < options.size(); i += 2) {
        evaluation.insert(evaluation.end(), {options[i], options[i + 1]});
        for (const char* shared : {"--mechanism", "--metric", "--lambda", "--beta"}) {
            if (options[i] == shared) {
                calibration.insert(calibration.end(), {options[i], options[i + 1]});
            }
        }
    }
    printedIn(folder, calibration);
    printedIn(folder, evaluation);
    const ordered_json measured =
        ordered_json::parse(test::contentOf(folder.path("evaluation.json")));
    const std::string command = commandIn(folder, "evaluate", {"--evaluation", "evaluation.json"});
    CAPTURE(command);
    CHECK_THAT(command, Contains(part));
    const ordered_json again = givenBy(command, folder);
    CHECK(again["cells"] == measured["cells"]);
    CHECK(again["floor"] == measured["floor"]);
}

TEST_CASE("The command in a report reads standard input where the run did") {
    const test::TemporaryFolder folder;
    const std::string vectors = test::madeUpGlove(60, 4, 1);
    const ordered_json run = calibratedIn(folder, {"-", "--words", "20"}, vectors);
    CHECK_THAT(commandIn(folder), Contains("calibrate - "));
    CHECK(repeatedIn(folder, vectors)["cells"] == run["cells"]);
}

TEST_CASE("The words of a data set are looked up by the letter case asked for") {
    const test::TemporaryFolder folder;
    std::string vectors = test::madeUpGlove(60, 4, 1);
    vectors.replace(vectors.find("w1 "), 3, "W1 ");
    folder.file("v.txt", vectors);
    folder.file("d.txt", "W1 W3 W5 w7\n");
    const auto measured = [&](const Arguments& more) {
        Arguments options{"v.txt", "--data", "d.txt"};
        options.insert(options.end(), more.begin(), more.end());
        return calibratedIn(folder, options)["run"];
    };
    CHECK(measured({})["words"] == 2);                   // W1, w7
    CHECK(measured({"--case", "keep"})["words"] == 2);   // the same
    CHECK(measured({"--case", "lower"})["words"] == 3);  // w3, w5, w7
    CHECK(measured({"--case", "lower"})["selection"]["data"]["case"] == "lower");
    CHECK_FALSE(measured({"--case", "auto"})["selection"]["data"].contains("case"));
}

TEST_CASE("Words of a session are named as it knows them, else as words of a list") {
    const test::TemporaryFolder folder;
    folder.file("v.txt", test::madeUpGlove(60, 4, 1));
    calibratedIn(folder, {folder.path("v.txt"), "--words", "sparsest:4"});
    const auto record = document::readCalibration(test::contentOf(folder.path("run.json")));
    REQUIRE(record);
    document::Session session;
    session.version = "9.8.7";
    session.embedding = document::SessionEmbedding{record->request.load, "", 0,
                                                   record->provenance.embedding.sha256};
    session.grid = record->request.options;
    session.letterCase = text::CasePolicy::lower;
    const std::string path = folder.path("work.epsilens");

    session.wordsFrom = record->provenance.selection;
    REQUIRE(document::saveSession(path, session));
    const ordered_json run = calibratedIn(folder, {"--session", path});
    CHECK(run["run"]["selection"]["words"] == "sparsest:4");
    CHECK(repeatedIn(folder)["cells"] == run["cells"]);
    // Rows are other words in other vectors.
    folder.file("other.txt", test::madeUpGlove(60, 4, 2));
    CHECK_FALSE(
        calibratedIn(folder, {"other.txt", "--session", path})["run"].contains("selection"));

    session.wordsFrom.reset();
    REQUIRE(document::saveSession(path, session));
    CHECK_FALSE(calibratedIn(folder, {"--session", path})["run"].contains("selection"));
    CHECK_THAT(commandIn(folder), Contains(" --words @words.txt "));

    folder.file("d.txt", "W1 w2\n");
    const Arguments data{"--session", path, "--data", "d.txt"};
    CHECK(calibratedIn(folder, data)["run"]["words"] == 2);
    CHECK_THAT(commandIn(folder), Contains(" --data d.txt --case lower "));
}
