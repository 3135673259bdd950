// Options of loading, cancelling, progress and memory.

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <regex>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "core/embedding/load.h"
#include "core/io/read_ahead.h"
#include "tests/core/embedding/embedding_files.h"
#include "tests/support/redirected.h"
#include "tests/support/refusal.h"

using namespace epsilens;
using namespace epsilens::embedding;

namespace {

constexpr std::string_view kFive = "a 1 2\nb 3 4\nbad 1\nc 5 6\nd 7 8\n";

/// Loads with a stop request at the first report of progress, which is to be the last.
void checkStopsAtFirstReport(const std::string& content) {
    std::stop_source stop;
    int reports = 0;
    const JobContext job{stop.get_token(), [&](const Progress&) {
                             ++reports;
                             stop.request_stop();
                         }};
    test::checkRefused(test::loadContent(content, {}, job), ErrorCode::cancelled);
    CHECK(reports == 1);
}

}  // namespace

TEST_CASE("Strict loading stops at the first bad row and names its line") {
    const LoadOptions options{.strict = true};
    CHECK(test::loadContent("a 1 2\nb 3 4\n", options));
    struct Case {
        std::string_view badLine;
        std::string message;
    };
    for (const auto& [badLine, message] :
         {Case{"b 1", "1 number, expected 2"}, Case{"b", "0 numbers, expected 2"},
          Case{"b 1 2 3", "3 numbers, expected 2"}, Case{"b 1 2 x", "0 numbers, expected 2"},
          Case{" 1 2", "the word is empty"}, Case{"\xff 1 2", "the word is not valid UTF-8"},
          Case{"\x07 1 2", "the word has a control character"},
          Case{"b 1 inf", "a value is not a finite number"},
          Case{"a 1 2", "the word \"a\" is there again"}}) {
        CAPTURE(badLine);
        const Error error =
            test::checkBadContent(fmt::format("a 1 2\n{}\nc 1 2\nd 3 4\n", badLine), "", options);
        CHECK(error.line == 2);
        CHECK(error.message == message);
    }
}

TEST_CASE("Strict loading names the row of a binary file") {
    const Error error = test::checkBadContent(
        test::word2vecBinary({{"a", {1}}, {"\xff", {1}}}, true), "", {.strict = true});
    CHECK(error.message == "row 2: the word is not valid UTF-8");
    CHECK(error.line == 0);
}

TEST_CASE("A limit counts the rows of the file, bad ones included") {
    const auto cut = test::loadContent(kFive, {.limitRows = 4}).value();
    CHECK(cut.wordCount() == 3);
    CHECK(cut.report.limitedTo == 4);
    CHECK(cut.report.wrongLength.count == 1);

    const auto whole = test::loadContent(kFive, {.limitRows = 5}).value();
    CHECK(whole.wordCount() == 4);
    CHECK_FALSE(whole.report.limitedTo);
}

