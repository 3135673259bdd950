#include <string>

#include <catch2/catch.hpp>

#include "tests/cli/terminal.h"

// The command that a report gives for doing its run again is given to a shell, beside the files it
// names, and has to give the numbers of the run.

using namespace epsilens;
using Catch::Matchers::Contains;
using nlohmann::ordered_json;
using test::CliSetup;
using test::Terminal;

namespace {

ordered_json calibrated(const Terminal& terminal, const std::string& options, CliSetup setup = {}) {
    const bool isOther = options.find("--mechanism") != std::string::npos;
    terminal.printed("calibrate " + options +
                         (isOther ? "" : " --mechanism laplace --epsilon 2,8") +
                         " --draws 10 --format json -o run.json",
                     std::move(setup));
    return terminal.document("run.json");
}

/// The command in the report on the calibration made last.
///
/// name  of the command
/// more  options of the report
std::string commandIn(const Terminal& terminal, const std::string& name = "calibrate",
                      const std::string& more = {}) {
    const std::string report = terminal.printed("report --from run.json " + more);
    const std::size_t begin = report.find("epsilens-cli " + name);
    REQUIRE(begin != std::string::npos);
    return report.substr(begin, report.find('\n', begin) - begin);
}

/// What a command gives in a shell.
ordered_json givenBy(const std::string& command, const Terminal& terminal, CliSetup setup = {}) {
    setup.wrapper = {"/bin/sh", "-c", "PATH=${0%/*}; " + command};
    return ordered_json::parse(terminal.printed("", setup));
}

/// Like small.txt, with a capital in one of sixty words: auto keeps the letter case.
std::string withCapital(const Terminal& terminal) {
    std::string vectors = terminal.content("small.txt");
    return vectors.replace(vectors.find("w1 "), 3, "W1 ");
}

}  // namespace

TEST_CASE("The command in a report gives the numbers of its run") {
    const Terminal terminal;
    terminal.file("-x y.txt", terminal.content("small.txt"));
    terminal.file("capital.txt", withCapital(terminal));
    terminal.file("two,columns.csv", "w1,w2\nw3 w5\n");
    terminal.file("capitals.txt", "W1 W3 w5\n");
    terminal.file("-data.tsv", "1\tw1 w2\n2\tw4\n");
    terminal.file("-words.txt", "w1\nw2\nw3\nw4\nw5\nw6\nw7\nw8\n");
    const auto [options, part] = GENERATE(table<std::string, std::string>({
        {"small.txt --words 20", " --words 20 "},
        {"small.txt --words sparsest:7", " --words sparsest:7 "},
        {"'./-x y.txt' --words all", "calibrate './-x y.txt' "},
        {"small.txt --vocabulary ./-words.txt", " --vocabulary ./-words.txt "},
        {"small.txt --data two,columns.csv --data-format lines",
         " --data two,columns.csv --data-format lines "},
        {"small.txt --data ./-data.tsv --column 2", " --data ./-data.tsv --column 2 "},
        {"capital.txt --data capitals.txt --case lower", " --case lower "},
        {"capital.txt --data capitals.txt", " --data capitals.txt "},
        {"small.txt --input-format glove --strict --limit-rows 50",
         " --input-format glove --strict --limit-rows 50 "},
        {"small.txt --mechanism laplace --epsilon all --points 9", " --epsilon all --points 9 "},
        {"small.txt --mechanism mahalanobis --epsilon 2,8 --lambda 0,0.3", " --lambda 0,0.3 "},
        {"small.txt --mechanism tem --metric mahalanobis --epsilon 2,8 --lambda 0.25 --gamma 1.5,3",
         " --lambda 0.25 --metric mahalanobis --gamma 1.5,3 "},
        {"small.txt --mechanism tem --metric angular --epsilon 2,8 --beta 0.01",
         " --metric angular --beta 0.01 "},
        {"sample-poincare --mechanism hyperbolic --noise eq7 --epsilon 12 --words 20 --limit-rows "
         "1000",
         " --noise eq7 "},
    }));
    const ordered_json run = calibrated(terminal, options);
    const std::string command = commandIn(terminal);
    CAPTURE(command);
    CHECK_THAT(command, Contains(part));
    CHECK(givenBy(command, terminal)["cells"] == run["cells"]);
}

