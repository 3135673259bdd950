#include <chrono>
#include <csignal>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/support/made_up_embedding.h"
#include "tests/support/run_cli.h"

using namespace epsilens;
using test::CliProcess;
using test::CliResult;
using test::CliSetup;
using test::runCli;
using Arguments = std::vector<std::string>;
using Catch::Matchers::Contains;
using nlohmann::json;

namespace {

/// So much epsilon that every word stays: what comes out is then known.
constexpr const char* kEveryWordStays = "1e9";

Arguments sanitize(const test::TemporaryFolder& folder, const Arguments& options) {
    Arguments arguments{"sanitize", folder.file("small.txt", test::madeUpGlove(60, 4, 1))};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return arguments;
}

CliResult sanitized(const test::TemporaryFolder& folder, const Arguments& options,
                    const std::string& input) {
    CliSetup setup;
    setup.input = input;
    return runCli(sanitize(folder, options), setup);
}

bool comesToHold(const std::string& path, const std::string& content) {
    for (int i = 0; i < 6'000 && test::contentOf(path) != content; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return test::contentOf(path) == content;
}

}  // namespace

TEST_CASE("sanitize passes text through with its layout and says what it did") {
    const test::TemporaryFolder folder;
    const std::string mechanism = GENERATE("laplace", "mahalanobis", "tem");
    const CliResult result =
        sanitized(folder, {"--mechanism", mechanism, "--epsilon", kEveryWordStays},
                  "w1,  W2!\r\n\r\n\tblorp (w3)");
    CHECK(result.exitCode == 0);
    CHECK(result.output == "w1,  W2!\r\n\r\n\t<unk> (w3)");
    CHECK_THAT(result.errors, Contains("4 words in 3 lines: 3 processed, 1 unknown word masked"));
    CHECK_THAT(result.errors, Contains("not protected: the number of words"));
    CHECK_THAT(result.errors, !Contains("unprotected"));
    CHECK_THAT(result.errors, !Contains("blorp"));
}

TEST_CASE("sanitize has the hyperbolic mechanism too") {
    CliSetup setup;
    setup.input = "Dog, cat.\n";
    const CliResult result = runCli(
        {"sanitize", "sample-poincare", "--mechanism", "hyperbolic", "--epsilon", "1e6"}, setup);
    CHECK(result.exitCode == 0);
    CHECK(result.output == "Dog, cat.\n");
    CHECK_THAT(result.errors, Contains("Poincaré distance"));
}

TEST_CASE("sanitize replaces words when epsilon is small") {
    const test::TemporaryFolder folder;
    std::string text;
    for (int i = 0; i < 200; ++i) {
        text += "w1 ";
    }
    const Arguments options{"--epsilon", "0.5"};
    const CliResult first = sanitized(folder, options, text);
    const CliResult second = sanitized(folder, options, text);
    REQUIRE(first.exitCode == 0);
    CHECK(first.output != text);
    CHECK(first.output != second.output);
}

TEST_CASE("What sanitize leaves unprotected is counted and warned of") {
    const test::TemporaryFolder folder;
    const CliResult result = sanitized(folder,
                                       {"--epsilon", kEveryWordStays, "--unknown", "keep",
                                        "--stop-words", folder.file("stop.txt", "W1\n")},
                                       "w1 w2 secretname\n");
    CHECK(result.exitCode == 0);
    CHECK(result.output == "w1 w2 secretname\n");
    CHECK_THAT(result.errors, Contains("warning: 2 words are left unprotected: 1 unknown word, 1 "
                                       "stop word"));
    CHECK_THAT(result.errors, !Contains("secretname"));
}

TEST_CASE("The sidecar holds settings, counts and guarantee, and no text") {
    const test::TemporaryFolder folder;
    const std::string sidecar = folder.path("sidecar.json");
    const CliResult result = sanitized(folder,
                                       {"--mechanism", "tem", "--epsilon", "3", "--gamma", "0.5",
                                        "--sidecar", sidecar, "-o", folder.path("out.txt")},
                                       "w1 w2 secretname w3\nw4\n");
    REQUIRE(result.exitCode == 0);
    CHECK(result.output.empty());
    const std::string content = test::contentOf(sidecar);
    CHECK_THAT(content, !Contains("secretname"));
    CHECK_THAT(content, !Contains("w1") && !Contains("w4"));
    const json document = json::parse(content);
    CHECK(document["schema"] == "epsilens.sanitize/1");
    CHECK(document["embedding"]["words"] == 60);
    CHECK(document["mechanism"]["name"] == "tem");
    CHECK(document["settings"]["unknown"] == "mask");
    CHECK(document["settings"]["mask"] == "<unk>");
    CHECK(document["counts"]["lines"] == 2);
    CHECK(document["counts"]["words"] == 5);
    CHECK(document["counts"]["processed"] == 4);
    CHECK(document["counts"]["unknownMasked"] == 1);
    CHECK(!document["counts"].contains("bytesRead"));  // would tell how long the words were
    CHECK(document["counts"]["unprotected"]["unknownKept"] == 0);
    CHECK(document["counts"]["unprotected"]["hiddenCharacters"] == 0);
    // TEM: epsilon min(d, gamma) per word, so at most epsilon gamma = 1.5 each.
    CHECK(document["guarantee"]["perWord"]["bound"] == 3);
    CHECK(document["guarantee"]["perLine"]["words"] == 3);
    CHECK(document["guarantee"]["perLine"]["cap"] == 4.5);
    CHECK(document["guarantee"]["total"]["words"] == 4);
    CHECK(document["guarantee"]["total"]["cap"] == 6);
    CHECK(document["guarantee"]["total"]["boundTimesMeanDistance"] == 12);
    CHECK_THAT(document["guarantee"]["rounding"].get<std::string>(), Contains("1e-11"));
    CHECK(document["notProtected"].size() == 3);
    CHECK(document["partial"] == false);
    CHECK(test::contentOf(folder.path("out.txt")).find('\n') != std::string::npos);
    CHECK(folder.names() == Arguments{"out.txt", "sidecar.json", "small.txt"});
}

TEST_CASE("sanitize refuses what it cannot do, and says why") {
    const test::TemporaryFolder folder;
    struct Refusal {
        Arguments options;
        int exitCode;
        std::string message;
    };
    const std::string good = folder.file("text.txt", "w1\n");
    for (const auto& [options, exitCode, message] :
         {Refusal{{"--epsilon", "1", "--seed", "7"}, 2, "--seed: text for release"},
          Refusal{{}, 2, "--epsilon: a release needs one"},
          Refusal{{"--epsilon", "1,2"}, 2, "--epsilon: sanitize takes one value"},
          Refusal{{"--epsilon", "0"}, 2, "--epsilon: 0 is not above 0"},
          Refusal{{"--epsilon", "1", "--lambda", "0,1"}, 2, "--lambda: sanitize takes one value"},
          Refusal{{"--epsilon", "1", "--unknown", "hide"}, 2, "mask, random, drop, keep"},
          Refusal{{"--epsilon", "1", "--case", "upper"}, 2, "auto, keep, lower"},
          Refusal{{"--epsilon", "1", "--mask", "a\nb"}, 2, "--mask: the mask holds a line"},
          Refusal{{"--epsilon", "1", "--mask", "a\u2028b"}, 2, "line separator (U+2028)"},
          Refusal{{"--epsilon", "1", "--mask", "\u0085"}, 2, "line separator (U+0085)"},
          Refusal{{"--epsilon", "1", "--unknown", "drop", "--mask", "x"}, 2, "--unknown mask"},
          Refusal{{"--epsilon", "1", "--format", "json"}, 2, "--format: sanitize writes text"},
          Refusal{{"--epsilon", "1", "--text-file", folder.path("none")}, 4, "none"},
          Refusal{{"--epsilon", "1", "--text-file", folder.path("")}, 4, "folder"},
          Refusal{{"--epsilon", "1", "--text-file", "/dev/zero"}, 4, "device"},
          Refusal{{"--epsilon", "1", "--stop-words", folder.path("none")}, 4, "none"},
          Refusal{{"--epsilon", "1", "-o", folder.path("no/out.txt")}, 1, "cannot write"},
          Refusal{{"--epsilon", "1", "--sidecar", folder.path("no/out")}, 1, "cannot write"},
          Refusal{{"--epsilon", "1", "-o", "same", "--sidecar", "./same"}, 2, "--sidecar"},
          Refusal{{"--epsilon", "5", "--mechanism", "hyperbolic"}, 1, "norm ≥ 1"}}) {
        CAPTURE(options);
        const CliResult result = sanitized(folder, options, "w1\n");
        CHECK(result.exitCode == exitCode);
        CHECK_THAT(result.errors, Contains(message));
    }
    CliSetup both;
    both.input = "w1 1 2\n";
    CHECK(runCli({"sanitize", "-", "--epsilon", "1"}, both).exitCode == 2);
    CHECK(runCli({"sanitize", "-", "--epsilon", "1", "--text-file", good, "--mechanism", "laplace"},
                 both)
              .exitCode == 0);
}

TEST_CASE("sanitize never writes over what it reads") {
    const test::TemporaryFolder folder;
    const std::string text = folder.file("text.txt", "w1\n");
    const std::string stop = folder.file("stop.txt", "w2\n");
    const std::string embedding = folder.path("small.txt");
    for (const std::string& place : {text, stop, embedding}) {
        for (const char* option : {"-o", "--sidecar"}) {
            const CliResult result = sanitized(
                folder,
                {"--epsilon", "1", "--text-file", text, "--stop-words", stop, option, place}, {});
            CAPTURE(place, option);
            CHECK(result.exitCode == 2);
            CHECK_THAT(result.errors, Contains(place) && Contains("is read"));
        }
    }
    CHECK(test::contentOf(text) == "w1\n");
    CHECK(test::contentOf(stop) == "w2\n");
}

TEST_CASE("sanitize never writes over what it reads on standard input") {
    const test::TemporaryFolder folder;
    const std::string text = folder.file("text.txt", "w1 w2\n");
    const Arguments plain{"--epsilon", kEveryWordStays};
    const auto run = [&](Arguments options, const std::string& redirections) {
        options.insert(options.end(), plain.begin(), plain.end());
        CliSetup setup;
        setup.wrapper = test::redirectedBy(redirections);
        return runCli(sanitize(folder, options), setup);
    };
    const std::string from = "< " + text;
    const std::string onTo = " >> " + text;
    for (const auto& [options, redirections] :
         {std::pair(Arguments{"-o", text}, from), std::pair(Arguments{"--sidecar", text}, from),
          std::pair(Arguments{"-o", "/dev/stdin"}, from), std::pair(Arguments{}, from + onTo),
          std::pair(Arguments{"-o", "/dev/stdout"}, from + onTo),
          std::pair(Arguments{"--text-file", text}, onTo),
          std::pair(Arguments{"--stop-words", text}, onTo)}) {
        CAPTURE(options, redirections);
        const CliResult result = run(options, redirections);
        CHECK(result.exitCode == 2);
        CHECK_THAT(result.errors, Contains("is read"));
        CHECK(test::contentOf(text) == "w1 w2\n");
    }
    const Arguments elsewhere{"-o", folder.path("out.txt")};
    CHECK(run(elsewhere, from + onTo).exitCode == 0);  // nothing goes to standard output
    CHECK(test::contentOf(text) == "w1 w2\n");
    CHECK(test::contentOf(folder.path("out.txt")) == "w1 w2\n");
    CHECK(run(elsewhere, "< /dev/null").exitCode == 0);
    CHECK(run({"-o", "/dev/null"}, "< /dev/null").exitCode == 0);
    CHECK(run({}, "< /dev/null > /dev/null").exitCode == 0);
}

TEST_CASE("Standard output by its name is written to, not put in its place") {
    const test::TemporaryFolder folder;
    CliSetup setup;
    setup.input = "w1 w2\n";
    setup.outputPath = folder.path("all.txt");
    const CliResult both =
        runCli(sanitize(folder, {"--epsilon", kEveryWordStays, "--sidecar", "/dev/stdout"}), setup);
    CHECK(both.exitCode == 2);
    CHECK_THAT(both.errors, Contains("--sidecar: this file already receives the results"));
    const CliResult result =
        runCli(sanitize(folder, {"--epsilon", kEveryWordStays, "-o", "/dev/stdout"}), setup);
    CHECK(result.exitCode == 0);
    CHECK(test::contentOf(setup.outputPath) == "w1 w2\n");
}

TEST_CASE("What is unprotected is said and nothing appears when the sidecar cannot be written") {
    const test::TemporaryFolder folder;
    const CliResult result = sanitized(folder,
                                       {"--epsilon", kEveryWordStays, "--unknown", "keep", "-o",
                                        folder.path("out.txt"), "--sidecar", "/dev/full"},
                                       "w1 blorp\n");
    CHECK(result.exitCode == 1);
    CHECK_THAT(result.errors, Contains("warning: 1 word is left unprotected"));
    CHECK_THAT(result.errors, Contains("cannot write /dev/full"));
    CHECK(folder.names() == Arguments{"small.txt"});
    CliSetup limited;
    limited.input = "w1 blorp\n";
    limited.wrapper = test::limitedBy("-f 1");
    const CliResult full =
        runCli(sanitize(folder, {"--epsilon", kEveryWordStays, "-o", folder.path("out.txt"),
                                 "--sidecar", folder.path("sidecar.json")}),
               limited);
    CHECK(full.exitCode == 1);
    CHECK(folder.names() == Arguments{"small.txt"});
}

TEST_CASE("Hidden characters are counted and warned of") {
    const test::TemporaryFolder folder;
    const std::string text = "w1 \u0301 \u00AD w2 \u202Bw3\u202C\n";
    const CliResult result = sanitized(folder, {"--epsilon", kEveryWordStays}, text);
    CHECK(result.exitCode == 0);
    CHECK(result.output == text);
    CHECK_THAT(result.errors, Contains("warning: 4 control, format, combining or replacement "
                                       "characters"));
    const std::string sidecar = folder.path("sidecar.json");
    const CliResult marked = sanitized(folder, {"--epsilon", kEveryWordStays, "--sidecar", sidecar},
                                       "\uFEFFw1\u200B w2\u2060 \u2067w3\u2069\n");
    CHECK(marked.output == "\uFEFFw1\u200B w2\u2060 \u2067w3\u2069\n");
    CHECK_THAT(marked.errors, Contains("warning: 5 control, format, combining or replacement "
                                       "characters"));
    CHECK(json::parse(test::contentOf(sidecar))["counts"]["unprotected"]["hiddenCharacters"] == 5);
    const CliResult lost = sanitized(folder, {"--epsilon", kEveryWordStays}, "w1 \uFFFD\n");
    CHECK(lost.output == "w1 \uFFFD\n");
    CHECK_THAT(lost.errors, Contains("warning: 1 control, format, combining or replacement "));
    const CliResult tags =
        sanitized(folder, {"--epsilon", kEveryWordStays}, "w1 \U000E0063\U000E0061\U000E0074 w2\n");
    CHECK(tags.output == "w1 <unk> w2\n");
}

TEST_CASE("An interrupted text of which nothing is whole leaves the old file") {
    const test::TemporaryFolder folder;
    CliSetup setup;
    setup.input = "w1";
    setup.keepInputOpen = true;
    const std::string old = folder.file("out.txt", "old");
    CliProcess process(sanitize(folder, {"--epsilon", "1", "-o", old, "--sidecar",
                                         folder.path("sidecar.json"), "--progress"}),
                       setup);
    REQUIRE(process.waitForEmptyInput());
    process.sendSignal(SIGINT);
    const CliResult result = process.finish();
    CHECK(result.exitCode == 130);
    CHECK_THAT(result.errors, Contains("0 whole lines written"));
    CHECK(test::contentOf(old) == "old");
    CHECK(folder.names() == Arguments{"out.txt", "small.txt"});
}

TEST_CASE("A full disk or a reader that leaves is an error, and the old file stays") {
    const test::TemporaryFolder folder;
    CliSetup setup;
    setup.input = "w1 w2\n";
    setup.outputPath = "/dev/full";
    const CliResult full = runCli(sanitize(folder, {"--epsilon", "1"}), setup);
    CHECK(full.exitCode == 1);
    CHECK_THAT(full.errors, Contains("cannot write standard output"));
    const std::string old = folder.file("old.txt", "old");
    const CliResult unreadable =
        sanitized(folder, {"--epsilon", "1", "-o", old, "--text-file", folder.path("none")}, {});
    CHECK(unreadable.exitCode == 4);
    CHECK(test::contentOf(old) == "old");
    CHECK(folder.names() == Arguments{"old.txt", "small.txt"});
}

TEST_CASE("Where standard output is cut off, what is unprotected in it is said and counted") {
    const test::TemporaryFolder folder;
    CliSetup setup;
    setup.outputPath = folder.path("out.txt");
    for (int i = 0; i < 1'000; ++i) {
        setup.input += "w1 blorp w2\n";
    }
    setup.wrapper = test::limitedBy("-f 10");  // blocks of 512 bytes
    const CliResult result =
        runCli(sanitize(folder, {"--epsilon", kEveryWordStays, "--unknown", "keep", "--sidecar",
                                 folder.path("sidecar.json")}),
               setup);
    CHECK(result.exitCode == 1);
    CHECK_THAT(result.errors, Contains("words are left unprotected"));
    CHECK_THAT(result.errors, Contains("426 whole lines written, and a part of the next"));
    CHECK_THAT(result.errors, Contains("cannot write standard output: File too large"));
    const std::string out = test::contentOf(setup.outputPath);
    CHECK(out.size() == 5120);
    CHECK(setup.input.starts_with(out));
    const json document = json::parse(test::contentOf(folder.path("sidecar.json")));
    CHECK(document["partial"] == true);
    CHECK(document["wholeLines"] == 426);
    CHECK(document["counts"]["bytesWritten"] == out.size());
    CHECK(document["counts"]["unprotected"]["unknownKept"] >= 426);
}

TEST_CASE("A pipe is judged by what has come, and by its lines from there on") {
    const test::TemporaryFolder folder;
    const std::string fifo = folder.path("fifo");
    REQUIRE(mkfifo(fifo.c_str(), 0600) == 0);
    const int end = open(fifo.c_str(), O_RDWR | O_CLOEXEC);
    const auto type = [&](const std::string& text) {
        REQUIRE(write(end, text.data(), text.size()) == static_cast<ssize_t>(text.size()));
    };
    CliSetup setup;
    setup.outputPath = folder.path("out.txt");
    CliProcess process(sanitize(folder, {"--epsilon", kEveryWordStays, "--text-file", fifo}),
                       setup);
    type("w");
    type("1\nw2 ");
    CHECK(comesToHold(setup.outputPath, "w1\n"));
    type("w3\n");
    CHECK(comesToHold(setup.outputPath, "w1\nw2 w3\n"));
    type("w4 \xCC\xE5\xED\xFF \xE7\xEE\xE2\xF3\xF2\n");  // windows-1251
    const CliResult result = process.finish();
    close(end);
    CHECK(result.exitCode == 4);
    CHECK(test::contentOf(setup.outputPath) == "w1\nw2 w3\n");
    CHECK_THAT(result.errors, Contains(fifo + ":3: the text is not UTF-8"));
}

TEST_CASE("Lines come out as they come in, and Ctrl+C leaves whole ones and ends with 130") {
    const test::TemporaryFolder folder;
    const std::string fifo = folder.path("fifo");
    REQUIRE(mkfifo(fifo.c_str(), 0600) == 0);
    const int end = open(fifo.c_str(), O_RDWR | O_CLOEXEC);
    const auto type = [&](const std::string& text) {
        REQUIRE(write(end, text.data(), text.size()) == static_cast<ssize_t>(text.size()));
    };
    CliSetup setup;
    setup.outputPath = folder.path("out.txt");
    CliProcess process(sanitize(folder, {"--epsilon", kEveryWordStays, "--text-file", fifo,
                                         "--sidecar", folder.path("sidecar.json")}),
                       setup);
    type("w1 w2\nw3");
    CHECK(comesToHold(setup.outputPath, "w1 w2\n"));
    type(" w4\nw5 half of a line");
    CHECK(comesToHold(setup.outputPath, "w1 w2\nw3 w4\n"));
    process.sendSignal(SIGINT);
    const CliResult result = process.finish();
    close(end);
    CHECK(result.exitCode == 130);
    CHECK_THAT(result.errors, Contains("2 whole lines written"));
    CHECK(test::contentOf(setup.outputPath) == "w1 w2\nw3 w4\n");
    const json document = json::parse(test::contentOf(folder.path("sidecar.json")));
    CHECK(document["partial"] == true);
    CHECK(document["wholeLines"] == 2);
    CHECK(document["counts"]["words"] == 4);
}
