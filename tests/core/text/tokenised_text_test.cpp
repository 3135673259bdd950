#include "core/text/tokenised_text.h"

#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "tests/core/text/vocabulary_of.h"

using namespace epsilens;
using namespace epsilens::text;
using epsilens::embedding::Row;
using epsilens::embedding::Vocabulary;
using epsilens::test::vocabularyOf;

namespace {

/// "word=row" or "word=?" for each word.
std::vector<std::string> described(const TokenisedText& text) {
    std::vector<std::string> result;
    for (std::size_t i = 0; i < text.words.size(); ++i) {
        const std::optional<Row> row = text.words[i].row;
        result.push_back(std::string(text.spelling(i)) + "=" +
                         (row.has_value() ? std::to_string(*row) : "?"));
    }
    return result;
}

std::vector<std::string> described(const char* text, const Vocabulary& vocabulary) {
    return described(tokeniseText(text, Lookup(vocabulary, CasePolicy::automatic)));
}

using WordList = std::vector<std::string>;

}  // namespace

TEST_CASE("A run of one symbol is looked up as it stands, then as that symbol") {
    const Vocabulary vocabulary = vocabularyOf({"+", "++", "=", "\U0001F600", "c"});
    CHECK(described("C+ C++ C+++ === \U0001F600\U0001F600 <<", vocabulary) ==
          WordList{"C=4", "+=0", "C=4", "++=1", "C=4", "+++=0", "====2", "\U0001F600\U0001F600=3",
                   "<<=?"});
    // Composed, as letters are: the sign for unequal from an equals sign and a stroke.
    CHECK(described("=\u0338", vocabularyOf({"\u2260"})) == WordList{"=\u0338=0"});
}

TEST_CASE("A phrase is one unknown word where it cuts none and is none") {
    const Vocabulary vocabulary = vocabularyOf({"unk", "<", ">", "name", "removed", "gone"});
    const auto joined = [&](const char* text, const char* phrase) {
        TokenisedText tokenised = tokeniseText(text, Lookup(vocabulary, CasePolicy::automatic));
        joinPhrase(tokenised, phrase);
        return described(tokenised);
    };
    CHECK(joined("a <unk>, <unk><unk>b", "<unk>") ==
          WordList{"a=?", "<unk>=?", "<unk>=?", "<unk>=?", "b=?"});
    CHECK(joined("<unk", "<unk>") == WordList{"<=1", "unk=0"});
    CHECK(joined("<<unk>>", "<unk>") == WordList{"<<=1", "unk=0", ">>=2"});
    CHECK(joined("[name removed] name", "[name removed]") ==
          WordList{"[name removed]=?", "name=3"});
    CHECK(joined("gone renamed agone", "gone") == WordList{"gone=5", "renamed=?", "agone=?"});
    CHECK(joined("[gone] gone", "[gone]") == WordList{"[gone]=?", "gone=5"});
    CHECK(joined("*** name", "***") == WordList{"name=3"});
    CHECK(joined("name", "") == WordList{"name=3"});
    CHECK(joined("", "<unk>").empty());
}

TEST_CASE("Words get their rows") {
    const Vocabulary vocabulary = vocabularyOf({"the", "fox", "don't", "42"});
    const TokenisedText text =
        tokeniseText("The red FOX, don’t! 42 43", Lookup(vocabulary, CasePolicy::automatic));
    CHECK(described(text) == WordList{"The=0", "red=?", "FOX=1", "don’t=2", "42=3", "43=?"});
    CHECK(text.unknownWords() == 2);
    CHECK(text.words[0].pattern == CasePattern::capitalised);
    CHECK(text.words[2].pattern == CasePattern::upper);
}

TEST_CASE("Hyphenated runs are looked up whole, then by parts") {
    const Vocabulary vocabulary = vocabularyOf({"well-known", "well", "fox", "known"});
    CHECK(described("well-known", vocabulary) == WordList{"well-known=0"});
    CHECK(described("Fox-Well", vocabulary) == WordList{"Fox=2", "Well=1"});
    CHECK(described("fox-19", vocabulary) == WordList{"fox=2", "19=?"});
    CHECK(described("covid-19", vocabulary) == WordList{"covid-19=?"});
}