TEST_CASE("The command in a report gives the numbers of its evaluation") {
    const Terminal terminal;
    std::string texts = "kind of text,message,penned\n";
    for (int i = 0; i < 48; ++i) {
        const std::string first = std::to_string(i % 2 == 0 ? i % 20 : 20 + i % 20);
        texts += std::string(i % 2 == 0 ? "one," : "two,") + "w" + first + " w" +
                 std::to_string(i % 40) + " unheard number" + std::to_string(i) + ",writer" +
                 std::to_string(i % 3) + "\n";
    }
    terminal.file("-my texts.csv", texts);
    terminal.file("common.txt", "w1\nw2\n");
    struct Case {
        std::string mechanism;  ///< of the calibration too, which is not looked at
        std::string options;
        std::string part;
    };
    const Case one = GENERATE(values<Case>(
        {{" --mechanism laplace", "", " --data './-my texts.csv' --unknown mask "},
         {" --mechanism mahalanobis --lambda 0,0.5",
          " --task classify --label-column 'kind of text' --classifier vectors,linear --repeats 3 "
          "--positive two --test-text perturbed",
          " --label-column 'kind of text' "},
         {" --mechanism tem --metric euclidean --beta 0.01",
          " --task reconstruct --unknown drop --case lower --stop-words common.txt --prior uniform",
          " --unknown drop --case lower --stop-words common.txt --prior uniform "}}));
    terminal.printed(
        "calibrate small.txt --epsilon 2 --words 5 --draws 5 --format json -o run.json" +
        one.mechanism);
    terminal.printed(
        "evaluate small.txt --data './-my texts.csv' --epsilon 2,8 --seed 5 --format "
        "json -o evaluation.json" +
        one.mechanism + one.options);
    const ordered_json measured = terminal.document("evaluation.json");
    const std::string command = commandIn(terminal, "evaluate", "--evaluation evaluation.json");
    CAPTURE(command);
    CHECK_THAT(command, Contains(one.part));
    const ordered_json again = givenBy(command, terminal);
    CHECK(again["cells"] == measured["cells"]);
    CHECK(again["floor"] == measured["floor"]);
}

TEST_CASE("The command in a report reads standard input where the run did") {
    const Terminal terminal;
    CliSetup setup;
    setup.input = terminal.content("small.txt");
    const ordered_json run = calibrated(terminal, "- --words 20", setup);
    const std::string command = commandIn(terminal);
    CHECK_THAT(command, Contains("calibrate - "));
    CHECK(givenBy(command, terminal, setup)["cells"] == run["cells"]);
}

TEST_CASE("Words of a session are named as it knows them, else as words of a list") {
    const Terminal terminal;
    calibrated(terminal, terminal.path("small.txt") + " --words sparsest:4");
    document::Session session = test::sessionOf(terminal, "run.json");
    session.letterCase = text::CasePolicy::lower;
    session.wordsFrom = session.results->provenance.selection;
    session.results.reset();
    save(terminal, session);
    const ordered_json run = calibrated(terminal, "--session work.epsilens");
    CHECK(run["run"]["selection"]["words"] == "sparsest:4");
    CHECK(givenBy(commandIn(terminal), terminal)["cells"] == run["cells"]);
    // Rows are other words in other vectors.
    terminal.file("other.txt", test::madeUpGlove(60, 4, 2));
    CHECK_FALSE(
        calibrated(terminal, "other.txt --session work.epsilens")["run"].contains("selection"));

    session.wordsFrom.reset();
    save(terminal, session);
    CHECK_FALSE(calibrated(terminal, "--session work.epsilens")["run"].contains("selection"));
    CHECK_THAT(commandIn(terminal), Contains(" --words @words.txt "));

    terminal.file("d.txt", "W1 w2\n");
    CHECK(calibrated(terminal, "--session work.epsilens --data d.txt")["run"]["words"] == 2);
    CHECK_THAT(commandIn(terminal), Contains(" --data d.txt --case lower "));
}
