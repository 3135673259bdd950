#include <cmath>
#include <filesystem>
#include <string>

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "core/calibration/provenance.h"
#include "core/corpus/data_set.h"
#include "core/document/session.h"
#include "core/embedding/load.h"
#include "core/evaluation/evaluation_run.h"
#include "tests/cli/terminal.h"

using namespace epsilens;
using Catch::Matchers::Contains;
using test::CliResult;
using test::Terminal;
namespace fs = std::filesystem;

namespace {

const std::string kCalibrate =
    "calibrate small.txt --epsilon 2,8 --draws 10 --format json -o run.json";

void checkSound(const Terminal& terminal, const std::string& from) {
    const CliResult result = terminal.run("verify --from " + from);
    INFO(from << ": " << result.output << result.errors);
    CHECK(result.exitCode == 0);
    CHECK_THAT(result.output, Contains("every value is the same"));
    CHECK_THAT(result.errors, !Contains("no --lambda"));
}

/// Words on a spiral in the Poincaré disk, every part of it equally dense.
std::string spiralInTheDisk(int words) {
    std::string text;
    for (int word = 0; word < words; ++word) {
        const double norm = 0.95 * std::sqrt((word + 0.5) / words);
        text += fmt::format("w{} {:.4f} {:.4f}\n", word, norm * std::cos(2.4 * word),
                            norm * std::sin(2.4 * word));
    }
    return text;
}

/// Messages by four authors, of two classes that follow from their words. Those of the second part
/// have other numbers.
std::string spoken(int part) {
    std::string csv = "class,author,message\n";
    for (int i = 0; i < 80; ++i) {
        const int first = 30 * (i % 2);
        csv += fmt::format("{},a{},w{} w{} w{} text {}\n", i % 2 == 0 ? "ham" : "spam", i % 4,
                           first + i % 30, first + 3 * i % 30, first + 7 * i % 30, 100 * part + i);
    }
    return csv;
}

const std::string kEvaluate =
    "evaluate small.txt --data train.csv --format json -o evaluation.json ";

}  // namespace

TEST_CASE("verify repeats what a calibration and a report hold and finds each changed number") {
    const Terminal terminal;
    terminal.printed(kCalibrate + " --lambda 0,0.5 --words 20");
    checkSound(terminal, "run.json");
    terminal.printed("report --from run.json --epsilon 8 --lambda 0 --limit nw.p95<=50% -o r.json");
    checkSound(terminal, "r.json --threads 1");
    // The report has other mechanisms beside the chosen one, some of them summed exactly.
    CHECK_THAT(terminal.printed("verify --from r.json"),
               Contains("others up to a part in 1,000,000,000 of them, those of other mechanisms "
                        "up to a part in 100,000 of them or of 1, as processors"));
    const double near = terminal.document("r.json")["compared"]["rows"][1]["near"];
    terminal.change("r.json", "/compared/rows/1/near", near + 9e-6);
    checkSound(terminal, "r.json");
    terminal.change("r.json", "/compared/rows/1/near", near + 2e-5);
    CHECK_THAT(terminal.run("verify --from r.json").output, Contains("compared.rows[1].near:"));
    terminal.change("r.json", "/findings/limits/0/value", 0.125);
    terminal.fails("verify --from r.json", 4,
                   "\"findings\": limits[0].value is 0.125, and the rest");

    terminal.change("run.json", "/cells/2/sw/p25", 1e6);
    const CliResult cell = terminal.run("verify --from run.json --format json");
    CHECK(cell.exitCode == 1);
    const auto document = nlohmann::json::parse(cell.output);
    CHECK(document["confirmed"] == false);
    REQUIRE(document["differences"].size() == 1);
    CHECK(document["differences"][0]["place"] == "cells[2].sw.p25");
    CHECK(document["differences"][0]["stored"] == "1000000.0");
}

TEST_CASE("verify repeats every mechanism and choice of words") {
    const Terminal terminal;
    terminal.file("list.txt", "w3\nw1\nw40\n");
    terminal.file("records.txt", "w1 w2 w3 w9\nw11 w12\n");
    for (const char* options :
         {"--words @list.txt --lambda 0.5", "--words densest:7 --lambda 0.5",
          "--words 4 --data records.txt --lambda 0.5", "--limit-rows 50 --lambda 0.5",
          "--vocabulary list.txt --lambda 0.5", "--words 9 --independent-draws --lambda 0.5",
          "--words all --seed 9 --near 5 --lambda 0.5", "--mechanism tem --beta 0.01,0.1",
          "--mechanism tem --gamma 2 --metric angular", "--mechanism laplace"}) {
        terminal.printed(kCalibrate + " " + options);
        checkSound(terminal, "run.json");
    }
}

