#include "core/text/tokeniser.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <catch2/catch.hpp>

#include "tests/support/growth.h"
#include "tests/support/temporary_folder.h"

using namespace epsilens::text;
using Spellings = std::vector<std::string>;
using namespace epsilens;
using namespace std::string_literals;

namespace {

Spellings spellings(std::string_view text) {
    Tokeniser tokeniser;
    Spellings result;
    for (const Token& token : tokeniser.tokenise(text)) {
        result.emplace_back(token.range.of(text));
    }
    return result;
}

struct Kinded {
    std::string spelling;
    TokenKind kind;

    bool operator==(const Kinded&) const = default;
};

std::ostream& operator<<(std::ostream& stream, const Kinded& token) {
    return stream << token.spelling << " (" << static_cast<int>(token.kind) << ')';
}

std::vector<Kinded> kinded(std::string_view text) {
    Tokeniser tokeniser;
    std::vector<Kinded> result;
    for (const Token& token : tokeniser.tokenise(text)) {
        result.push_back({std::string(token.range.of(text)), token.kind});
    }
    return result;
}

/// The only token of a text that has one, with its kind; otherwise a token that equals nothing.
Kinded only(std::string_view text) {
    const std::vector<Kinded> tokens = kinded(text);
    return tokens.size() == 1 ? tokens.front() : Kinded{"(not one token)", TokenKind::symbol};
}

/// Units of so many bytes or a few more.
std::string filled(std::string_view unit, std::size_t bytes) {
    return test::repeated(unit, bytes / unit.size() + 1);
}

/// Of the time, for text of this unit alone.
double growthOf(std::string_view unit) {
    return test::growth(1 << 17, [unit](std::size_t bytes) {
        static_cast<void>(Tokeniser().tokenise(filled(unit, bytes)));
    });
}

}  // namespace

// The sentence of UAX #29, figure 1 and table "Word Boundaries"; its words are those between the
// boundaries that hold letters or digits.
TEST_CASE("The example sentence of UAX 29") {
    CHECK(spellings("The quick (“brown”) fox can’t jump 32.3 feet, right?") ==
          Spellings{"The", "quick", "brown", "fox", "can’t", "jump", "32.3", "feet", "right"});
}

// UAX #29 rules WB5 to WB13b, one hand-made text for each.
TEST_CASE("Segments of UAX 29 rules") {
    CHECK(spellings("don't U.S. a.b") == Spellings{"don't", "U.S", "a.b"});            // WB6, WB7
    CHECK(spellings("3rd A3 1,000.5 3a") == Spellings{"3rd", "A3", "1,000.5", "3a"});  // WB8-WB12
    CHECK(spellings("a1,b 1.a") == Spellings{"a1", "b", "1", "a"});
    CHECK(spellings("foo_bar _x_ カタカナ") ==
          Spellings{"foo_bar", "_x_", "カタカナ"});                       // WB13-WB13b
    CHECK(spellings("ש\"ש") == Spellings{"ש\"ש"});                        // WB7b, WB7c
    CHECK(spellings("e\u0301te\u0301") == Spellings{"e\u0301te\u0301"});  // WB4
    CHECK(spellings("co\u00ADop") == Spellings{"co\u00ADop"});            // soft hyphen is Format
}

TEST_CASE("What is no token") {
    for (const char* text : {"", " ", "\r\n\t", "...!?", "— – -", "* % & § / \\ ¡ ·", "“”‘’«»",
                             "___", "\u200B", "\uFFFD", "@ # @# --", "\u0301"}) {
        CAPTURE(text);
        CHECK(spellings(text).empty());
    }
}

TEST_CASE("Numbers, emoji and signs with a meaning are tokens") {
    CHECK(only("42") == Kinded{"42", TokenKind::number});
    CHECK(only("-3.14") == Kinded{"3.14", TokenKind::number});
    CHECK(only("½") == Kinded{"½", TokenKind::number});
    CHECK(kinded("10²") ==
          std::vector<Kinded>{{"10", TokenKind::number}, {"²", TokenKind::number}});
    CHECK(only("\U0001F600") == Kinded{"\U0001F600", TokenKind::symbol});
    // WB3c: family of four joined by ZWJ; WB15: regional indicators in pairs; WB4: skin tone.
    const std::string family = "\U0001F468\u200D\U0001F469\u200D\U0001F467\u200D\U0001F466";
    CHECK(only(family) == Kinded{family, TokenKind::symbol});
    CHECK(spellings("\U0001F1E9\U0001F1EA\U0001F1EB\U0001F1F7") ==
          Spellings{"\U0001F1E9\U0001F1EA", "\U0001F1EB\U0001F1F7"});
    CHECK(only("\U0001F44D\U0001F3FD") == Kinded{"\U0001F44D\U0001F3FD", TokenKind::symbol});
    CHECK(only("\uE000").kind == TokenKind::symbol);      // private use
    CHECK(only("\U000E0FFF").kind == TokenKind::symbol);  // undefined
}

