#include <string>
#include <utility>

#include <sys/stat.h>
#include <catch2/catch.hpp>

#include "tests/cli/terminal.h"

using namespace epsilens;
using Catch::Matchers::Contains;
using nlohmann::json;
using test::CliResult;
using test::save;
using test::Terminal;

namespace {

/// A session on a small file, with the results of its grid.
document::Session smallSession(const Terminal& terminal) {
    terminal.printed(
        "calibrate small.txt --epsilon 2,8 --lambda 0.25 --words 20 --draws 10 --seed 7 --format "
        "json -o run.json");
    document::Session session = test::sessionOf(terminal, "run.json");
    session.current = {mechanism::Mahalanobis{0.75}, 4};
    session.report.author = "the author";
    return session;
}

}  // namespace

TEST_CASE("A session gives commands what was not typed") {
    const Terminal terminal;
    save(terminal, smallSession(terminal));
    const json same = terminal.found("calibrate --session work.epsilens");
    CHECK(same["run"]["seed"] == 7);
    CHECK(same["run"]["words"] == 20);
    CHECK(same["run"]["draws"] == 10);
    CHECK(same["cells"] == json::parse(terminal.content("run.json"))["cells"]);
    const json typed = terminal.found("calibrate --session work.epsilens --epsilon 3 --seed 8");
    CHECK(typed["run"]["seed"] == 8);
    CHECK(typed["cells"].size() == 1);
    CHECK(typed["cells"][0]["lambda"] == 0.25);
    CHECK(terminal.found(
              "calibrate --session work.epsilens --mechanism laplace --epsilon 3")["mechanism"]
                                                                                  ["name"] ==
          "laplace");
    const json entry = terminal.found("guarantee --session work.epsilens")["guarantees"][0];
    CHECK(entry["epsilon"] == 4);
    CHECK(entry["lambda"] == 0.75);
    CHECK(terminal.run("info --session work.epsilens").exitCode == 0);
}

TEST_CASE("Neither a session nor the embedding that it names is written over") {
    const Terminal terminal;
    save(terminal, smallSession(terminal));
    for (const std::string read : {"work.epsilens", "small.txt"}) {
        const std::string before = terminal.content(read);
        terminal.fails("info --session work.epsilens -o " + read, 2,
                       "is read and must not be written to");
        CHECK(terminal.content(read) == before);
    }
}

// The session has a seed and stands at lambda 0.75; a release takes the one and never the other.
TEST_CASE("A session gives a release its mechanism, and no seed") {
    const Terminal terminal;
    document::Session session = smallSession(terminal);
    save(terminal, session);
    const auto settingOf = [&](const std::string& more = {}) {
        terminal.printed("sanitize --session work.epsilens --sidecar sidecar.json " + more);
        return terminal.document("sidecar.json");
    };
    const auto taken = settingOf();
    CHECK(taken["mechanism"]["name"] == "mahalanobis");
    CHECK(taken["guarantee"]["perWord"]["epsilon"] == 4);
    CHECK(taken["guarantee"]["perWord"]["lambda"] == 0.75);
    CHECK(settingOf("--epsilon 6")["guarantee"]["perWord"]["epsilon"] == 6);

    session.grid.grid.mechanism = mechanism::Tem{metric::Metric::euclidean};
    session.current = {mechanism::Tem{metric::Metric::euclidean, 0.0, 0.5}, 4};
    session.results.reset();
    save(terminal, session);
    const auto tem = settingOf();
    CHECK(tem["mechanism"]["name"] == "tem");
    CHECK(tem["guarantee"]["perWord"]["cap"] == 2);

    session.embedding.reset();
    save(terminal, session);
    terminal.fails("sanitize --session work.epsilens", 2, "EMBEDDING: a release needs one");
}

