// What files are taken for by their content.

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "core/embedding/load.h"
#include "tests/core/embedding/embedding_files.h"

using namespace epsilens;
using namespace epsilens::embedding;
using namespace std::string_literals;

namespace {

/// A tar archive of one file, laid out by POSIX.1-2017: fields of 100, 8, 8, 8, 12, 12, 8, 1 and
/// 100 bytes, then the magic text; blocks of 512 bytes.
std::string tarOf(std::string_view content, std::string_view magic) {
    constexpr std::size_t kBlock = 512;
    std::string archive("glove.txt");
    archive.resize(100, '\0');
    archive +=
        "0000644\0"
        "0001750\0"
        "0001750\0"s;
    archive += fmt::format("{:011o}", content.size()) + '\0' + "14705413000\0"s;
    archive += "        0";
    archive.resize(257, '\0');
    archive += magic;
    archive.resize(kBlock, '\0');
    archive += content;
    archive.resize((archive.size() / kBlock + 3) * kBlock, '\0');
    return archive;
}

}  // namespace

TEST_CASE("A tar archive is refused, packed or not") {
    // As POSIX has it, and as GNU tar writes it.
    const std::string magic = GENERATE(
        "ustar\0"
        "00"s,
        "ustar  \0"s);
    const std::string archive = tarOf(test::manyRows(300), magic);
    for (const std::string& bytes : {archive, test::compressed(archive, "gzip")}) {
        const auto loaded = test::loadContent(bytes);
        REQUIRE_FALSE(loaded);
        CHECK(loaded.error().code == ErrorCode::badFile);
        CHECK_THAT(loaded.error().message, Catch::Contains("it is a tar archive; unpack it"));
    }
}

TEST_CASE("The word ustar does not make a tar archive of a text") {
    for (std::size_t before = 200; before < 270; ++before) {
        const std::string content =
            "a" + std::string(before, 'b') + " 1.5 2.5\nustar 3.5 4.5\nustars 5.5 6.5\n";
        const auto loaded = test::loadContent(content);
        REQUIRE(loaded);
        CHECK(loaded->wordCount() == 3);
    }
}

// 0.1 is CD CC CC 3D in float32, so none of its bytes is a control character; 0.2 is CD CC 4C 3E.
// The bytes 61 61 61 61 are the letters "aaaa".
TEST_CASE("A small word2vec binary file is found whatever its bytes are") {
    const bool lineEnds = GENERATE(false, true);
    const float letters = std::bit_cast<float>(0x61616161U);
    for (const test::WordsAndValues& rows :
         {test::WordsAndValues{{"ab", {0.1F, 0.2F}}},
          test::WordsAndValues{{"ab", {0.1F, 0.2F}}, {"c", {0.2F, 0.1F}}},
          test::WordsAndValues{{"the", {letters, letters}}, {"of", {letters, letters}}},
          test::WordsAndValues{{"the", {letters}}, {"of", {letters}}, {"and", {letters}}}}) {
        const auto loaded = test::loadContent(test::word2vecBinary(rows, lineEnds));
        INFO((loaded ? "" : loaded.error().message));
        REQUIRE(loaded);
        CHECK(loaded->report.format == FileFormat::word2vecBinary);
        REQUIRE(loaded->wordCount() == static_cast<Row>(rows.size()));
        CHECK(loaded->vectors(0, 0) == rows.front().second.front());
        CHECK(loaded->vocabulary.word(0) == rows.front().first);
    }
}

TEST_CASE("A small word2vec binary file that is cut off says so") {
    const std::string whole =
        test::word2vecBinary({{"ab", {0.1F, 0.2F}}, {"c", {0.2F, 0.1F}}}, false);
    const auto loaded = test::loadContent(std::string_view(whole).substr(0, whole.size() - 1));
    REQUIRE_FALSE(loaded);
    CHECK_THAT(loaded.error().message, Catch::Contains("cut off"));
}

TEST_CASE("Texts with a header are not taken for binary files") {
    struct Case {
        std::string content;
        std::string partOfMessage;
    };
    for (const auto& [content, partOfMessage] :
         {// Sixteen bytes follow each word: the size is that of binary rows of 4 values.
          Case{"1 4\na 1.25 2.25 3.250\n", "announces 4 dimensions, but most lines have 3"},
          // Not UTF-8.
          Case{"2 4\nz\xe9ro 1.25 2.25 3.250\nb 1.25 2.25 3.250\n", "announces 4 dimensions"},
          Case{"5 2\nsome words and no numbers\nin two lines\n", "have 0 numbers"}}) {
        CAPTURE(content);
        const auto loaded = test::loadContent(content);
        REQUIRE_FALSE(loaded);
        CHECK_THAT(loaded.error().message, Catch::Contains(partOfMessage));
    }
    const auto text = test::loadContent("2 2\nz\xe9ro 1 2\nb 3 4\n");
    REQUIRE(text);
    CHECK(text->report.format == FileFormat::word2vecText);
}

TEST_CASE("Lines of two numbers are a list, not an embedding with a header") {
    for (const char* content :
         {"1 0.5\n2 0.7\n", "7 3\n8 4\n9 5\n", "7 3\n8 4\n", "7 3\n8 4\n9 5", "3 0\n4 1\n5 2\n",
          "0 1\n1 2\n2 3\n", "9 1\n8 4\n7 5\n", "1 999999999\n2 7\n3 8\n"}) {
        CAPTURE(content);
        const auto loaded = test::loadContent(content);
        REQUIRE_FALSE(loaded);
        CHECK(loaded.error().code == ErrorCode::badFile);
        CHECK_THAT(loaded.error().message, Catch::Contains("first lines have one number"));
        CHECK(loaded.error().remedy == Remedy::givenFormat);
        LoadOptions options;
        options.inputFormat = InputFormat::glove;
        const auto forced = test::loadContent(content, options);
        REQUIRE(forced);
        CHECK(forced->dimensions() == 1);
    }
}

TEST_CASE("A header that contradicts words with one number may be a row") {
    const auto loaded = test::loadContent("1 6\nthe 7\nof 8\nand 9\n");
    REQUIRE_FALSE(loaded);
    CHECK_THAT(loaded.error().message, Catch::Contains("announces 6 dimensions"));
    CHECK(loaded.error().remedy == Remedy::givenFormat);
}

TEST_CASE("A header that only the number of rows contradicts may be a row") {
    const auto loaded = test::loadContent("2 1\n3 4\n5 6\n7 8\n");
    REQUIRE_FALSE(loaded);
    CHECK_THAT(loaded.error().message, Catch::Contains("announces 2 rows, but the file has 3"));
    CHECK(loaded.error().remedy == Remedy::givenFormat);
}

TEST_CASE("Vectors of one dimension load with a header that agrees") {
    for (const char* content : {"2 1\n3 4\n5 6\n", "1 1\nthe 4\n"}) {
        const auto loaded = test::loadContent(content);
        REQUIRE(loaded);
        CHECK(loaded->report.format == FileFormat::word2vecText);
        CHECK(loaded->dimensions() == 1);
        CHECK(loaded->report.badLines() == 0);
    }
}

TEST_CASE("A file that is cut off in its first row is no list of numbers") {
    const auto loaded = test::loadContent("400000 300\nthe 0.418");
    REQUIRE_FALSE(loaded);
    CHECK_THAT(loaded.error().message, Catch::Contains("announces 400,000 rows"));
    CHECK(loaded.error().remedy == Remedy::none);
}
