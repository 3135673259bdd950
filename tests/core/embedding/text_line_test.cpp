#include "core/embedding/text_line.h"

#include <array>
#include <limits>
#include <string>
#include <string_view>

#include <fast_float/fast_float.h>
#include <catch2/catch.hpp>

using namespace epsilens::embedding;
using namespace std::string_view_literals;

namespace {

struct Case {
    std::string_view line;
    RowStatus status;
    std::string_view word;
};

}  // namespace

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
