// Files that cannot be loaded.

#include <array>
#include <filesystem>
#include <string>

#include <fmt/format.h>
#include <unistd.h>
#include <catch2/catch.hpp>

#include "core/embedding/load.h"
#include "core/io/read_ahead.h"
#include "tests/core/embedding/embedding_files.h"
#include "tests/support/refusal.h"

using namespace epsilens;
using namespace epsilens::embedding;
using namespace std::string_literals;

TEST_CASE("What is no embedding is refused in one sentence") {
    struct Case {
        std::string content;
        std::string partOfMessage;
    };
    const std::array cases{
        Case{"", "empty"},
        Case{"\n\n \n", "not a word embedding"},
        Case{"This is a text.\nIt has lines, and nothing else.\n", "not a word embedding"},
        Case{"one\ntwo\nthree\n", "do not end in numbers"},
        Case{"the 5\nof 7\nand 2\n", "have one number"},
        Case{"a,1,2\nb,3,4\n", "not a word embedding"},
        Case{"\x80\x04\x95\x10\x00\x00\x00"s, "pickle"},
        Case{"FiFu\0\0\0\0"s, "finalfusion"},
        Case{"{\"a\": 1}\n", "it looks like JSON"},
        Case{"{\"schema\": \"epsilens.session/1\"}\n", "a document of Epsilens"},
        Case{"<!DOCTYPE html>\n", "HTML"},
        Case{"%PDF-1.7\n", "PDF"},
        Case{"\x7f"
             "ELF\x02\x01\x01"s,
             "a program"},
        Case{test::compressed(test::compressed("a 1 2\n", "gzip"), "gzip"), "compressed twice"},
        Case{test::compressed(test::compressed("a 1 2\n", "xz"), "gzip"), "compressed twice"},
        Case{"\x93NUMPY\x01\x00"s, "NumPy"},
        Case{"\x89HDF\r\n\x1a\n", "HDF5"},
        Case{std::string(100'000, '\0'), "not a word embedding"},
        Case{"3 0\na\nb\nc\n", "0 dimensions"},
        Case{"0 3\n", "no rows"},
        Case{"3 3\n", "too short"},
        Case{"3 3\na 1 2 3\nb 1 2 3\n", "too short"},
        Case{"3 3\na 1.25 2.25 3.25\nb 1.25 2.25 3.25\n", "announces 3 rows, but the file has 2"},
        Case{"1 3\na 1 2 3\nb 1 2 3\n", "announces 1 rows, but the file has 2"},
        Case{"2 4\na 1.25 2.25 3.25\nb 1.25 2.25 3.25\n", "announces 4 dimensions"},
        Case{"1000000000000 3\na 1 2 3\n", "1,000,000,000,000 rows"},
        Case{"99999999999999999999 3\na 1 2 3\n", "too short"},
        Case{"3 1000000000000\na 1 2 3\n", "1,000,000,000,000 dimensions"},
        Case{"1000000000000 3\na \x01\x02\x03\x04"s, "1,000,000,000,000 rows"},
        Case{"z\xe9ro 1 2\n 1 2\n", "no usable row is left: 2 of 2"},
        Case{"2 2\n" + std::string(100'000, '\x01') + " 12345678", "longer than"},
        Case{test::word2vecBinary({{"ab", {0.1F, 0.2F}}, {"c", {0.2F, 0.1F}}}, false).substr(0, 24),
             "cut off"},
        // Sixteen bytes follow each word: the size is that of binary rows of 4 values.
        Case{"1 4\na 1.25 2.25 3.250\n", "announces 4 dimensions, but most lines have 3"},
        Case{"2 4\nz\xe9ro 1.25 2.25 3.250\nb 1.25 2.25 3.250\n", "announces 4 dimensions"},
        Case{"5 2\nsome words and no numbers\nin two lines\n", "have 0 numbers"},
        Case{"word" + std::string(2 * io::kLongestLine, ' ') + "x", ""},
    };
    for (const Case& expected : cases) {
        CAPTURE(expected.content.substr(0, 60));
        const LoadOptions options{.memoryLimit = std::uint64_t{1} << 30};
        test::checkBadContent(expected.content, expected.partOfMessage, options);
    }
}

TEST_CASE("A header that lies takes no memory in a compressed file either") {
    const LoadOptions options{.memoryLimit = std::uint64_t{1} << 30};
    for (const std::string& content :
         {"1000000000000 3\na 1 2 3\n"s,
          "1000000000000 3\na \x01\x02\x03\x04\x01\x02\x03\x04\x01\x02\x03\x04"s}) {
        test::checkBadContent(test::compressed(content, "gzip"), "1,000,000,000,000", options);
    }
}

TEST_CASE("word2vec binary that is cut off or goes on is refused") {
    const std::string whole =
        test::word2vecBinary({{"ab", {0.1F, 2.0F}}, {"cd", {3.0F, 4.0F}}}, GENERATE(false, true));
    const LoadOptions options{.inputFormat = InputFormat::word2vecBinary};
    REQUIRE(test::loadContent(whole, options));
    const std::size_t needed = whole.ends_with('\n') ? whole.size() - 1 : whole.size();
    for (std::size_t size = 1; size < needed; ++size) {
        CAPTURE(size);
        test::checkBadContent(std::string_view(whole).substr(0, size), "", options);
    }
    test::checkBadContent(whole + "x", "goes on", options);
}

TEST_CASE("Compressed files that are cut off are refused") {
    const std::string content = test::manyRows(2'000);
    for (const std::string name : {"gzip", "xz", "bzip2", "zstd", "zip"}) {
        CAPTURE(name);
        const std::string whole =
            name == "zip" ? test::zipped({{"a.txt", content}}) : test::compressed(content, name);
        REQUIRE(test::loadContent(whole));
        for (const double share : {0.02, 0.5, 0.98}) {
            const auto size = static_cast<std::size_t>(share * static_cast<double>(whole.size()));
            CAPTURE(size);
            test::checkBadContent(std::string_view(whole).substr(0, size));
        }
    }
}

// Bits of headers, as the time of a file, change nothing. zstd data need not have a check sum.
TEST_CASE("A bit that is wrong in compressed data is never taken for a number") {
    const std::string content = test::manyRows(30);
    const auto undamaged = test::loadContent(content).value();
    for (const std::string name : {"gzip", "xz", "bzip2", "zip"}) {
        const std::string whole =
            name == "zip" ? test::zipped({{"a.txt", content}}) : test::compressed(content, name);
        std::size_t refused = 0;
        for (std::size_t place = 0; place < whole.size(); ++place) {
            CAPTURE(name, place);
            std::string bytes = whole;
            bytes[place] = static_cast<char>(bytes[place] ^ (1 << (place % 8)));
            const auto loaded = test::loadContent(bytes);
            refused += loaded ? 0 : 1;
            if (loaded) {
                REQUIRE(loaded->wordCount() == undamaged.wordCount());
                REQUIRE(loaded->vectors == undamaged.vectors);
                REQUIRE(loaded->vocabulary.word(29) == undamaged.vocabulary.word(29));
            }
        }
        CHECK(refused > whole.size() / 2);
    }
}

// A second member whose begin is damaged looks like this: its rows must not be missing in silence.
TEST_CASE("Compressed files that go on behind their data are refused, but for zeros") {
    const std::string content = test::manyRows(2'000);
    for (const std::string name : {"gzip", "xz", "bzip2", "zstd"}) {
        const std::string whole = test::compressed(content, name);
        for (const std::size_t zeros : {0U, 1U, 16U, 512U, 600'000U}) {
            CAPTURE(name, zeros);
            const std::string bytes = whole + std::string(zeros, '\0');
            const Error error = test::checkBadContent(bytes + (zeros == 1 ? whole : "x"));
            CHECK_THAT(error.message,
                       Catch::StartsWith("the " + name + " data is damaged or cut off"));
            if (name == "gzip" || name == "bzip2") {
                CHECK(test::loadContent(bytes)->wordCount() == 2'000);
            }
        }
    }
}

TEST_CASE("What cannot be opened is a bad file") {
    const test::TemporaryFolder folder;
    const auto check = [](const std::string& path, const std::string& part) {
        CHECK(test::checkRefused(loadEmbedding({.path = path}), ErrorCode::badFile, part).file ==
              path);
    };
    check(folder.path("missing.txt"), "cannot open");
    check(std::filesystem::path(folder.path("x")).parent_path(), "folder");
    check("/dev/zero", "device");
    if (::geteuid() != 0) {  // root may read everything
        const std::string path = folder.file("locked.txt", "a 1 2\n");
        std::filesystem::permissions(path, std::filesystem::perms::none);
        check(path, "");
    }
}

TEST_CASE("A file that becomes shorter while it is read is an error") {
    const test::TemporaryFolder folder;
    // More than the blocks that are read ahead, so that the end is not yet read at the first
    // report.
    const std::string content = test::manyRows(1'000'000);
    REQUIRE(content.size() > 6 * io::kLineBlockBytes);
    const LoadOptions options{.path = folder.file("shrinking.txt", content)};
    const JobContext job{
        .report = [&](const Progress&) { std::filesystem::resize_file(options.path, 1'000); }};
    test::checkRefused(loadEmbedding(options, job), ErrorCode::badFile,
                       "changed while it was read");
}

// Their decompressors take as much memory as the file asks for.
TEST_CASE("A zip file packed by an unusual method is refused by its name") {
    struct Method {
        char number;
        std::string name;
    };
    const Method method =
        GENERATE(Method{14, "lzma"}, Method{95, "xz"}, Method{98, "ppmd"}, Method{1, "shrink"});
    std::string zip = test::zipped({{"a.txt", test::manyRows(50)}});
    zip[8] = method.number;
    const Error error = test::checkBadContent(zip);
    CHECK_THAT(error.message, Catch::Contains("another method than deflation or bzip2") &&
                                  Catch::Contains(method.name));
}
