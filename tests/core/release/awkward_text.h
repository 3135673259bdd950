#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/random_stream.h"

namespace epsilens::test {

/// Text of pieces that tokenisers and line counting trip over, in random order; UTF-8.
[[nodiscard]] inline std::string awkwardText(std::uint64_t seed, int pieces) {
    using std::string_view_literals::operator""sv;
    static constexpr std::array kPieces{
        "one"sv,     "Two"sv,    "THREE"sv,    "four-two"sv, "don’t"sv,
        "Don't"sv,   "blorp"sv,  "#one"sv,     "@two"sv,     "http://a.b/c,"sv,
        "3.14"sv,    "U.S."sv,   " "sv,        " "sv,        " "sv,
        "  "sv,      "\t"sv,     "\n"sv,       "\n"sv,       "\r\n"sv,
        "\r"sv,      "\n\n"sv,   "."sv,        ", "sv,       "…"sv,
        "-"sv,       "--"sv,     "—"sv,        "'"sv,        "’"sv,
        "\x01"sv,    "\uFFFD"sv, "\x7f"sv,     "\u0085"sv,   "\u2029"sv,
        "e\u0301"sv, "\u0301"sv, "\u00a0"sv,   "\u200b"sv,   "\u2028"sv,
        "\u202e"sv,  "שלום"sv,   "漢字かな"sv, "ไทยภาษา"sv,  "👩‍👩‍👧"sv,
        "🇩🇪"sv,      "ß"sv,      "İ"sv,        "ǆ"sv,        "one\u00adtwo"sv,
        "\ufeff"sv,  "$5"sv,     "<unk>"sv,    "x=1"sv};
    SeededStream stream(StreamKey{seed, StreamPurpose::sentence, 0, 0});
    std::string text;
    for (int i = 0; i < pieces; ++i) {
        text += kPieces[stream.below(kPieces.size())];
    }
    return text;
}

}  // namespace epsilens::test
