#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>

#include <catch2/catch.hpp>

#include "tests/cli/terminal.h"
#include "tests/support/foreign_texts.h"

using namespace epsilens;
using namespace std::string_literals;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;
using test::Arguments;
using test::CliResult;
using test::Terminal;

namespace {

/// At so much epsilon every word stays, and unknown ones do too: what comes out is what was read.
const std::string kKeepAll = "sanitize small.txt --unknown keep" + test::kEveryWordStays;

/// What the command that an error names makes of some bytes.
std::string convertedAs(const std::string& errors, const std::string& bytes) {
    const std::size_t begin = errors.find("iconv ");
    REQUIRE(begin != std::string::npos);
    const std::string end = "-t UTF-8";
    const std::string command = errors.substr(begin, errors.find(end, begin) + end.size() - begin);
    const test::TemporaryFolder folder;
    const std::string out = folder.path("out");
    const std::string line = command + " < '" + folder.file("in", bytes) + "' > '" + out + "'";
    CHECK(std::system(line.c_str()) == 0);
    return test::contentOf(out);
}

std::string lines(int count) {
    std::string text;
    for (int i = 0; i < count; ++i) {
        text += "w1 w2 w3 w4\n";
    }
    return text;
}

/// More than the first bytes, which decide what a text is.
constexpr int kManyLines = 20'000;

}  // namespace

TEST_CASE("Text that is not UTF-8 is refused before anything is written") {
    const Terminal terminal;
    terminal.file("out.txt", "old");
    for (const test::ForeignText& text : test::foreignTexts()) {
        CAPTURE(text.encoding, text.utf8);
        terminal.file("text", text.bytes);
        const CliResult refused =
            terminal.run(kKeepAll + "--text-file text -o out.txt --sidecar sidecar.json");
        CHECK(refused.exitCode == 4);
        CHECK_THAT(refused.errors, StartsWith("error: text:"));
        if (text.isTold) {
            CHECK_THAT(refused.errors, Contains(text.encoding) && Contains("--encoding"));
            CHECK(convertedAs(refused.errors, text.bytes) == text.utf8);
        }
        CHECK(terminal.content("out.txt") == "old");
        CHECK(terminal.names() == Arguments{"out.txt", "small.txt", "text"});
    }
}

TEST_CASE("A named encoding is converted, and it is said that UTF-8 comes out") {
    const Terminal terminal;
    // The mark of another encoding is not of the text.
    const CliResult result = terminal.run(kKeepAll + "--sidecar sidecar.json --encoding utf-16le",
                                          "\xFF\xFEw\0001\0\n\0"s);
    CHECK(result.output == "w1\n");
    CHECK_THAT(result.errors, Contains("the text was read as UTF-16LE and is written in UTF-8"));
    const auto settings = terminal.document("sidecar.json")["settings"];
    CHECK(settings["encoding"] == "UTF-16LE");
    CHECK(settings["encodingWritten"] == "UTF-8");
    const CliResult plain = terminal.run(kKeepAll + "--encoding utf8", "w1 é\n");
    CHECK(plain.output == "w1 é\n");
    CHECK_THAT(plain.errors, !Contains("was read as"));
}

TEST_CASE("Damage further on ends before its line, or is replaced, counted and told") {
    const Terminal terminal;
    const std::string before = lines(kManyLines);
    const std::string damaged = before + "w1 \xE2\x82 w4\xC3";
    const CliResult result = terminal.run(kKeepAll + "--sidecar s.json", damaged);
    CHECK(result.exitCode == 4);
    CHECK(result.output == before);
    CHECK_THAT(result.errors, Contains("error: standard input:20001: "));
    const auto sidecar = terminal.document("s.json");
    CHECK(sidecar["partial"] == true);
    CHECK(sidecar["wholeLines"] == kManyLines);
    CHECK(sidecar["counts"]["lines"] == kManyLines);
    std::filesystem::remove(terminal.path("s.json"));
    terminal.file("out.txt", "old");
    CHECK(terminal.run(kKeepAll + "-o out.txt --sidecar s.json", damaged).exitCode == 4);
    CHECK(terminal.content("out.txt") == "old");
    CHECK(terminal.names() == Arguments{"out.txt", "small.txt"});
    const CliResult replaced =
        terminal.run(kKeepAll + "--invalid replace --sidecar s.json", damaged);
    CHECK(replaced.exitCode == 0);
    CHECK(replaced.output == before + "w1 \uFFFD w4\uFFFD");
    CHECK_THAT(replaced.errors, Contains("2 damaged places of the text are replaced by U+FFFD"));
    CHECK(terminal.document("s.json")["settings"]["invalid"] == "replace");
    CHECK(terminal.document("s.json")["counts"]["invalidReplaced"] == 2);
}

TEST_CASE("Commands that release nothing refuse the same texts") {
    const Terminal terminal;
    test::CliSetup setup;
    setup.input = test::foreignTexts().front().bytes;
    terminal.file("text", setup.input);
    for (const auto& [line, name] :
         {std::pair("sample small.txt --epsilon 1", "standard input"),
          std::pair("calibrate small.txt --epsilon 1 --data text", "text"),
          std::pair("sanitize small.txt --epsilon 1 --stop-words text", "text"),
          std::pair("info small.txt --vocabulary text", "text")}) {
        const CliResult result = terminal.run(line, setup);
        CHECK(result.exitCode == 4);
        CHECK_THAT(result.errors,
                   Contains(name + ":1: the text is not UTF-8, but perhaps windows-1251"s) &&
                       Contains("iconv -f windows-1251 -t UTF-8"));
    }
    terminal.fails("sample small.txt --text 'w1 \xFF'", 2, "--text: the text is not UTF-8");
}
