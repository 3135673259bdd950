#include <chrono>
#include <csignal>
#include <map>
#include <sstream>
#include <string>
#include <thread>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <catch2/catch.hpp>

#include "tests/cli/terminal.h"

using namespace epsilens;
using Catch::Matchers::Contains;
using test::Arguments;
using test::CliProcess;
using test::CliResult;
using test::CliSetup;
using test::repeated;
using test::Terminal;

namespace {

/// What comes out is then what comes in.
const std::string kKeepWords = std::string("sanitize small.txt") + test::kEveryWordStays;

/// A pipe that is read from the folder, and written to by the test.
class TypedPipe {
public:
    explicit TypedPipe(const Terminal& terminal) {
        REQUIRE(mkfifo(terminal.path("fifo").c_str(), 0600) == 0);
        m_end = open(terminal.path("fifo").c_str(), O_RDWR | O_CLOEXEC);
    }
    ~TypedPipe() { close(m_end); }
    TypedPipe(const TypedPipe&) = delete;
    TypedPipe& operator=(const TypedPipe&) = delete;

    void type(const std::string& text) const {
        REQUIRE(write(m_end, text.data(), text.size()) == static_cast<ssize_t>(text.size()));
    }

private:
    int m_end = -1;
};

bool comesToHold(const std::string& path, const std::string& content) {
    for (int i = 0; i < 6'000 && test::contentOf(path) != content; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return test::contentOf(path) == content;
}

}  // namespace

TEST_CASE("sanitize replaces words when epsilon is small, otherwise each time") {
    const Terminal terminal;
    const std::string text = repeated("w1 ", 200);
    const CliResult first = terminal.run("sanitize small.txt --epsilon 0.5", text);
    REQUIRE(first.exitCode == 0);
    CHECK(first.output != text);
    CHECK(first.output != terminal.run("sanitize small.txt --epsilon 0.5", text).output);
}

TEST_CASE("Where standard output is cut off, what is unprotected in it is said and counted") {
    const Terminal terminal;
    CliSetup setup;
    setup.outputPath = terminal.path("out.txt");
    setup.input = repeated("w1 blorp w2\n", 1'000);
    setup.wrapper = test::limitedBy("-f 10");  // blocks of 512 bytes
    const CliResult result =
        terminal.run(kKeepWords + "--unknown keep --sidecar sidecar.json", setup);
    CHECK(result.exitCode == 1);
    CHECK_THAT(result.errors, Contains("words are left unprotected"));
    CHECK_THAT(result.errors, Contains("426 whole lines written, and a part of the next"));
    CHECK_THAT(result.errors, Contains("cannot write standard output: File too large"));
    const std::string out = terminal.content("out.txt");
    CHECK(out.size() == 5120);
    CHECK(setup.input.starts_with(out));
    const auto document = terminal.document("sidecar.json");
    CHECK(document["partial"] == true);
    CHECK(document["wholeLines"] == 426);
    CHECK(document["counts"]["bytesWritten"] == out.size());
    CHECK(document["counts"]["unprotected"]["unknownKept"] >= 426);
}

TEST_CASE("A pipe is judged by what has come, and by its lines from there on") {
    const Terminal terminal;
    const TypedPipe pipe(terminal);
    CliSetup setup;
    setup.outputPath = terminal.path("out.txt");
    CliProcess process = terminal.start(kKeepWords + "--text-file fifo", setup);
    pipe.type("w");
    pipe.type("1\nw2 ");
    CHECK(comesToHold(setup.outputPath, "w1\n"));
    pipe.type("w3\n");
    CHECK(comesToHold(setup.outputPath, "w1\nw2 w3\n"));
    pipe.type("w4 \xCC\xE5\xED\xFF \xE7\xEE\xE2\xF3\xF2\n");  // windows-1251
    const CliResult result = process.finish();
    CHECK(result.exitCode == 4);
    CHECK(terminal.content("out.txt") == "w1\nw2 w3\n");
    CHECK_THAT(result.errors, Contains("fifo:3: the text is not UTF-8"));
}

TEST_CASE("Lines come out as they come in, and Ctrl+C leaves whole ones and ends with 130") {
    const Terminal terminal;
    const TypedPipe pipe(terminal);
    CliSetup setup;
    setup.outputPath = terminal.path("out.txt");
    CliProcess process =
        terminal.start(kKeepWords + "--text-file fifo --sidecar sidecar.json", setup);
    pipe.type("w1 w2\nw3");
    CHECK(comesToHold(setup.outputPath, "w1 w2\n"));
    pipe.type(" w4\nw5 half of a line");
    CHECK(comesToHold(setup.outputPath, "w1 w2\nw3 w4\n"));
    process.sendSignal(SIGINT);
    const CliResult result = process.finish();
    CHECK(result.exitCode == 130);
    CHECK_THAT(result.errors, Contains("2 whole lines written"));
    CHECK(terminal.content("out.txt") == "w1 w2\nw3 w4\n");
    const auto document = terminal.document("sidecar.json");
    CHECK(document["partial"] == true);
    CHECK(document["wholeLines"] == 2);
    CHECK(document["counts"]["words"] == 4);
}

TEST_CASE("An interrupted text of which nothing is whole leaves the old file") {
    const Terminal terminal;
    const TypedPipe pipe(terminal);
    terminal.file("out.txt", "old");
    CliProcess process =
        terminal.start(kKeepWords + "--text-file fifo -o out.txt --sidecar sidecar.json");
    pipe.type("w1");
    REQUIRE(process.waitUntilItRests());
    process.sendSignal(SIGINT);
    const CliResult result = process.finish();
    CHECK(result.exitCode == 130);
    CHECK_THAT(result.errors, Contains("0 whole lines written"));
    CHECK(terminal.content("out.txt") == "old");
    CHECK(terminal.names() == Arguments{"fifo", "out.txt", "small.txt"});
}

TEST_CASE("A released cell that a spreadsheet would run gets an apostrophe") {
    const Terminal terminal;
    // With so little epsilon the noise alone decides: each corner of the hull comes out with the
    // share of 360 degrees that its normal cone has, =1 and -x with 45 each. That one of them is
    // missing in 200 cells has probability (7/8)^200 < 1e-11.
    terminal.file("formulas.txt", "=1 1 0\n-x 0 1\n+1 1 1\n@a 0 2\nplain 2 0\nword 2 1\n");
    const std::string line =
        "sanitize formulas.txt --mechanism laplace --epsilon 1e-6 --column text ";
    const auto released = [&](const std::string& cell, const std::string& options = {}) {
        CliSetup setup;
        setup.input = "text,id\n" + repeated(cell + ",=1\n", 200);
        std::map<std::string, int> starts;
        std::istringstream lines(terminal.printed(line + options, setup));
        std::string row;
        std::getline(lines, row);
        while (std::getline(lines, row)) {
            CHECK(row.ends_with(",=1"));
            ++starts[row.substr(0, row.front() == '\'' ? 2 : 1)];
        }
        return starts;
    };
    const auto plain = released("plain");
    CHECK(plain.contains("'="));
    CHECK(plain.contains("'-"));
    for (const char* bare : {"=", "-", "+", "@"}) {
        CHECK_FALSE(plain.contains(bare));
    }
    // The dash is no part of a word and stays as it was.
    CHECK(released("-plain") == std::map<std::string, int>{{"-", 200}});
    // A word as any other: that it was there must not show.
    CHECK_FALSE(released("@a").contains("@"));
    CHECK(released("@b", "--unknown keep") == std::map<std::string, int>{{"@", 200}});
    // No spreadsheet reads JSON Lines.
    CHECK_THAT(terminal.run(line, repeated("{\"text\":\"plain\"}\n", 200)).output,
               Contains("\"=1\"") && !Contains("'"));
}

TEST_CASE("Equal words get equal replacements within a record of a table, and the cost is said") {
    const Terminal terminal;
    // A record is one document, whatever fields and lines it has.
    const CliResult result = terminal.run(
        "sanitize small.txt --lambda 0 --epsilon 0.001 --consistent document --column 1 2 "
        "--sidecar sidecar.json",
        repeated("w1,\"w1\nw1\"\n", 40));
    REQUIRE(result.exitCode == 0);
    CHECK_THAT(result.errors, Contains("warning: equal words get equal replacements"));
    const auto guarantee = terminal.document("sidecar.json")["guarantee"];
    CHECK(guarantee["repetition"]["distinctWords"] == 40);
    CHECK(guarantee["repetition"]["mostDistinctInDocument"] == 1);
    CHECK(guarantee["total"]["words"] == 40);
    std::map<std::string, int> seen;
    for (std::size_t at = 0; at < result.output.size();) {
        const std::size_t comma = result.output.find(',', at);
        const std::string word = result.output.substr(at, comma - at);
        const std::string rest = fmt::format(",\"{0}\n{0}\"\n", word);
        REQUIRE(result.output.substr(comma, rest.size()) == rest);
        at = comma + rest.size();
        ++seen[word];
    }
    CHECK(seen.size() > 1);
}

TEST_CASE("sanitize --list --resume releases anew what other settings would release otherwise") {
    const Terminal terminal;
    terminal.file("a.txt", "w1 unheard\n");
    terminal.file("list", "a.txt\ta.out\n");
    terminal.file("stop", "w2\n");
    terminal.file("few", "w1\nw2\nw3\n");
    const auto isReleasedAgain = [&](const std::string& other = {},
                                     const std::string& epsilon = "1e9") {
        terminal.file("a.out", "as it was");
        terminal.printed(
            "sanitize small.txt --list list --resume --stop-words stop --vocabulary few "
            "--epsilon " +
            epsilon + " " + other);
        return terminal.content("a.out") != "as it was";
    };
    CHECK(isReleasedAgain());
    CHECK_FALSE(isReleasedAgain());
    CHECK(isReleasedAgain({}, "2e9"));
    CHECK(isReleasedAgain());
    for (const char* other :
         {"--mechanism laplace", "--lambda 0.25", "--unknown keep", "--mask [gone]", "--case keep",
          "--invalid replace", "--encoding latin1", "--consistent document", "--limit-rows 59"}) {
        CAPTURE(other);
        CHECK(isReleasedAgain(other));
        CHECK(isReleasedAgain());
    }
    // Lists of as many other words.
    terminal.file("stop", "w3\n");
    CHECK(isReleasedAgain());
    terminal.file("few", "w1\nw2\nw4\n");
    CHECK(isReleasedAgain());
    CHECK_FALSE(isReleasedAgain());
}
