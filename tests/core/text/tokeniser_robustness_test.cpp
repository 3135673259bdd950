#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "core/text/tokeniser.h"
#include "tests/support/growth.h"

using namespace epsilens;
using namespace epsilens::text;
using namespace std::string_literals;

namespace {

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
        static_cast<void>(Tokeniser().tokenise(repeated(unit, bytes)));
    });
}

}  // namespace

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