// emoji-variation-sequences.txt and emoji-sequences.txt of Unicode: the signs of category P in
// them.
TEST_CASE("Emoji that Unicode calls punctuation are tokens, and as text they are none") {
    const std::string emojiStyle = "\uFE0F";
    const std::string key = "\u20E3";
    for (const std::string sign : {"\u203C", "\u2049", "\u3030", "#", "*"}) {
        CAPTURE(sign);
        CHECK(spellings(std::string(sign).append(" (").append(sign).append(")")).empty());
        for (const std::string& behind : {emojiStyle, emojiStyle + key, key}) {
            const std::string emoji = sign + behind;
            CHECK(only(emoji) == Kinded{emoji, TokenKind::symbol});
            CHECK(only(emoji + emoji) == Kinded{emoji + emoji, TokenKind::symbol});
            CHECK(spellings("a" + emoji + "b.") == Spellings{"a", emoji, "b"});
        }
    }
    // Other punctuation, too: what follows it would not be seen.
    CHECK(spellings("a.\uFE0F b") == Spellings{"a", ".\uFE0F", "b"});
    CHECK(only("@\uFE0F") == Kinded{"@\uFE0F", TokenKind::symbol});
    CHECK(spellings("a\uFE0F@b \uFE0F \r\uFE0F") == Spellings{"a\uFE0F", "b"});
}

// By ICU's own properties of every character.
TEST_CASE("Every emoji is a token") {
    int pictures = 0;
    int styled = 0;
    for (UChar32 codePoint = 0; codePoint <= UCHAR_MAX_VALUE; ++codePoint) {
        const bool isPicture = u_hasBinaryProperty(codePoint, UCHAR_EMOJI_PRESENTATION) != 0;
        if (isPicture || u_hasBinaryProperty(codePoint, UCHAR_EMOJI) != 0) {
            std::string emoji;
            icu::UnicodeString(codePoint).toUTF8String(emoji);
            emoji += isPicture ? "" : "\uFE0F";
            CAPTURE(codePoint);
            CHECK(spellings("- " + emoji + " -") == Spellings{emoji});
            pictures += isPicture ? 1 : 0;
            styled += isPicture ? 0 : 1;
        }
    }
    CHECK(pictures > 1000);
    CHECK(styled > 200);
}

// Categories Sm, Sc, Sk and So of the Unicode Character Database.
TEST_CASE("Symbols are tokens, and a run of one symbol is one") {
    for (const char* symbol :
         {"+", "<",   "=", ">", "|",          "~",          "^",      "`",      "$",
          "€", "₿", "♯", "℘", "−",          "×",          "√",      "´",      "¨",
          "°", "©",   "→", "█", "\U0001D6C1", "\U0001F3FD", "\u2260", "=\u0338"}) {
        CAPTURE(symbol);
        CHECK(only(symbol) == Kinded{symbol, TokenKind::symbol});
        CHECK(spellings(std::string("(a) ") + symbol + ", b " + symbol + ".") ==
              Spellings{"a", symbol, "b", symbol});
        const std::string run = std::string(symbol) + symbol + symbol;
        CHECK(only(run) == Kinded{run, TokenKind::symbol});
    }
    CHECK(kinded("C++") == std::vector<Kinded>{{"C", TokenKind::word}, {"++", TokenKind::symbol}});
    CHECK(spellings("1+1==2 <= $5 €€ a€b") ==
          Spellings{"1", "+", "1", "==", "2", "<", "=", "$", "5", "€€", "a", "€", "b"});
    CHECK(spellings("<b>x</b>") == Spellings{"<", "b", ">", "x", "<", "b", ">"});
    CHECK(spellings("++ ++") == Spellings{"++", "++"});
    const std::string grin = "\U0001F600";
    CHECK(spellings(grin + grin + "\U0001F602") == Spellings{grin + grin, "\U0001F602"});
    // A father and a boy are one segment, another boy behind them is no repetition of it.
    const std::string boy = "\U0001F466";
    const std::string pair = "\U0001F468\u200D" + boy;
    CHECK(spellings(pair + boy) == Spellings{pair, boy});
    CHECK(spellings(pair + pair) == Spellings{pair + pair});
}

