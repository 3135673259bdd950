#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/support/foreign_texts.h"
#include "tests/support/made_up_embedding.h"
#include "tests/support/run_cli.h"

using namespace epsilens;
using namespace std::string_literals;
using test::CliResult;
using test::CliSetup;
using test::runCli;
using Arguments = std::vector<std::string>;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;
using nlohmann::json;

namespace {

/// At so much epsilon every word stays, and unknown ones do too: what comes out is what was read.
Arguments sanitize(const test::TemporaryFolder& folder, const Arguments& options) {
    Arguments arguments{"sanitize",  folder.file("small.txt", test::madeUpGlove(60, 4, 1)),
                        "--epsilon", "1e9",
                        "--unknown", "keep"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return arguments;
}

CliResult sanitized(const test::TemporaryFolder& folder, const Arguments& options,
                    const std::string& input) {
    CliSetup setup;
    setup.input = input;
    return runCli(sanitize(folder, options), setup);
}

/// What a shell command makes of some bytes.
std::string madeBy(const std::string& command, const std::string& bytes) {
    const test::TemporaryFolder folder;
    const std::string out = folder.path("out");
    const std::string line = command + " < '" + folder.file("in", bytes) + "' > '" + out + "'";
    CHECK(std::system(line.c_str()) == 0);
    return test::contentOf(out);
}

/// The command that an error names.
std::string namedCommand(const std::string& errors) {
    const std::size_t begin = errors.find("iconv ");
    REQUIRE(begin != std::string::npos);
    const std::string end = "-t UTF-8";
    return errors.substr(begin, errors.find(end, begin) + end.size() - begin);
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
    const test::TemporaryFolder folder;
    const std::string old = folder.file("out.txt", "old");
    for (const test::ForeignText& text : test::foreignTexts()) {
        CAPTURE(text.encoding, text.utf8);
        const CliResult refused = sanitized(folder, {"--quiet"}, text.bytes);
        CHECK(refused.exitCode == 4);
        CHECK(refused.output.empty());
        CHECK_THAT(refused.errors, StartsWith("error: standard input:"));
        if (text.isTold) {
            CHECK_THAT(refused.errors, Contains(text.encoding) && Contains("--encoding"));
            CHECK(madeBy(namedCommand(refused.errors), text.bytes) == text.utf8);
        }
        const CliResult named =
            sanitized(folder,
                      {"--quiet", "--text-file", folder.file("text", text.bytes), "-o", old,
                       "--sidecar", folder.path("sidecar.json")},
                      {});
        CHECK(named.exitCode == 4);
        CHECK_THAT(named.errors, Contains(folder.path("text")));
        CHECK(test::contentOf(old) == "old");
        CHECK(folder.names() == Arguments{"out.txt", "small.txt", "text"});
    }
}

TEST_CASE("A named encoding is converted, and it is said that UTF-8 comes out") {
    const test::TemporaryFolder folder;
    const std::string sidecar = folder.path("sidecar.json");
    for (const test::ForeignText& text : test::foreignTexts()) {
        CAPTURE(text.encoding, text.utf8);
        const CliResult result =
            sanitized(folder, {"--encoding", text.encoding, "--sidecar", sidecar}, text.bytes);
        CHECK(result.exitCode == 0);
        CHECK(result.output == text.utf8);
        CHECK_THAT(result.errors,
                   Contains("the text was read as " + text.encoding + " and is written in UTF-8",
                            Catch::CaseSensitive::No));
        const json settings = json::parse(test::contentOf(sidecar))["settings"];
        CHECK_THAT(settings["encoding"].get<std::string>(),
                   Catch::Equals(text.encoding, Catch::CaseSensitive::No));
        CHECK(settings["encodingWritten"] == "UTF-8");
        CHECK(settings["invalid"] == "refuse");
    }
    const CliResult plain = sanitized(folder, {"--encoding", "utf8"}, "w1 é\n");
    CHECK(plain.output == "w1 é\n");
    CHECK_THAT(plain.errors, !Contains("was read as"));
}

TEST_CASE("Compressed and binary data are refused as what they are") {
    const test::TemporaryFolder folder;
    for (const auto& [bytes, message] :
         {std::pair(madeBy("gzip -c", lines(10)), "compressed by gzip; unpack it first: gzip -dc"),
          std::pair("\x28\xB5\x2F\xFD\x24\x05\x29\0\0w1 w2"s, "compressed by zstd"),
          std::pair("\x89PNG\r\n\x1A\n\0\0\0\rIHDR\0\0"s, "binary data, not text"),
          std::pair("\x7F\x45LF\2\1\1\0\0\0"s, "binary data, not text")}) {
        CAPTURE(message);
        const CliResult result = sanitized(folder, {"--quiet", "--invalid", "replace"}, bytes);
        CHECK(result.exitCode == 4);
        CHECK(result.output.empty());
        CHECK_THAT(result.errors, Contains(message));
    }
}

TEST_CASE("Empty text and text with a byte order mark are released") {
    const test::TemporaryFolder folder;
    CHECK(sanitized(folder, {}, "").exitCode == 0);
    const CliResult marked = sanitized(folder, {}, "\uFEFFw1 w2\n");
    CHECK(marked.exitCode == 0);
    CHECK(marked.output == "\uFEFFw1 w2\n");
    // The mark of another encoding is not of the text.
    CHECK(sanitized(folder, {"--encoding", "UTF-16LE"}, "\xFF\xFEw\0001\0\n\0"s).output == "w1\n");
}

TEST_CASE("Damage among the first bytes lets nothing out") {
    const test::TemporaryFolder folder;
    for (const auto& [text, line] :
         {std::pair("w1 é ü ö \xFF\n"s, 1), std::pair(lines(100) + "é ü ö \xC3", 101),
          std::pair("w1\nw2 \xE2\x82"s, 2),
          std::pair("é\n" + lines(9) + "\xFF é ü\n" + lines(9), 11)}) {
        CAPTURE(line);
        const CliResult result = sanitized(folder, {"--quiet"}, text);
        CHECK(result.exitCode == 4);
        CHECK(result.output.empty());
        CHECK_THAT(result.errors,
                   StartsWith("error: standard input:" + std::to_string(line) + ": "));
    }
}

TEST_CASE("Damage further on ends before its line") {
    const test::TemporaryFolder folder;
    const std::string before = lines(kManyLines);
    const std::string sidecar = folder.path("sidecar.json");
    for (const std::string& damaged : {"w1 é \xFF w2\n" + lines(10), "w1\xC3"s, "w1 \0 w2\n"s}) {
        const CliResult result =
            sanitized(folder, {"--quiet", "--sidecar", sidecar}, before + damaged);
        CHECK(result.exitCode == 4);
        CHECK(result.output == before);
        CHECK_THAT(result.errors, Contains("error: standard input:20001: "));
        const json document = json::parse(test::contentOf(sidecar));
        CHECK(document["partial"] == true);
        CHECK(document["wholeLines"] == kManyLines);
        CHECK(document["counts"]["lines"] == kManyLines);
        std::filesystem::remove(sidecar);
        const std::string old = folder.file("out.txt", "old");
        CHECK(sanitized(folder, {"-o", old, "--sidecar", sidecar}, before + damaged).exitCode == 4);
        CHECK(test::contentOf(old) == "old");
        CHECK(folder.names() == Arguments{"out.txt", "small.txt"});
        std::filesystem::remove(old);
    }
    // The same in an encoding that is named.
    const CliResult result = sanitized(folder, {"--encoding", "ISO-8859-7"}, before + "w1 \xD2\n");
    CHECK(result.exitCode == 4);
    CHECK(result.output == before);
    CHECK_THAT(result.errors, Contains("error: standard input:20001: bytes here are not text in "
                                       "ISO-8859-7"));
}

TEST_CASE("Characters are whole wherever the parts of a text end") {
    const test::TemporaryFolder folder;
    // Two, three and four bytes, around the end of the first 64 KiB and of a pipe's part.
    for (const std::string character : {"é", "€", "😀"}) {
        for (std::size_t shift = 0; shift < character.size(); ++shift) {
            std::string text(shift, '-');
            while (text.size() < 150'000) {
                text += character;
            }
            text += " w1\n";
            CAPTURE(character, shift);
            const CliResult result = sanitized(folder, {"--quiet"}, text);
            CHECK(result.exitCode == 0);
            CHECK(result.output == text);
        }
    }
}

TEST_CASE("Damaged places are replaced where that is asked for, counted and told") {
    const test::TemporaryFolder folder;
    const std::string sidecar = folder.path("sidecar.json");
    const std::string text = "w1 \xFF w2\n" + lines(kManyLines) + "w3 \xE2\x82 w4\xC3";
    const std::string expected = "w1 \uFFFD w2\n" + lines(kManyLines) + "w3 \uFFFD w4\uFFFD";
    const CliResult result =
        sanitized(folder, {"--quiet", "--invalid", "replace", "--sidecar", sidecar}, text);
    CHECK(result.exitCode == 0);
    CHECK(result.output == expected);
    CHECK_THAT(result.errors, Contains("3 damaged places of the text are replaced by U+FFFD"));
    const json document = json::parse(test::contentOf(sidecar));
    CHECK(document["settings"]["invalid"] == "replace");
    CHECK(document["counts"]["invalidReplaced"] == 3);
    const CliResult whole = sanitized(folder, {"--invalid", "replace"}, "w1 é\n");
    CHECK(whole.exitCode == 0);
    CHECK_THAT(whole.errors, !Contains("damaged"));
    const CliResult ascii =
        sanitized(folder, {"--invalid", "replace", "--encoding", "US-ASCII"}, "w1 \xE9\n");
    CHECK(ascii.output == "w1 \uFFFD\n");
    CHECK_THAT(ascii.errors, Contains("1 damaged place of the text is replaced by U+FFFD"));
}

TEST_CASE("Names that sanitize does not know are refused") {
    const test::TemporaryFolder folder;
    const CliResult encoding = sanitized(folder, {"--encoding", "klingon"}, "w1\n");
    CHECK(encoding.exitCode == 2);
    CHECK_THAT(encoding.errors, Contains("--encoding: \"klingon\" is not a known encoding"));
    const CliResult invalid = sanitized(folder, {"--invalid", "drop"}, "w1\n");
    CHECK(invalid.exitCode == 2);
    CHECK_THAT(invalid.errors, Contains("--invalid: \"drop\" is not one of refuse, replace"));
}

TEST_CASE("Commands that release nothing refuse the same texts") {
    const test::TemporaryFolder folder;
    const std::string embedding = folder.file("small.txt", test::madeUpGlove(60, 4, 1));
    const std::string russian = test::foreignTexts().front().bytes;
    const std::string text = folder.file("text", russian);
    CliSetup setup;
    setup.input = russian;
    const Arguments setting{"--epsilon", "1"};
    for (const auto& [arguments, name] :
         {std::pair(Arguments{"sample", embedding}, "standard input"s),
          std::pair(Arguments{"calibrate", embedding, "--data", text}, text),
          std::pair(Arguments{"sanitize", embedding, "--stop-words", text}, text),
          std::pair(Arguments{"info", embedding, "--vocabulary", text}, text)}) {
        Arguments all = arguments;
        if (all.front() != "info") {
            all.insert(all.end(), setting.begin(), setting.end());
        }
        CAPTURE(all);
        const CliResult result = runCli(all, setup);
        CHECK(result.exitCode == 4);
        CHECK_THAT(result.errors,
                   Contains(name + ":1: the text is not UTF-8, but perhaps windows-1251") &&
                       Contains("iconv -f windows-1251 -t UTF-8"));
    }
    const CliResult typed = runCli({"sample", embedding, "--text", "w1 \xFF"}, setup);
    CHECK(typed.exitCode == 2);
    CHECK_THAT(typed.errors, Contains("--text: ") && Contains("UTF-8"));
}
