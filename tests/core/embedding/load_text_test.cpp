// Rows of text files: what is kept, what is skipped and where that is reported.

#include <array>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <fast_float/fast_float.h>
#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "core/embedding/load.h"
#include "core/embedding/row_table.h"
#include "core/io/read_ahead.h"
#include "tests/core/embedding/embedding_files.h"
#include "tests/support/toy_embedding.h"

using namespace epsilens;
using namespace epsilens::embedding;
using Positions = std::vector<std::int64_t>;
using namespace std::string_view_literals;

namespace {

std::vector<std::string> wordsOf(const Embedding& embedding) {
    std::vector<std::string> words;
    words.reserve(static_cast<std::size_t>(embedding.wordCount()));
    for (Row row = 0; row < embedding.wordCount(); ++row) {
        words.emplace_back(embedding.vocabulary.word(row));
    }
    return words;
}

struct Case {
    std::string_view line;
    RowStatus status;
    std::string_view word;
};

}  // namespace

TEST_CASE("Blanks, carriage returns and a missing last line end do not matter") {
    const std::string content =
        GENERATE("a 1 2\nb 3 4\n", "a 1 2\nb 3 4", "a 1 2\r\nb 3 4\r\n", "a 1 2 \nb 3 4  \n",
                 "a 1 2 \r\nb 3 4\t\r", "a\t1\t2\nb\t3\t4\n", "a  1   2\nb 3  4\n",
                 "a 1 2\n\nb 3 4\n\n \n", "a 1e0 20e-1\nb +3 +4.0\n");
    CAPTURE(content);
    const auto loaded = test::loadContent(content).value();
    CHECK(loaded.vectors == (RowMatrixF(2, 2) << 1.0F, 2.0F, 3.0F, 4.0F).finished());
    CHECK(wordsOf(loaded) == std::vector<std::string>{"a", "b"});
    CHECK(loaded.report.badLines() == 0);
}

TEST_CASE("Bad rows are counted with their lines and left out") {
    const auto loaded = test::loadContent(
                            "a 1 2\n"        // 1
                            "b 1 2 3\n"      // 2 too many
                            "c 1\n"          // 3 too few
                            "z\xe9ro 1 2\n"  // 4 not UTF-8
                            " 1 2\n"         // 5 no word
                            "d nan 2\n"      // 6 not finite
                            "e 1 1e39\n"     // 7 beyond float32
                            "\n"             // 8 blank
                            "a 5 6\n"        // 9 repeats line 1
                            "f 7 8\n"        // 10
                            "g 1 x\n")
                            .value();  // 11 not a number
    const LoadReport& report = loaded.report;
    CHECK(wordsOf(loaded) == std::vector<std::string>{"a", "f"});
    CHECK(loaded.vectors == (RowMatrixF(2, 2) << 1.0F, 2.0F, 7.0F, 8.0F).finished());
    CHECK(report.wrongLength.firstPositions == Positions{2, 3, 11});
    CHECK(report.invalidText.firstPositions == Positions{4});
    CHECK(report.emptyWords.firstPositions == Positions{5});
    CHECK(report.notFinite.firstPositions == Positions{6, 7});
    CHECK(report.duplicates.firstPositions == Positions{9});
    CHECK(report.badLines() == 7);
}

TEST_CASE("Lines are counted from the header") {
    const auto loaded = test::loadContent("3 2\na 1 2\nb 1\nc 3 4\n").value();
    CHECK(loaded.report.wrongLength.firstPositions == Positions{3});
}

// Behind its two numbers the last row is complete as far as anyone can tell.
TEST_CASE("A text with a header that is cut off anywhere before its last number is refused") {
    const std::string whole = "3 2\na 1.25 2.25\nb 3.25 4.25\nword 5.25 6.25\n";
    const std::size_t lastNumber = whole.rfind("6.25");
    for (std::size_t size = 5; size < lastNumber; ++size) {
        CAPTURE(size);
        test::checkBadContent(whole.substr(0, size), "cut off");
    }
    const auto cut = test::loadContent(whole.substr(0, lastNumber));
    REQUIRE_FALSE(cut);
    CHECK(cut.error().message == "the file ends in row 3 of 3; it may be cut off");
    // Bad rows that have their line end, or more values than they should, are none of this.
    for (const char* last : {"word 5.25\n", "word 5.25 \r\n", "word 5.25 6.25 7.25"}) {
        const auto loaded =
            test::loadContent("3 2\na 1.25 2.25\nb 3.25 4.25\n" + std::string(last)).value();
        CHECK(loaded.report.wrongLength.firstPositions == Positions{4});
        CHECK_FALSE(loaded.report.endsWithinRow);
    }
}

