#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include <sys/stat.h>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "core/document/calibration_document.h"
#include "core/document/session_file.h"
#include "tests/support/made_up_embedding.h"
#include "tests/support/run_cli.h"

using namespace epsilens;
using test::CliResult;
using test::runCli;
using Arguments = std::vector<std::string>;
using Catch::Matchers::Contains;
using nlohmann::ordered_json;

namespace {

/// A session on a small file, with the results of its grid.
/// As the window keeps results; the values are made up.
std::shared_ptr<const calibration::CalibrationSummary> withWordValues(
    calibration::CalibrationSummary summary) {
    const std::size_t values = static_cast<std::size_t>(summary.words) * summary.cells.size();
    summary.perWord.cells = summary.cells.size();
    summary.perWord.words.resize(static_cast<std::size_t>(summary.words));
    std::iota(summary.perWord.words.begin(), summary.perWord.words.end(), 0);
    summary.perWord.nw.assign(values, 3);
    summary.perWord.sw.assign(values, 4);
    summary.perWord.near.assign(values, 0.5F);
    return std::make_shared<const calibration::CalibrationSummary>(std::move(summary));
}

document::Session smallSession(const test::TemporaryFolder& folder) {
    const std::string path = folder.file("small.txt", test::madeUpGlove(60, 4, 1));
    const CliResult result =
        runCli({"calibrate", path, "--epsilon", "2,8", "--lambda", "0.25", "--words", "20",
                "--draws", "10", "--seed", "7", "--format", "json"});
    INFO(result.errors);
    REQUIRE(result.exitCode == 0);
    auto record = document::readCalibration(result.output);
    REQUIRE(record);
    record->summary = withWordValues(*record->summary);
    document::Session session;
    session.version = "9.8.7";
    session.embedding = document::SessionEmbedding{record->request.load, "", 0,
                                                   record->provenance.embedding.sha256};
    session.grid = record->request.options;
    session.current = {mechanism::Mahalanobis{0.75}, 4};
    session.report.author = "the author";
    session.results = std::move(*record);
    return session;
}

ordered_json calibratedWith(const Arguments& options) {
    Arguments arguments{"calibrate", "--format", "json"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const CliResult result = runCli(arguments);
    INFO(result.errors);
    REQUIRE(result.exitCode == 0);
    return ordered_json::parse(result.output);
}

}  // namespace

TEST_CASE("A session gives commands what was not typed") {
    const test::TemporaryFolder folder;
    const std::string path = folder.path("work.epsilens");
    const document::Session session = smallSession(folder);
    REQUIRE(document::saveSession(path, session));

    const ordered_json same = calibratedWith({"--session", path});
    CHECK(same["run"]["seed"] == 7);
    CHECK(same["run"]["words"] == 20);
    CHECK(same["run"]["draws"] == 10);
    CHECK(same["cells"].size() == 2);
    CHECK(same["cells"][1]["nw"]["mean"] == session.results->summary->cells[1].nw.mean);
    const ordered_json typed = calibratedWith({"--session", path, "--epsilon", "3", "--seed", "8"});
    CHECK(typed["run"]["seed"] == 8);
    CHECK(typed["cells"].size() == 1);
    CHECK(typed["cells"][0]["lambda"] == 0.25);
    const ordered_json other =
        calibratedWith({"--session", path, "--mechanism", "laplace", "--epsilon", "3"});
    CHECK(other["mechanism"]["name"] == "laplace");

    const CliResult guarantee = runCli({"guarantee", "--session", path, "--format", "json"});
    INFO(guarantee.errors);
    REQUIRE(guarantee.exitCode == 0);
    const ordered_json entry = ordered_json::parse(guarantee.output)["guarantees"][0];
    CHECK(entry["epsilon"] == 4);
    CHECK(entry["lambda"] == 0.75);
    CHECK(runCli({"info", "--session", path}).exitCode == 0);
}

// The session has a seed and stands at lambda 0.75; a release takes the one and never the other.
TEST_CASE("Neither a session nor the embedding that it names is written over") {
    const test::TemporaryFolder folder;
    const std::string path = folder.path("work.epsilens");
    REQUIRE(document::saveSession(path, smallSession(folder)));
    for (const std::string& read : {path, folder.path("small.txt")}) {
        const std::string before = test::contentOf(read);
        const CliResult result = runCli({"info", "--session", path, "-o", read});
        CHECK(result.exitCode == 2);
        CHECK_THAT(result.errors, Contains("is read and must not be written to"));
        CHECK(test::contentOf(read) == before);
    }
}

TEST_CASE("A session gives a release its mechanism, and no seed") {
    const test::TemporaryFolder folder;
    document::Session session = smallSession(folder);
    const std::string path = folder.path("work.epsilens");
    REQUIRE(document::saveSession(path, session));
    test::CliSetup setup;
    setup.input = "w1 w2\n";
    const std::string sidecar = folder.path("sidecar.json");
    const auto settingOf = [&](const Arguments& more) {
        Arguments arguments{"sanitize", "--session", path, "--sidecar", sidecar};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const CliResult result = runCli(arguments, setup);
        INFO(result.errors);
        REQUIRE(result.exitCode == 0);
        return ordered_json::parse(test::contentOf(sidecar));
    };
    const ordered_json taken = settingOf({});
    CHECK(taken["mechanism"]["name"] == "mahalanobis");
    CHECK(taken["guarantee"]["perWord"]["epsilon"] == 4);
    CHECK(taken["guarantee"]["perWord"]["lambda"] == 0.75);
    CHECK(settingOf({"--epsilon", "6"})["guarantee"]["perWord"]["epsilon"] == 6);

    session.grid.grid.mechanism = mechanism::Tem{metric::Metric::euclidean};
    session.current = {mechanism::Tem{metric::Metric::euclidean, 0.0, 0.5}, 4};
    session.results.reset();
    REQUIRE(document::saveSession(path, session));
    const ordered_json tem = settingOf({});
    CHECK(tem["mechanism"]["name"] == "tem");
    CHECK(tem["guarantee"]["perWord"]["cap"] == 2);

    session.embedding.reset();
    REQUIRE(document::saveSession(path, session));
    const CliResult without = runCli({"sanitize", "--session", path}, setup);
    CHECK(without.exitCode == 2);
    CHECK_THAT(without.errors, Contains("EMBEDDING: a release needs one"));
}

TEST_CASE("A session names files, and no pipes") {
    const test::TemporaryFolder folder;
    document::Session session = smallSession(folder);
    session.results.reset();
    const std::string path = folder.path("work.epsilens");
    const std::string pipe = folder.path("pipe");
    REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
    for (const bool isVocabulary : {false, true}) {
        (isVocabulary ? session.embedding->load.vocabularyPath : session.embedding->load.path) =
            pipe;
        REQUIRE(document::saveSession(path, session));
        const CliResult result = runCli({"info", "--session", path});
        CHECK(result.exitCode == 4);
        CHECK_THAT(result.errors, Contains(pipe) && Contains("may name only files"));
        session.embedding->load.path = folder.path("small.txt");
    }
}

TEST_CASE("A session whose setting and grid have different mechanisms releases nothing") {
    using mechanism::Hyperbolic;
    using mechanism::Tem;
    using metric::Metric;
    const std::vector<std::pair<mechanism::Mechanism, mechanism::Mechanism>> pairs{
        {Tem{Metric::euclidean}, Tem{Metric::angular}},
        {Hyperbolic{mechanism::RadialLaw::eq7}, Hyperbolic{mechanism::RadialLaw::riemannian}},
        {mechanism::Laplace{}, mechanism::Mahalanobis{}}};
    const test::TemporaryFolder folder;
    document::Session session = smallSession(folder);
    session.results.reset();
    const std::string path = folder.path("work.epsilens");
    test::CliSetup setup;
    setup.input = "w1 w2\n";
    for (const auto& [current, grid] : pairs) {
        session.current.mechanism = current;
        session.grid.grid.mechanism = grid;
        REQUIRE(document::saveSession(path, session));
        const CliResult result = runCli({"sanitize", "--session", path}, setup);
        CHECK(result.exitCode == 4);
        CHECK(result.output.empty());
        CHECK_THAT(result.errors, Contains(path) && Contains("have different mechanisms"));
    }
}

TEST_CASE("A session gives a release its policies of unknown words and letter case") {
    const test::TemporaryFolder folder;
    document::Session session = smallSession(folder);
    session.current.epsilon = 1e9;  // every word stays
    session.report.unknownWords = "keep";
    session.letterCase = text::CasePolicy::keep;
    const std::string path = folder.path("work.epsilens");
    REQUIRE(document::saveSession(path, session));
    test::CliSetup setup;
    setup.input = "w1 W2 blorp\n";
    const auto released = [&](const Arguments& more) {
        Arguments arguments{"sanitize", "--session", path};
        arguments.insert(arguments.end(), more.begin(), more.end());
        CliResult result = runCli(arguments, setup);
        INFO(result.errors);
        REQUIRE(result.exitCode == 0);
        return result;
    };
    const CliResult taken = released({"--sidecar", folder.path("sidecar.json")});
    CHECK(taken.output == "w1 W2 blorp\n");
    CHECK_THAT(taken.errors, Contains("warning: 2 words are left unprotected: 2 unknown words"));
    const ordered_json sidecar = ordered_json::parse(test::contentOf(folder.path("sidecar.json")));
    CHECK(sidecar["settings"]["unknown"] == "keep");
    CHECK(sidecar["settings"]["case"] == "keep");
    CHECK(sidecar["counts"]["processed"] == 1);
    CHECK(released({"--unknown", "mask"}).output == "w1 <unk> <unk>\n");
    CHECK(released({"--mask", "x"}).output == "w1 x x\n");
    CHECK(released({"--case", "lower"}).output == "w1 W2 blorp\n");
    CHECK(released({"--case", "lower", "--unknown", "drop"}).output == "w1 W2 \n");

    session.report.unknownWords = "";
    session.letterCase = text::CasePolicy::automatic;
    REQUIRE(document::saveSession(path, session));
    CHECK(released({}).output == "w1 W2 <unk>\n");
}

TEST_CASE("What is typed replaces the same of a session, and what depends on it") {
    const test::TemporaryFolder folder;
    document::Session session = smallSession(folder);
    session.grid.grid.mechanism = mechanism::Tem{metric::Metric::mahalanobis};
    session.grid.grid.betas = {0.01};
    session.results.reset();
    const std::string path = folder.path("work.epsilens");
    REQUIRE(document::saveSession(path, session));
    const auto firstCell = [&](const Arguments& more) {
        Arguments options{"--session", path};
        options.insert(options.end(), more.begin(), more.end());
        return calibratedWith(options)["cells"][0];
    };
    const ordered_json taken = firstCell({});
    CHECK(taken["lambda"] == 0.25);
    CHECK(taken["beta"] == 0.01);
    const ordered_json radius = firstCell({"--gamma", "0.5"});
    CHECK(radius["gamma"] == 0.5);
    CHECK(radius["beta"].is_null());
    // The Euclidean metric has no lambda, so that of the session goes.
    CHECK(firstCell({"--metric", "euclidean"})["beta"] == 0.01);
    CHECK(firstCell({"--mechanism", "tem", "--lambda", "0.75"})["lambda"] == 0.75);
    const CliResult refused = runCli({"calibrate", "--session", path, "--noise", "eq7"});
    CHECK(refused.exitCode == 2);
    CHECK_THAT(refused.errors, Contains("--noise: the tem mechanism does not take it"));
}

TEST_CASE("A session is reported and verified as a calibration is") {
    const test::TemporaryFolder folder;
    const std::string path = folder.path("work.epsilens");
    REQUIRE(document::saveSession(path, smallSession(folder)));
    const CliResult report = runCli({"report", "--from", path});
    CHECK(report.exitCode == 0);
    CHECK_THAT(report.output, Contains("the author"));
    CHECK(runCli({"verify", "--from", path}).exitCode == 0);
    ordered_json document = ordered_json::parse(test::contentOf(path));
    document["results"]["cells"][0]["kept"] = 0.123;
    folder.file("work.epsilens", document.dump());
    const CliResult changed = runCli({"verify", "--from", path});
    CHECK(changed.exitCode == 1);
    CHECK_THAT(changed.output, Contains("cells[0].kept (ε = 2, λ = 0.25): stored 0.123"));
}

TEST_CASE("A session refuses other vectors unless they were typed") {
    const test::TemporaryFolder folder;
    const std::string path = folder.path("work.epsilens");
    REQUIRE(document::saveSession(path, smallSession(folder)));
    folder.file("small.txt", test::madeUpGlove(60, 4, 2));
    const CliResult refused = runCli({"info", "--session", path});
    CHECK(refused.exitCode == 4);
    CHECK_THAT(refused.errors, Contains("not the embedding of the session"));
    CHECK(runCli({"info", folder.path("small.txt"), "--session", path}).exitCode == 0);
    const CliResult missing = runCli({"info", "--session", folder.path("missing.epsilens")});
    CHECK(missing.exitCode == 4);
    CHECK_THAT(missing.errors, Contains("missing.epsilens"));
}