TEST_CASE("A run of one symbol repeats it") {
    for (const char* symbol :
         {"+", "€", "\U0001F600", "\U0001F1E9\U0001F1EA", "\U0001F468\u200D\U0001F466"}) {
        std::string run;
        for (int times = 1; times <= 4; ++times) {
            run += symbol;
            CAPTURE(run);
            CHECK(repeatedSymbol(run) == symbol);
        }
    }
    CHECK(repeatedSymbol("+-") == "+-");
    CHECK(repeatedSymbol("+-+") == "+-+");
}

// Tag characters spell out ASCII unseen; in the flag of Scotland they belong to the emoji.
TEST_CASE("Tag characters never pass unseen") {
    const std::string tags = "\U000E0063\U000E0061\U000E0074";
    CHECK(spellings("go " + tags + " on") == Spellings{"go", tags, "on"});
    CHECK(spellings("\"" + tags + "\"") == Spellings{"\"" + tags});  // WB4 joins them to the sign
    const std::string scotland =
        "\U0001F3F4\U000E0067\U000E0062\U000E0073\U000E0063\U000E0074\U000E007F";
    CHECK(only(scotland) == Kinded{scotland, TokenKind::symbol});
}

// Unicode's Bidi_Control, ZERO WIDTH SPACE, WORD JOINER and the byte order mark.
TEST_CASE("Marks of the writing direction stand beside words, not in them") {
    for (const char* mark :
         {"\u061C", "\u200B", "\u200E", "\u200F", "\u202A", "\u202B", "\u202C", "\u202D", "\u202E",
          "\u2060", "\u2066", "\u2067", "\u2068", "\u2069", "\uFEFF"}) {
        CAPTURE(mark);
        CHECK(spellings(std::string("in ") + mark + "paris" + mark + ", " + mark + "3" + mark) ==
              Spellings{"in", "paris", "3"});
    }
    CHECK(only("\u2067\U0001F600\u2069") == Kinded{"\U0001F600", TokenKind::symbol});
    // Such a letter is joined to whatever stands before it (WB4).
    CHECK(spellings("a\t\uFF9E") == Spellings{"a", "\uFF9E"});
}

TEST_CASE("Hyphenated runs are one token") {
    CHECK(only("well-known") == Kinded{"well-known", TokenKind::hyphenated});
    CHECK(only("state-of-the-art") == Kinded{"state-of-the-art", TokenKind::hyphenated});
    CHECK(only("2019-20") == Kinded{"2019-20", TokenKind::hyphenated});
    CHECK(only("20-year-old") == Kinded{"20-year-old", TokenKind::hyphenated});
    CHECK(only("well\u2010known") == Kinded{"well\u2010known", TokenKind::hyphenated});
    CHECK(only("well\u2011known") == Kinded{"well\u2011known", TokenKind::hyphenated});
    CHECK(only("-x-") == Kinded{"x", TokenKind::word});
    CHECK(spellings("yes--no a - b c—d e–f") ==
          Spellings{"yes", "no", "a", "b", "c", "d", "e", "f"});
    CHECK(spellings("pre-\npost") == Spellings{"pre", "post"});
}

TEST_CASE("Mentions") {
    CHECK(only("@anna_b") == Kinded{"@anna_b", TokenKind::mention});
    CHECK(only("@anna-b") == Kinded{"@anna-b", TokenKind::mention});
    CHECK(only("@anna@host.org") == Kinded{"@anna@host.org", TokenKind::mention});
    CHECK(kinded("(@anna: hi @bob.") == std::vector<Kinded>{{"@anna", TokenKind::mention},
                                                            {"hi", TokenKind::word},
                                                            {"@bob", TokenKind::mention}});
    CHECK(spellings("@a@b") == Spellings{"@a", "@b"});
    CHECK(kinded("4@5 @7") == std::vector<Kinded>{{"4", TokenKind::number},
                                                  {"5", TokenKind::number},
                                                  {"7", TokenKind::number}});
    CHECK(only("@мария") == Kinded{"@мария", TokenKind::mention});
}