TEST_CASE("A session names files, and no pipes") {
    const Terminal terminal;
    document::Session session = smallSession(terminal);
    session.results.reset();
    const std::string pipe = terminal.path("pipe");
    REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
    embedding::LoadOptions& load = session.embedding->load;
    for (std::string* const place : {&load.path, &load.vocabularyPath}) {
        const std::string before = std::exchange(*place, pipe);
        save(terminal, session);
        terminal.fails("info --session work.epsilens", 4, pipe);
        terminal.fails("info --session work.epsilens", 4, "may name only files");
        *place = before;
    }
}

TEST_CASE("A session whose setting and grid have different mechanisms releases nothing") {
    const Terminal terminal;
    document::Session session = smallSession(terminal);
    session.results.reset();
    session.current.mechanism = mechanism::Tem{metric::Metric::euclidean};
    session.grid.grid.mechanism = mechanism::Tem{metric::Metric::angular};
    save(terminal, session);
    const std::string release = "sanitize --session work.epsilens --text-file small.txt";
    terminal.fails(release, 4, "have different mechanisms");
    CHECK(terminal.run(release).output.empty());
}

TEST_CASE("A session gives a release its policies of unknown words and letter case") {
    const Terminal terminal;
    document::Session session = smallSession(terminal);
    session.current.epsilon = 1e9;  // every word stays
    session.report.unknownWords = "keep";
    session.letterCase = text::CasePolicy::keep;
    save(terminal, session);
    const auto released = [&](const std::string& more = {}) {
        return terminal.run("sanitize --session work.epsilens " + more, "w1 W2 blorp\n");
    };
    const CliResult taken = released("--sidecar sidecar.json");
    CHECK(taken.output == "w1 W2 blorp\n");
    CHECK_THAT(taken.errors, Contains("warning: 2 words are left unprotected: 2 unknown words"));
    const auto sidecar = terminal.document("sidecar.json");
    CHECK(sidecar["settings"]["unknown"] == "keep");
    CHECK(sidecar["settings"]["case"] == "keep");
    CHECK(sidecar["counts"]["processed"] == 1);
    CHECK(released("--unknown mask").output == "w1 <unk> <unk>\n");
    CHECK(released("--mask x").output == "w1 x x\n");
    CHECK(released("--case lower").output == "w1 W2 blorp\n");
    CHECK(released("--case lower --unknown drop").output == "w1 W2 \n");

    session.report.unknownWords = "";
    session.letterCase = text::CasePolicy::automatic;
    save(terminal, session);
    CHECK(released().output == "w1 W2 <unk>\n");
}

TEST_CASE("What is typed replaces the same of a session, and what depends on it") {
    const Terminal terminal;
    document::Session session = smallSession(terminal);
    session.grid.grid.mechanism = mechanism::Tem{metric::Metric::mahalanobis};
    session.grid.grid.betas = {0.01};
    session.results.reset();
    save(terminal, session);
    const auto firstCell = [&](const std::string& more = {}) {
        return terminal.found("calibrate --session work.epsilens " + more)["cells"][0];
    };
    const json taken = firstCell();
    CHECK(taken["lambda"] == 0.25);
    CHECK(taken["beta"] == 0.01);
    const json radius = firstCell("--gamma 0.5");
    CHECK(radius["gamma"] == 0.5);
    CHECK(radius["beta"].is_null());
    // The Euclidean metric has no lambda, so that of the session goes.
    CHECK(firstCell("--metric euclidean")["beta"] == 0.01);
    CHECK(firstCell("--mechanism tem --lambda 0.75")["lambda"] == 0.75);
    terminal.fails("calibrate --session work.epsilens --noise eq7", 2,
                   "--noise: the tem mechanism does not take it");
}

TEST_CASE("A session refuses other vectors unless they were typed") {
    const Terminal terminal;
    save(terminal, smallSession(terminal));
    terminal.file("small.txt", test::madeUpGlove(60, 4, 2));
    terminal.fails("info --session work.epsilens", 4, "not the embedding of the session");
    CHECK(terminal.run("info small.txt --session work.epsilens").exitCode == 0);
    terminal.fails("info --session missing.epsilens", 4, "missing.epsilens");
}