TEST_CASE("A text without a header that ends within a row says so") {
    for (const char* last : {"c 5", "c", "c 5 ", "c 5 0.5e", "c 5 -"}) {
        CAPTURE(last);
        const auto loaded = test::loadContent("a 1 2\nb 3 4\n" + std::string(last)).value();
        CHECK(loaded.wordCount() == 2);
        CHECK(loaded.report.wrongLength.firstPositions == Positions{3});
        CHECK(loaded.report.endsWithinRow);
    }
    for (const char* last : {"c 5\n", "c 5 6", "c 5 6 7", "c 5\n ", ""}) {
        CAPTURE(last);
        const auto loaded = test::loadContent("a 1 2\nb 3 4\n" + std::string(last)).value();
        CHECK_FALSE(loaded.report.endsWithinRow);
    }
}

TEST_CASE("Bad rows of binary files are counted by row") {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const auto loaded = test::loadContent(test::word2vecBinary({{"a", {1, 2}},
                                                                {"b", {1, nan}},
                                                                {"z\xe9ro", {1, 2}},
                                                                {"", {1, 2}},
                                                                {"a", {1, 2}},
                                                                {"c", {3, 4}}},
                                                               GENERATE(false, true)))
                            .value();
    CHECK(wordsOf(loaded) == std::vector<std::string>{"a", "c"});
    CHECK(loaded.vectors(1, 1) == 4.0F);
    CHECK(loaded.report.notFinite.firstPositions == Positions{2});
    CHECK(loaded.report.invalidText.firstPositions == Positions{3});
    CHECK(loaded.report.emptyWords.firstPositions == Positions{4});
    CHECK(loaded.report.duplicates.firstPositions == Positions{5});
}

TEST_CASE("Words with control characters are left out of all formats") {
    const std::string word("a\x01\0b", 4);
    const test::FasttextParts model{.longest = 0, .words = {"x", "a\x01\x7f", "y"}};
    for (const std::string& content :
         {"x 1 2\n" + word + " 3 4\ny 5 6\n", "3 2\nx 1 2\n" + word + " 3 4\ny 5 6\n",
          test::word2vecBinary({{"x", {1, 2}}, {word, {3, 4}}, {"y", {5, 6}}}, false),
          test::fasttextModel(model)}) {
        const auto loaded = test::loadContent(content).value();
        CAPTURE(formatName(loaded.report.format));
        CHECK(wordsOf(loaded) == std::vector<std::string>{"x", "y"});
        const bool header = loaded.report.format == FileFormat::word2vecText;
        CHECK(loaded.report.invalidText.firstPositions == Positions{header ? 3 : 2});
        CHECK(loaded.report.badLines() == 1);
    }
}

TEST_CASE("Only the first positions are kept") {
    const auto loaded = test::loadContent(test::repeated("a 1 2\n", 10)).value();
    CHECK(loaded.report.duplicates.count == 9);
    CHECK(loaded.report.duplicates.firstPositions == Positions{2, 3, 4, 5, 6});
}

TEST_CASE("The dimension is what most of the first thousand lines have") {
    // 400 lines of one value, 600 of three; then any number of others, which do not count.
    std::string content;
    for (int i = 0; i < 400; ++i) {
        content += fmt::format("x{} 1\n", i);
    }
    for (int i = 0; i < 600; ++i) {
        content += fmt::format("y{} 1 2 3\n", i);
    }
    for (int i = 0; i < 2000; ++i) {
        content += fmt::format("z{} 1 2\n", i);
    }
    const auto loaded = test::loadContent(content).value();
    CHECK(loaded.dimensions() == 3);
    CHECK(loaded.wordCount() == 600);
    CHECK(loaded.report.wrongLength.count == 2400);
}