TEST_CASE("The digest of a file that is cut by a limit is still that of the whole file") {
    const std::string content = test::manyRows(200'000);
    REQUIRE(content.size() > io::kLineBlockBytes);
    for (const std::string& bytes : {content, test::compressed(content, "gzip")}) {
        const auto whole = test::loadContent(bytes).value();
        const auto cut = test::loadContent(bytes, {.limitRows = 2}).value();
        CHECK(cut.wordCount() == 2);
        CHECK(cut.report.sha256 == whole.report.sha256);
        CHECK(cut.report.fileBytes == bytes.size());
    }
}

TEST_CASE("A limit cuts text and binary files with headers") {
    const LoadOptions options{.limitRows = 1};
    for (const std::string& content :
         {std::string("2 2\na 1 2\nb 3 4\n"),
          test::word2vecBinary({{"a", {1, 2}}, {"b", {3, 4}}}, true)}) {
        const auto loaded = test::loadContent(content, options).value();
        CHECK(loaded.wordCount() == 1);
        CHECK(loaded.report.limitedTo == 1);
    }
}

TEST_CASE("A word list keeps its words in the order of the file") {
    const test::TemporaryFolder folder;
    LoadOptions options;
    const std::string list = "d\nb\nzebra\nbad\n";
    options.vocabularyPath =
        folder.file("list", GENERATE(false, true) ? list : test::compressed(list, "gzip"));
    const auto loaded = test::loadContent(kFive, options).value();
    REQUIRE(loaded.wordCount() == 2);
    CHECK(loaded.vocabulary.word(0) == "b");
    CHECK(loaded.vocabulary.word(1) == "d");
    CHECK(loaded.vectors == (RowMatrixF(2, 2) << 3.0F, 4.0F, 7.0F, 8.0F).finished());
    REQUIRE(loaded.report.vocabulary);
    CHECK(loaded.report.vocabulary->kept == 2);
    CHECK(loaded.report.vocabulary->missing == 2);
}

TEST_CASE("Word lists that help nothing are bad files") {
    const test::TemporaryFolder folder;
    LoadOptions options;
    options.vocabularyPath = folder.file("none", "zebra\n");
    test::checkBadContent(kFive, "none of the words", options);

    options.vocabularyPath = folder.path("missing");
    CHECK(test::checkBadContent(kFive, "", options).file == options.vocabularyPath);
}

TEST_CASE("A stop request ends loading with the code for it") {
    checkStopsAtFirstReport(test::manyRows(500'000));
}

TEST_CASE("A stop request before the start is noticed in every format") {
    for (const std::string& content :
         {std::string(kFive), test::compressed(kFive, "xz"), test::fasttextModel({}),
          test::word2vecBinary({{"a", {1, 2}}}, true)}) {
        test::checkRefused(test::loadContent(content, {}, test::stoppedJob()),
                           ErrorCode::cancelled);
    }
}

TEST_CASE("A stop request in the middle of a binary file ends its reading soon") {
    constexpr int kWords = 12'000;
    test::WordsAndValues rows;
    test::FasttextParts model;
    model.dimensions = 100;
    model.words.clear();
    for (int row = 0; row < kWords; ++row) {
        rows.emplace_back(fmt::format("w{}", row), std::vector<float>(100, 0.5F));
        model.words.push_back(rows.back().first);
    }
    for (const std::string& content :
         {test::word2vecBinary(rows, true), test::fasttextModel(model)}) {
        for (const std::string& bytes : {content, test::compressed(content, "zstd")}) {
            CAPTURE(bytes.size());
            checkStopsAtFirstReport(bytes);
        }
    }
}

TEST_CASE("Progress rises to one") {
    std::vector<double> fractions;
    const JobContext job{
        .report = [&](const Progress& progress) { fractions.push_back(progress.fraction); }};
    REQUIRE(test::loadContent(test::manyRows(300'000), {}, job));
    REQUIRE(fractions.size() >= 2);
    CHECK(std::ranges::is_sorted(fractions));
    CHECK(fractions.front() > 0.0);
    CHECK(fractions.back() == 1.0);
}

TEST_CASE("Memory is refused before it is taken") {
    // 20,000 rows of 300 values are 24 MB, which do not fit beside 67 MB of buffers.
    std::string content;
    for (int row = 0; row < 20'000; ++row) {
        content += fmt::format("w{}{}\n", row, test::repeated(" 1", 300));
    }
    LoadOptions options;
    options.memoryLimit = 80'000'000;
    for (const std::string& bytes : {content, test::compressed(content, "zstd")}) {
        const Error refused = test::checkRefused(test::loadContent(bytes, options),
                                                 ErrorCode::resourceLimit, "80 MB are allowed");
        CHECK_THAT(refused.message, Catch::Contains("or the words of a list"));
        CHECK(refused.remedy == Remedy::fewerRows);
        // As many rows as the message names do fit.
        std::smatch named;
        REQUIRE(std::regex_search(refused.message, named, std::regex("load the first ([0-9,]+) ")));
        std::string digits = named[1];
        std::erase(digits, ',');
        LoadOptions first = options;
        first.limitRows = std::stoll(digits);
        CHECK(first.limitRows > 1'000);
        CHECK(first.limitRows == refused.rowsThatFit);
        LoadOptions twice = options;
        twice.copies = 2;
        const auto both = test::loadContent(bytes, twice);
        REQUIRE_FALSE(both);
        CHECK(static_cast<double>(both.error().rowsThatFit) ==
              Approx(0.5 * static_cast<double>(refused.rowsThatFit)).epsilon(0.1));
        const auto loaded = test::loadContent(bytes, first);
        INFO(refused.message << (loaded ? "" : loaded.error().message));
        CHECK(loaded);
    }
    // A limit makes it fit.
    options.memoryLimit = 100'000'000;
    CHECK(test::loadContent(content, options));
}

TEST_CASE("Standard input and pipes are read as streams") {
    const test::TemporaryFolder folder;
    const std::string content =
        GENERATE(std::string(kFive), test::compressed(kFive, "gzip"), test::compressed(kFive, "xz"),
                 test::compressed(kFive, "zstd"), test::zipped({{"a.txt", std::string(kFive)}}));
    const auto plain = test::loadContent(content).value();
    LoadOptions options;

    SECTION("standard input") {
        const test::Redirected input(STDIN_FILENO, folder.file("input", content));
        options.path = "-";
        const auto loaded = loadEmbedding(options).value();
        CHECK(loaded.vectors == plain.vectors);
        CHECK(loaded.report.sha256 == plain.report.sha256);
        CHECK(loaded.name == "standard input");
    }
    SECTION("a FIFO whose writer comes late and writes in parts") {
        options.path = folder.path("fifo");
        REQUIRE(::mkfifo(options.path.c_str(), 0600) == 0);
        std::thread writer([&] {
            const int pipe = ::open(options.path.c_str(), O_WRONLY | O_CLOEXEC);
            std::size_t written = 0;
            while (written < content.size()) {
                const std::size_t part = std::min<std::size_t>(7, content.size() - written);
                const ssize_t done = ::write(pipe, content.data() + written, part);
                written += done > 0 ? static_cast<std::size_t>(done) : 0;
            }
            ::close(pipe);
        });
        const auto loaded = loadEmbedding(options).value();
        writer.join();
        CHECK(loaded.vectors == plain.vectors);
        CHECK(loaded.report.sha256 == plain.report.sha256);
        CHECK(loaded.report.fileBytes == content.size());
    }
}

TEST_CASE("Waiting for a pipe that nobody writes to can be cancelled") {
    const test::TemporaryFolder folder;
    const LoadOptions options{.path = folder.path("fifo")};
    REQUIRE(::mkfifo(options.path.c_str(), 0600) == 0);
    std::stop_source stop;
    std::thread stopper([&] {
        test::waitUntilAsleep(::getpid());
        stop.request_stop();
    });
    const auto loaded = loadEmbedding(options, JobContext{stop.get_token(), {}});
    stopper.join();
    test::checkRefused(loaded, ErrorCode::cancelled);
}
