#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "core/base/ascii.h"
#include "core/base/random_stream.h"
#include "core/text/tokeniser.h"
#include "tests/support/growth.h"

using namespace epsilens;
using namespace epsilens::text;
using namespace std::string_literals;

namespace {

/// Gaps and tokens one after the other; tokens that overlap or leave the text show as a difference.
std::string putTogether(std::string_view text, const std::vector<Token>& tokens) {
    std::string result;
    std::size_t copied = 0;
    for (const Token& token : tokens) {
        if (token.range.begin < copied || token.range.end <= token.range.begin ||
            token.range.end > text.size()) {
            return "(ranges in disorder)";
        }
        result += text.substr(copied, token.range.begin - copied);
        result += token.range.of(text);
        copied = token.range.end;
    }
    return result + std::string(text.substr(copied));
}

/// Letters, digits and symbols of ASCII: all that is neither spacing nor punctuation nor control.
bool holdsAsciiToken(std::string_view text) {
    return std::any_of(text.begin(), text.end(), [](char byte) {
        return isAsciiLetter(byte) || isAsciiDigit(byte) ||
               std::string_view("$+<=>^`|~").find(byte) != std::string_view::npos;
    });
}

bool gapsHoldNoWord(std::string_view text, const std::vector<Token>& tokens) {
    std::size_t begin = 0;
    for (const Token& token : tokens) {
        if (holdsAsciiToken(text.substr(begin, token.range.begin - begin))) {
            return false;
        }
        begin = token.range.end;
    }
    return !holdsAsciiToken(text.substr(begin));
}

/// Pieces that the rules of the tokeniser are about, and broken ones.
constexpr std::array<std::string_view, 38> kPieces = {
    "a",    "B9",   ".",    "-",        "@",      "#",         "/",      "://",
    "www.", "_",    "'",    "’",        " ",      "\n",        "(",      ")",
    "\xff", "\xe2", "\x80", "\xf0\x9f", "\u0301", "\u00AD",    "\u200D", "\U0001F600",
    "東",   "ก",    "ש",    "ä",        "½",      "12",        "\u2010", "com",
    "+",    "==",   "€",    "<",        "\u0338", "\U0001F3FD"};

std::string randomBytes(SeededStream& stream, std::size_t count) {
    std::string text(count, '\0');
    for (char& byte : text) {
        byte = static_cast<char>(stream.below(256));
    }
    return text;
}

std::string randomPieces(SeededStream& stream, std::size_t count) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint64_t choice = stream.below(kPieces.size() + 1);
        if (choice == kPieces.size()) {
            text += '\0';
        } else {
            text += kPieces[choice];
        }
    }
    return text;
}

std::string repeated(std::string_view unit, std::size_t bytes) {
    std::string text;
    text.reserve(bytes + unit.size());
    while (text.size() < bytes) {
        text += unit;
    }
    return text;
}

/// Of the time, for text of this unit alone.
double growthOf(std::string_view unit) {
    return test::growth(1 << 17, [unit](std::size_t bytes) {
        const std::string text = repeated(unit, bytes);
        CHECK(putTogether(text, Tokeniser().tokenise(text)) == text);
    });
}

}  // namespace

// Property: nothing of the text is lost or altered, and no ASCII letter, digit or symbol escapes
// the tokens.
TEST_CASE("Tokens and gaps give back random bytes, and pieces of words, signs and characters") {
    SeededStream stream({2024, StreamPurpose::sentence, 1, 0});
    Tokeniser tokeniser;
    for (int round = 0; round < 23'000; ++round) {
        const std::string text = round < 3'000 ? randomBytes(stream, stream.below(80))
                                               : randomPieces(stream, 1 + stream.below(24));
        const std::vector<Token> tokens = tokeniser.tokenise(text);
        CAPTURE(round, text);
        REQUIRE(putTogether(text, tokens) == text);
        REQUIRE(gapsHoldNoWord(text, tokens));
    }
}

TEST_CASE("Bytes that are no UTF-8 lie between tokens") {
    Tokeniser tokeniser;
    const std::string text = "caf\xe9 \xed\xa0\x80x \xf8y\0z \xc0\xaf"s;
    std::vector<std::string> found;
    for (const Token& token : tokeniser.tokenise(text)) {
        found.emplace_back(token.range.of(text));
    }
    CHECK(found == std::vector<std::string>{"caf", "x", "y", "z"});
    // ICU joins a zero-width joiner to whatever stands before it, and to the emoji behind it.
    const std::string joined = "\x8d\u200D\U0001F469";
    const std::vector<Token> tokens = tokeniser.tokenise(joined);
    REQUIRE(tokens.size() == 1);
    CHECK(tokens[0].range == TextRange{1, joined.size()});
}

TEST_CASE("Text without a line end takes time linear in its length") {
    for (const std::string_view unit : {"the quick brown fox ",
                                        "a",
                                        "a-",
                                        "a.",
                                        "a@",
                                        "a%",
                                        "@a",
                                        "#a",
                                        "@",
                                        "a+b@c.",
                                        "x://",
                                        "a/",
                                        "www.",
                                        "a://(",
                                        "((((a.bc/))))",
                                        "\u0301",
                                        "a\u0301",
                                        "\U0001F600\u200D",
                                        "+",
                                        "+-",
                                        "\U0001F600",
                                        "\U0001F1E9",
                                        "東",
                                        "カ",
                                        "ไทย",
                                        "שלום ",
                                        "\xff",
                                        "\xe2\x80",
                                        "1,",
                                        "'",
                                        "\n"}) {
        CAPTURE(unit);
        CHECK(growthOf(unit) < test::kMostLinearGrowth);
    }
    CHECK(growthOf("\0"s) < test::kMostLinearGrowth);
}

// Text above 16 MiB goes through ICU in pieces, which end at spaces: each word stays one token.
TEST_CASE("Long text is cut at spaces") {
    const std::string unit = "seventeen ";
    const std::string text = repeated(unit, (std::size_t{1} << 24) + 1000);
    Tokeniser tokeniser;
    const std::vector<Token> tokens = tokeniser.tokenise(text);
    CHECK(tokens.size() == text.size() / unit.size());
    CHECK(std::all_of(tokens.begin(), tokens.end(),
                      [&](const Token& token) { return token.range.of(text) == "seventeen"; }));
    // Without a space the cut is between characters (three bytes each here).
    const std::string unbroken = repeated("…", (std::size_t{1} << 24) + 1000) + "end";
    const std::vector<Token> last = tokeniser.tokenise(unbroken);
    REQUIRE(last.size() == 1);
    CHECK(last[0].range.of(unbroken) == "end");
}