TEST_CASE("Hashtags") {
    CHECK(only("#happy") == Kinded{"#happy", TokenKind::hashtag});
    CHECK(only("#1direction") == Kinded{"#1direction", TokenKind::hashtag});
    CHECK(only("#東京タワー") == Kinded{"#東京タワー", TokenKind::hashtag});
    CHECK(only("#1") == Kinded{"1", TokenKind::number});
    CHECK(spellings("#a#b C# x#y") == Spellings{"#a", "#b", "C", "x", "y"});
    CHECK(spellings("\U0001F600#fun") == Spellings{"\U0001F600", "#fun"});
}

TEST_CASE("Web addresses") {
    for (const char* address :
         {"https://a.org/b?c=d&e=%20#f", "http://localhost:8080/x", "ftp://1.2.3.4/a.txt",
          "www.example.com", "WWW.Example.com/a-b_c", "example.com/path", "bit.ly/2x",
          "https://de.wikipedia.org/wiki/Bonn_(Rhein)", "https://a.org/straße", "пример.рф/x"}) {
        CAPTURE(address);
        CHECK(only(address) == Kinded{address, TokenKind::url});
        const std::string inText = "see (" + std::string(address) + "), or \"" + address + "\".";
        CHECK(spellings(inText) == Spellings{"see", address, "or", address});
    }
    CHECK(only("http://a.org/x’s") == Kinded{"http://a.org/x’s", TokenKind::url});
    CHECK(spellings("看https://a.org/b。好") == Spellings{"看", "https://a.org/b", "好"});
    // A host alone is a word of UAX 29; a slash between words makes no address.
    CHECK(only("example.com") == Kinded{"example.com", TokenKind::word});
    CHECK(spellings("and/or e.g./i.e. :// http:// x://...") ==
          Spellings{"and", "or", "e.g", "i.e", "http", "x"});
    CHECK(spellings("km/h 1.2/3 1/2") == Spellings{"km", "h", "1.2", "3", "1", "2"});
}

TEST_CASE("Mail addresses") {
    for (const char* address : {"me@a.org", "first.last+tag@mail.a-b.co.uk", "jürgen@müller.de"}) {
        CAPTURE(address);
        CHECK(only(address) == Kinded{address, TokenKind::url});
        CHECK(spellings("<" + std::string(address) + ">.") == Spellings{"<", address, ">"});
    }
    CHECK(spellings("me@home you@a.b") == Spellings{"me", "home", "you", "a.b"});
}

TEST_CASE("Parts of tokens") {
    const std::string text = "well-known-20 #happy @a-b http://a-b.org/c-d plain";
    Tokeniser tokeniser;
    const std::vector<Token> tokens = tokeniser.tokenise(text);
    REQUIRE(tokens.size() == 5);
    CHECK(partsOf(text, tokens[0]) == std::vector<Token>{{{0, 4}, TokenKind::word},
                                                         {{5, 10}, TokenKind::word},
                                                         {{11, 13}, TokenKind::number}});
    CHECK(partsOf(text, tokens[1]) == std::vector<Token>{{{15, 20}, TokenKind::word}});
    for (std::size_t i = 2; i < tokens.size(); ++i) {
        CHECK(partsOf(text, tokens[i]).empty());
    }
    const std::string wide = "a\u2010b\u2011c";
    const std::vector<Token> parts = partsOf(wide, tokeniser.tokenise(wide).at(0));
    REQUIRE(parts.size() == 3);
    CHECK(parts[1].range.of(wide) == "b");
    CHECK(parts[2].range.of(wide) == "c");
}

TEST_CASE("A tokeniser can be used again and moved") {
    Tokeniser first;
    CHECK(first.tokenise("a b").size() == 2);
    CHECK(first.tokenise("").empty());
    Tokeniser second = std::move(first);
    CHECK(second.tokenise("a b c").size() == 3);
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
    const std::string text = filled(unit, (std::size_t{1} << 24) + 1000);
    Tokeniser tokeniser;
    const std::vector<Token> tokens = tokeniser.tokenise(text);
    CHECK(tokens.size() == text.size() / unit.size());
    CHECK(std::ranges::all_of(
        tokens, [&](const Token& token) { return token.range.of(text) == "seventeen"; }));
    // Without a space the cut is between characters (three bytes each here).
    const std::string unbroken = filled("…", (std::size_t{1} << 24) + 1000) + "end";
    const std::vector<Token> last = tokeniser.tokenise(unbroken);
    REQUIRE(last.size() == 1);
    CHECK(last[0].range.of(unbroken) == "end");
}