TEST_CASE("Hashtags are looked up whole, then without the sign") {
    const Vocabulary vocabulary = vocabularyOf({"#fun", "happy"});
    CHECK(described("#Fun #Happy #sad", vocabulary) == WordList{"#Fun=0", "Happy=1", "#sad=?"});
}

TEST_CASE("Addresses and mentions are known only as a whole") {
    const Vocabulary vocabulary = vocabularyOf({"anna", "a.org", "@bob", "http", "x"});
    CHECK(described("@anna @bob http://a.org/x anna@a.org a.org", vocabulary) ==
          WordList{"@anna=?", "@bob=2", "http://a.org/x=?", "anna@a.org=?", "a.org=1"});
}

// A joiner ties the period to the emoji behind it (UAX 29, WB4): one token, which begins with the
// period.
TEST_CASE("An abbreviation leaves its last period to a token that begins with it") {
    const Vocabulary vocabulary = vocabularyOf({"u.s."});
    const std::string text = "u.s.\u200D\U0001F469\u200D\U0001F467 end";
    const TokenisedText tokenised = tokeniseText(text, Lookup(vocabulary, CasePolicy::automatic));
    std::size_t end = 0;
    for (const Word& word : tokenised.words) {
        CHECK(word.token.range.begin >= end);
        end = word.token.range.end;
    }
    const std::vector<Row> asTyped(tokenised.words.size(), kAsTyped);
    CHECK(renderRows(tokenised, vocabulary, asTyped).text == text);
}

TEST_CASE("Abbreviations take their last period where the vocabulary has it") {
    const Vocabulary vocabulary = vocabularyOf({"u.s.", "e.g", "e.g.", "mr.", "fox"});
    CHECK(described("U.S. U.S e.g. Mr. fox.", vocabulary) ==
          WordList{"U.S.=0", "U.S=?", "e.g=1", "Mr=?", "fox=4"});
}

TEST_CASE("Rendering keeps what lies between the words") {
    const Vocabulary vocabulary = vocabularyOf({"the", "fox", "harbour", "jumps"});
    const TokenisedText text =
        tokeniseText("  The fox\r\n(“FOX”)\tjumps!\n", Lookup(vocabulary, CasePolicy::automatic));
    const RenderedText rendered = renderRows(text, vocabulary, std::vector<Row>{0, 2, 2, kAsTyped});
    CHECK(rendered.text == "  The harbour\r\n(“HARBOUR”)\tjumps!\n");
    REQUIRE(rendered.words.size() == 4);
    CHECK(rendered.words[1].of(rendered.text) == "harbour");
    CHECK(rendered.words[2].of(rendered.text) == "HARBOUR");
    CHECK(rendered.words[3].of(rendered.text) == "jumps");

    const RenderedText masked = render(text, std::vector<std::string_view>{"<unk>", "", "x", "y"});
    CHECK(masked.text == "  <unk> \r\n(“x”)\ty!\n");
    CHECK(masked.words[1].size() == 0);
}

// A kept word stays as typed even where the vocabulary spells it otherwise.
TEST_CASE("A kept word is not respelled") {
    const Vocabulary vocabulary = vocabularyOf({"don't", "iphone"});
    const std::string source = "DON’T iPhone";
    const TokenisedText text = tokeniseText(source, Lookup(vocabulary, CasePolicy::automatic));
    CHECK(renderRows(text, vocabulary, std::vector<Row>{0, 1}).text == source);
}

TEST_CASE("Empty and wordless texts") {
    const Vocabulary vocabulary = vocabularyOf({"a"});
    const Lookup lookup(vocabulary, CasePolicy::automatic);
    for (const char* source : {"", " ", "?!", "\xff\xfe"}) {
        const TokenisedText text = tokeniseText(source, lookup);
        CHECK(text.words.empty());
        CHECK(text.unknownWords() == 0);
        CHECK(render(text, {}).text == source);
    }
}
