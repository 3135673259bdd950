// What files are taken for by their content.

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "core/embedding/load.h"
#include "tests/core/embedding/bad_content.h"
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
        test::checkBadContent(bytes, "it is a tar archive; unpack it");
    }
}

TEST_CASE("The word ustar does not make a tar archive of a text") {
    for (std::size_t before = 200; before < 270; ++before) {
        const std::string content =
            "a" + std::string(before, 'b') + " 1.5 2.5\nustar 3.5 4.5\nustars 5.5 6.5\n";
        const auto loaded = test::loadContent(content).value();
        CHECK(loaded.wordCount() == 3);
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
        const auto loaded = test::loadContent(test::word2vecBinary(rows, lineEnds)).value();
        CHECK(loaded.report.format == FileFormat::word2vecBinary);
        REQUIRE(loaded.wordCount() == static_cast<Row>(rows.size()));
        CHECK(loaded.vectors(0, 0) == rows.front().second.front());
        CHECK(loaded.vocabulary.word(0) == rows.front().first);
    }
}

TEST_CASE("Lines of two numbers are a list, not an embedding with a header") {
    const LoadOptions options{.inputFormat = InputFormat::glove};
    for (const char* content :
         {"1 0.5\n2 0.7\n", "7 3\n8 4\n9 5\n", "7 3\n8 4\n", "7 3\n8 4\n9 5", "3 0\n4 1\n5 2\n",
          "0 1\n1 2\n2 3\n", "9 1\n8 4\n7 5\n", "1 999999999\n2 7\n3 8\n"}) {
        CAPTURE(content);
        CHECK(test::checkBadContent(content, "first lines have one number").remedy ==
              Remedy::givenFormat);
        CHECK(test::loadContent(content, options).value().dimensions() == 1);
    }
    const auto forced = test::loadContent("the 5\nof 7\n3 2\n", options).value();
    CHECK(forced.vectors == (RowMatrixF(3, 1) << 5.0F, 7.0F, 2.0F).finished());
    CHECK(forced.vocabulary.word(2) == "3");
}

TEST_CASE("A header that contradicts rows of one number may be a row itself") {
    for (const auto& [content, part] :
         {std::pair("1 6\nthe 7\nof 8\nand 9\n", "announces 6 dimensions"),
          std::pair("2 1\n3 4\n5 6\n7 8\n", "announces 2 rows, but the file has 3")}) {
        CHECK(test::checkBadContent(content, part).remedy == Remedy::givenFormat);
    }
    // A file that is cut off in its first row is no list of numbers.
    CHECK(test::checkBadContent("400000 300\nthe 0.418", "announces 400,000 rows").remedy ==
          Remedy::none);
}

TEST_CASE("Vectors of one dimension load with a header that agrees") {
    CHECK(test::loadContent("2 2\nz\xe9ro 1 2\nb 3 4\n").value().report.format ==
          FileFormat::word2vecText);
    for (const char* content : {"2 1\n3 4\n5 6\n", "1 1\nthe 4\n"}) {
        const auto loaded = test::loadContent(content).value();
        CHECK(loaded.report.format == FileFormat::word2vecText);
        CHECK(loaded.dimensions() == 1);
        CHECK(loaded.report.badLines() == 0);
    }
}