TEST_CASE("verify repeats hyperbolic noise by its own law only") {
    const Terminal terminal;
    terminal.file("ball.txt", spiralInTheDisk(40));
    for (const char* law : {"riemannian", "eq7"}) {
        terminal.printed(
            fmt::format("calibrate ball.txt --mechanism hyperbolic --noise {} --epsilon 2,5 "
                        "--words 20 --draws 10 --format json -o run.json",
                        law));
        checkSound(terminal, "run.json");
    }
    terminal.change("run.json", "/repeat/noise", "riemannian");
    const CliResult other = terminal.run("verify --from run.json");
    CHECK(other.exitCode == 1);
    CHECK_THAT(other.output, Contains("mechanism.noise: stored \"eq7\", found \"riemannian\"") &&
                                 Contains("cells[1].meanDistance"));
}

TEST_CASE("verify does the evaluation of a session again, also where nothing else was measured") {
    const Terminal terminal;
    document::EvaluationRequest request;
    request.data.options.path = terminal.file("mail.csv", spoken(0));
    request.data.fingerprint = corpus::fingerprintOf(request.data.options).value();
    request.load.path = terminal.path("small.txt");
    const engine::SearchSpace space(
        embedding::prepareEmbedding(embedding::loadEmbedding(request.load).value()).value());
    document::Session session;
    session.embedding.emplace().load = request.load;
    session.embedding->sha256 = space.embedding().embedding.report.sha256;
    request.options.grid.epsilons = {2.0};
    request.options.repeats = 2;
    const auto data = corpus::readDataSet(request.data.options).value();
    const document::EvaluationRecord kept{
        calibration::provenanceOf(space.embedding()),
        evaluation::Evaluation::create(space, data, request.options).value().run().value(),
        {},
        request};
    session.evaluation = kept;
    save(terminal, session);
    checkSound(terminal, "work.epsilens");
    terminal.fails("report --from work.epsilens", 4, "the session has no results");

    session.evaluationAgain = kept;
    for (const char* member : {"evaluation", "evaluationAgain"}) {
        save(terminal, session);
        terminal.change("work.epsilens", fmt::format("/{}/majority", member), 0.75);
        CHECK_THAT(terminal.run("verify --from work.epsilens").output,
                   Contains(fmt::format("{}.majority", member)));
    }
    // What a search found is not claimed to be checked.
    document::KeptSearch& search = session.search.emplace();
    search.data = request.data;
    search.options = request.options;
    search.draws = 1;
    save(terminal, session);
    terminal.fails("verify --from work.epsilens", 0,
                   "what a search for epsilon found on texts is not checked");
    terminal.file("mail.csv", spoken(1));
    terminal.fails("verify --from work.epsilens", 4, "these are not the texts");
}

TEST_CASE("verify does an evaluation again by all that it was asked for") {
    const Terminal terminal;
    terminal.file("train.csv", spoken(0));
    terminal.file("test.csv", spoken(1));
    terminal.file("stop.txt", "w1\nw2\n");
    terminal.file("counts.tsv", "w3\t9\n");
    terminal.printed(
        kEvaluate +
        "--mechanism tem --epsilon 2,4 --gamma 1.5 --seed 7 --repeats 2 --classifier "
        "linear,vectors "
        "--task classify,reconstruct,membership,authorship --test test.csv --stop-words stop.txt "
        "--prior counts.tsv --positive ham --unknown random --test-text perturbed");
    // Another number of threads than that of the run.
    checkSound(terminal, "evaluation.json --threads 1 --seed 3");

    const std::string whole = terminal.content("evaluation.json");

    // A value that it does not confirm is named.
    terminal.change("evaluation.json", "/cells/1/authorship/correct/mean", 0.125);
    terminal.change("evaluation.json", "/repeat/options/perturbTest", false);
    const CliResult changed = terminal.run("verify --from evaluation.json");
    CHECK(changed.exitCode == 1);
    CHECK_THAT(changed.output,
               Contains("cells[1].authorship.correct.mean:") &&
                   Contains("run.testText: stored \"perturbed\", found \"original\""));
    terminal.file("evaluation.json", whole);

    // Other files than its own are refused.
    terminal.fails("verify sample --from evaluation.json", 4, "SHA-256");
    for (const char* name : {"stop.txt", "counts.tsv"}) {
        const std::string own = terminal.content(name);
        terminal.file(name, own + "w9\t1\n");
        terminal.fails("verify --from evaluation.json", 4, name);
        terminal.fails("verify --from evaluation.json", 4,
                       "it is not the file that the evaluation read");
        terminal.file(name, own);
    }
    terminal.file("test.csv", spoken(2));
    terminal.fails("verify --from evaluation.json", 4, "these are not the texts of the evaluation");
    terminal.file("test.csv", spoken(1));

    // Its files are found beside it.
    fs::create_directory(terminal.path("moved"));
    for (const std::string name :
         {"evaluation.json", "small.txt", "train.csv", "test.csv", "stop.txt", "counts.tsv"}) {
        fs::rename(terminal.path(name), terminal.path("moved/" + name));
    }
    checkSound(terminal, "moved/evaluation.json");

    // One that does not say what it was asked for cannot be done again.
    terminal.change("moved/evaluation.json", "/repeat", nullptr);
    terminal.fails("verify --from moved/evaluation.json", 4, "does not hold what it was asked for");
}