TEST_CASE("A file of many blocks gives the same rows for any number of threads") {
    // Several blocks of the reader and the pieces into which they are split.
    constexpr Row kRows = 80'000;
    std::string content;
    for (Row row = 0; row < kRows; ++row) {
        content += fmt::format("word{} ", row);
        for (int i = 0; i < 24; ++i) {
            content += fmt::format("{}.5 ", (row * 7 + i) % 100'000);
        }
        content += row % 20'000 == 19'999 ? "bad\n" : "\n";
    }
    REQUIRE(content.size() > 3 * io::kLineBlockBytes);
    for (const int threads : {1, 2, 5}) {
        const LoadOptions options{.threads = threads};
        const auto loaded =
            test::loadContent(threads == 5 ? test::compressed(content, "gzip") : content, options)
                .value();
        REQUIRE(loaded.wordCount() == kRows - 4);
        CHECK(loaded.report.wrongLength.firstPositions ==
              Positions{20'000, 40'000, 60'000, 80'000});
        for (const Row row : test::rowsBelow(kRows - 4, 997)) {
            const Row original = row + row / 19'999;
            REQUIRE(loaded.vocabulary.word(row) == fmt::format("word{}", original));
            for (int i = 0; i < 24; ++i) {
                const auto expected = static_cast<float>((original * 7 + i) % 100'000) + 0.5F;
                REQUIRE(loaded.vectors(row, i) == expected);
            }
        }
    }
}

// Origin: the rules in the issue and the header, worked out by hand for three values a line.
TEST_CASE("Lines are split into word and numbers") {
    const std::array cases{
        Case{"the 1 2 3", RowStatus::usable, "the"},
        Case{"the\t1\t2\t3", RowStatus::usable, "the"},
        Case{"the  1   2 \t 3", RowStatus::usable, "the"},
        Case{"the 1 2 3 \t \r", RowStatus::usable, "the"},
        Case{". . . 1 2 3", RowStatus::usable, ". . ."},
        Case{"at name@domain.com 1 2 3", RowStatus::usable, "at name@domain.com"},
        Case{"2 1 2 3", RowStatus::usable, "2"},
        Case{"2 of 1 2 3", RowStatus::usable, "2 of"},
        Case{"nan 1 2 3", RowStatus::usable, "nan"},
        Case{" the 1 2 3", RowStatus::usable, "the"},
        Case{"\xe6\x97\xa5\xe6\x9c\xac 1 2 3", RowStatus::usable, "\xe6\x97\xa5\xe6\x9c\xac"},
        Case{"", RowStatus::blank, ""},
        Case{" \t\r", RowStatus::blank, ""},
        Case{"the", RowStatus::wrongLength, ""},
        Case{"the 1 2", RowStatus::wrongLength, ""},
        Case{"the 1 2 3 4", RowStatus::wrongLength, ""},
        Case{"of the 0 1 2 3", RowStatus::wrongLength, ""},
        Case{" 0 1 2 3", RowStatus::wrongLength, ""},
        Case{"1 2 3", RowStatus::wrongLength, ""},
        Case{"the 1 2 x", RowStatus::wrongLength, ""},
        Case{"the 1 2 3x", RowStatus::wrongLength, ""},
        Case{"the 1 2 0,3", RowStatus::wrongLength, ""},
        Case{"the 1 2 +-3", RowStatus::wrongLength, ""},
        Case{"the 1 2 ++3", RowStatus::wrongLength, ""},
        Case{"the 1 2 +", RowStatus::wrongLength, ""},
        Case{"the 1 2 .", RowStatus::wrongLength, ""},
        Case{"the 1 2 -", RowStatus::wrongLength, ""},
        Case{"the 1 2 -.", RowStatus::wrongLength, ""},
        Case{"the 1 2 3.0.0", RowStatus::wrongLength, ""},
        Case{"the 1 2 3-", RowStatus::wrongLength, ""},
        Case{"the 1 2 0x3", RowStatus::wrongLength, ""},
        Case{" 1 2 3", RowStatus::emptyWord, ""},
        Case{"z\xe9ro 1 2 3", RowStatus::invalidText, "z\xe9ro"},
        Case{"a\0b 1 2 3"sv, RowStatus::controlCharacter, "a\0b"sv},
        Case{"\x01 1 2 3", RowStatus::controlCharacter, "\x01"},
        Case{"a\x1f 1 2 3", RowStatus::controlCharacter, "a\x1f"},
        Case{"a\x7f"
             "b 1 2 3",
             RowStatus::controlCharacter,
             "a\x7f"
             "b"},
        Case{"a\rb 1 2 3", RowStatus::controlCharacter, "a\rb"},
        Case{"New\tYork\t1\t2\t3", RowStatus::usable, "New\tYork"},
        Case{"\xc2\x85 1 2 3", RowStatus::usable, "\xc2\x85"},
        Case{"the 1 nan 3", RowStatus::notFinite, "the"},
        Case{"the 1 2 -inf", RowStatus::notFinite, "the"},
        Case{"the 1e39 2 3", RowStatus::notFinite, "the"},
        Case{"the 1 -1e400 3", RowStatus::notFinite, "the"},
    };
    for (const Case& expected : cases) {
        CAPTURE(expected.line);
        std::array<float, 3> values{};
        const ParsedLine line = parseLine(expected.line, 3, values.data());
        CHECK(line.status == expected.status);
        CHECK((line.status == RowStatus::wrongLength || line.word == expected.word));
        if (line.status == RowStatus::usable) {
            CHECK(values == std::array{1.0F, 2.0F, 3.0F});
        }
    }
}

TEST_CASE("All ways to write a number are read and rounded once") {
    // The long fractions lie just above and below the middle of two neighbouring float32 numbers
    // (1 + 2^-24), so that rounding through float64 would go wrong.
    struct Number {
        std::string_view text;
        float value;
    };
    const std::array numbers{
        Number{"+1.5", 1.5F},
        Number{"-1.5", -1.5F},
        Number{".5", 0.5F},
        Number{"-.25", -0.25F},
        Number{"5.", 5.0F},
        Number{"-8.269973595356034e-05", -8.269973595356034e-05F},
        Number{"1E+2", 100.0F},
        Number{"16777217", 16777216.0F},
        Number{"0.41799998", 0.41799998F},
        Number{"123456.7", 123456.7F},
        Number{"00012.50", 12.5F},
        Number{"1.0000000596046447753906251", 1.00000012F},
        Number{"1.0000000596046447753906249", 1.0F},
        Number{"3.4028234e38", std::numeric_limits<float>::max()},
        Number{"1e-60", 0.0F},
        Number{"1e-45", std::numeric_limits<float>::denorm_min()},
    };
    for (const Number& number : numbers) {
        CAPTURE(number.text);
        float value = 99.0F;
        const std::string line = "w " + std::string(number.text);
        REQUIRE(parseLine(line, 1, &value).status == RowStatus::usable);
        CHECK(value == number.value);
    }
}

// Origin: the same text through fast_float, which rounds correctly.
TEST_CASE("Short decimals are rounded as long ones") {
    std::uint32_t state = 12345;
    const auto next = [&state](std::uint32_t bound) {
        state = state * 1664525U + 1013904223U;
        return (state >> 8) % bound;
    };
    for (int i = 0; i < 200'000; ++i) {
        std::string number = next(2) == 0 ? "-" : "";
        const std::uint32_t before = next(9);
        const std::uint32_t after = next(12) + (before == 0 ? 1 : 0);
        for (std::uint32_t digit = 0; digit < before + after; ++digit) {
            number += digit == before ? "." : "";
            number += static_cast<char>('0' + (next(3) == 0 ? 0 : next(10)));
        }
        float expected = 0.0F;
        fast_float::from_chars(number.data(), number.data() + number.size(), expected);
        float value = 99.0F;
        const std::string line = "w " + number;
        CAPTURE(number);
        REQUIRE(parseLine(line, 1, &value).status == RowStatus::usable);
        REQUIRE(value == expected);
    }
}

TEST_CASE("Numbers at the end of a line are counted without the word") {
    CHECK(countNumbers("the 1 2 3") == 3);
    CHECK(countNumbers(". . . 1 2 3 \r") == 3);
    CHECK(countNumbers("1 2 3") == 2);
    CHECK(countNumbers(" 1 2 3") == 3);
    CHECK(countNumbers("just a text") == 0);
    CHECK(countNumbers("ends in 7") == 1);
    CHECK(countNumbers("w nan inf") == 2);
    CHECK(countNumbers("") == 0);
}
