#include "core/io/utf8.h"

#include <cstddef>
#include <string_view>

#include <catch2/catch.hpp>

using epsilens::io::firstCharacter;
using epsilens::io::isValidUtf8;
using namespace std::string_view_literals;

// Expected values follow table 3-7 of the Unicode standard.
TEST_CASE("Well-formed UTF-8 is told from other bytes") {
    for (const auto text : {""sv, "plain"sv, "\x7f"sv, "\xc2\x80"sv, "\xdf\xbf"sv, "\xe0\xa0\x80"sv,
                            "\xed\x9f\xbf"sv, "\xee\x80\x80"sv, "\xef\xbf\xbf"sv,
                            "\xf0\x90\x80\x80"sv, "\xf4\x8f\xbf\xbf"sv, "a\0b"sv}) {
        CAPTURE(text);
        CHECK(isValidUtf8(text));
    }
    for (const auto text :
         {"\x80"sv, "\xbf"sv, "\xc0\x80"sv, "\xc1\xbf"sv, "\xc2"sv, "\xc2\x41"sv, "\xc2\xc0"sv,
          "\xe0\x9f\xbf"sv, "\xe1\x80"sv, "\xe1\x80\x41"sv, "\xed\xa0\x80"sv, "\xed\xbf\xbf"sv,
          "\xf0\x8f\xbf\xbf"sv, "\xf1\x80\x80"sv, "\xf1\x80\x80\xc0"sv, "\xf4\x90\x80\x80"sv,
          "\xf5\x80\x80\x80"sv, "\xff"sv, "good\xe9 bad"sv}) {
        CAPTURE(text);
        CHECK_FALSE(isValidUtf8(text));
    }
}

// The same table; how much of a broken character belongs together is section 3.9.
TEST_CASE("A character is whole, cut by the end of the text, or none") {
    struct Example {
        std::string_view text;
        std::size_t bytes;
        bool isValid;
        bool isCut;
    };
    for (const auto& [text, bytes, isValid, isCut] :
         {Example{"a\xFF"sv, 1, true, false}, Example{"\0"sv, 1, true, false},
          Example{"\xC3\xA9x"sv, 2, true, false}, Example{"\xF0\x9F\x98\x80"sv, 4, true, false},
          Example{"\xC3"sv, 1, false, true}, Example{"\xE2\x82"sv, 2, false, true},
          Example{"\xF0\x9F\x98"sv, 3, false, true}, Example{"\xE2\x82x"sv, 2, false, false},
          Example{"\xED\xA0\x80"sv, 1, false, false}, Example{"\xE0\x80"sv, 1, false, false},
          Example{"\xC1\x80"sv, 1, false, false}, Example{"\x80"sv, 1, false, false}}) {
        CAPTURE(text);
        const auto step = firstCharacter(text);
        CHECK(step.bytes == bytes);
        CHECK(step.isValid == isValid);
        CHECK(step.isCut == isCut);
    }
}
