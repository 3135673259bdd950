#include "core/text/lookup.h"

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include <catch2/catch.hpp>

#include "core/base/random_stream.h"
#include "core/text/data_set.h"
#include "core/text/letter_case.h"
#include "core/text/nearest_spellings.h"
#include "core/text/tokenised_text.h"
#include "tests/core/text/vocabulary_of.h"
#include "tests/support/refusal.h"
#include "tests/support/temporary_folder.h"

using namespace epsilens::text;
using namespace epsilens;
using embedding::Row;
using epsilens::embedding::Row;
using epsilens::embedding::Vocabulary;
using epsilens::test::vocabularyOf;

TEST_CASE("Lookup follows the case policy") {
    const Vocabulary vocabulary = vocabularyOf({"paris", "Paris", "NATO", "über"});
    const Lookup keep(vocabulary, CasePolicy::keep);
    CHECK(keep.find("paris") == Row{0});
    CHECK(keep.find("Paris") == Row{1});
    CHECK(keep.find("NATO") == Row{2});
    CHECK_FALSE(keep.find("nato").has_value());
    CHECK_FALSE(keep.find("PARIS").has_value());
    CHECK_FALSE(keep.find("Über").has_value());

    const Lookup lower(vocabulary, CasePolicy::lower);
    CHECK(lower.find("PARIS") == Row{0});
    CHECK(lower.find("Paris") == Row{0});
    CHECK(lower.find("ÜBER") == Row{3});
    CHECK_FALSE(lower.find("NATO").has_value());

    CHECK(Lookup(vocabulary, CasePolicy::automatic).casePolicy() == CasePolicy::keep);
    const Vocabulary small = vocabularyOf({"a", "b"});
    CHECK(Lookup(small, CasePolicy::automatic).casePolicy() == CasePolicy::lower);
}

TEST_CASE("Typographic signs are looked up as plain ones") {
    const Vocabulary vocabulary =
        vocabularyOf({"don't", "well-known", "café", "\u2764", "coop", "rock’n’roll", "l'été"});
    const Lookup lookup(vocabulary, CasePolicy::automatic);
    CHECK(lookup.find("don’t") == Row{0});
    CHECK(lookup.find("Don’t") == Row{0});
    CHECK(lookup.find("don't") == Row{0});
    CHECK(lookup.find("well\u2010known") == Row{1});
    CHECK(lookup.find("well\u2011Known") == Row{1});
    CHECK(lookup.find("cafe\u0301") == Row{2});
    CHECK(lookup.find("CAFE\u0301") == Row{2});
    CHECK(lookup.find("\u2764\uFE0F") == Row{3});
    CHECK(lookup.find("co\u00ADop") == Row{4});
    CHECK(lookup.find("rock’n’roll") == Row{5});
    CHECK(lookup.find("L’E\u0301te\u0301") == Row{6});
    CHECK_FALSE(lookup.find("rock'n'roll").has_value());
    CHECK_FALSE(lookup.find("cafe").has_value());
    CHECK_FALSE(lookup.find("").has_value());
    CHECK_FALSE(lookup.find("\u00AD").has_value());
}

// A vocabulary that has both spellings keeps them apart.
TEST_CASE("The spelling itself is looked up first") {
    const Vocabulary vocabulary = vocabularyOf({"don't", "don’t"});
    const Lookup lookup(vocabulary, CasePolicy::lower);
    CHECK(lookup.find("don't") == Row{0});
    CHECK(lookup.find("don’t") == Row{1});
}

TEST_CASE("Automatic means lower under one per cent of words with capitals") {
    embedding::Vocabulary vocabulary;
    for (int i = 0; i < 199; ++i) {
        vocabulary.add("word" + std::to_string(i));
    }
    vocabulary.add("Paris");
    CHECK(shareWithCapitals(vocabulary) == 1.0 / 200);
    CHECK(decideCasePolicy(CasePolicy::automatic, vocabulary) == CasePolicy::lower);
    vocabulary.add("iPod");
    vocabulary.add("ÖBB");
    CHECK(shareWithCapitals(vocabulary) == 3.0 / 202);
    CHECK(decideCasePolicy(CasePolicy::automatic, vocabulary) == CasePolicy::keep);
    CHECK(decideCasePolicy(CasePolicy::lower, vocabulary) == CasePolicy::lower);
    CHECK(decideCasePolicy(CasePolicy::keep, vocabularyOf({"a"})) == CasePolicy::keep);
    CHECK(shareWithCapitals(vocabularyOf({})) == 0.0);
    CHECK(decideCasePolicy(CasePolicy::automatic, vocabularyOf({})) == CasePolicy::lower);
}

// 1 of 100 is not under one per cent.
TEST_CASE("One per cent itself is kept") {
    embedding::Vocabulary vocabulary = vocabularyOf({"Paris"});
    for (int i = 0; i < 99; ++i) {
        vocabulary.add("word" + std::to_string(i));
    }
    CHECK(decideCasePolicy(CasePolicy::automatic, vocabulary) == CasePolicy::keep);
}

TEST_CASE("Case patterns") {
    for (const char* word : {"paris", "'90s", "x", "straße", "c3po", "мир"}) {
        CAPTURE(word);
        CHECK(casePattern(word) == CasePattern::lower);
    }
    for (const char* word : {"Paris", "I", "A", "O'Brien", "X-ray", "Well-Known", "Äpfel", "Мир",
                             "#Happy", "ǅungla", "E\u0301te\u0301"}) {
        CAPTURE(word);
        CHECK(casePattern(word) == CasePattern::capitalised);
    }
    for (const char* word : {"NATO", "U.S", "X-RAY", "МИР", "B2B", "ÄÖ", "NATO\u0301"}) {
        CAPTURE(word);
        CHECK(casePattern(word) == CasePattern::upper);
    }
    for (const char* word : {"", "42", "iPhone", "McDonald", "e-Mail", "NATOs", "東京", "\u0301"}) {
        CAPTURE(word);
        CHECK(casePattern(word) == CasePattern::other);
    }
}

TEST_CASE("Case patterns of substitutes") {
    CHECK(applyCasePattern("harbour", CasePattern::capitalised) == "Harbour");
    CHECK(applyCasePattern("harbour", CasePattern::upper) == "HARBOUR");
    CHECK(applyCasePattern("harbour", CasePattern::lower) == "harbour");
    CHECK(applyCasePattern("harbour", CasePattern::other) == "harbour");
    CHECK(applyCasePattern("London", CasePattern::lower) == "London");
    CHECK(applyCasePattern("iPod", CasePattern::capitalised) == "IPod");
    CHECK(applyCasePattern("well-known", CasePattern::capitalised) == "Well-known");
    CHECK(applyCasePattern("'tis", CasePattern::capitalised) == "'Tis");
    CHECK(applyCasePattern("", CasePattern::capitalised).empty());
    CHECK(applyCasePattern("42", CasePattern::upper) == "42");
}

// Full mappings of Unicode's SpecialCasing.txt and the root locale.
TEST_CASE("Unicode case mappings") {
    CHECK(applyCasePattern("straße", CasePattern::upper) == "STRASSE");
    CHECK(applyCasePattern("ǆungla", CasePattern::capitalised) == "ǅungla");
    CHECK(applyCasePattern("ﬁsh", CasePattern::capitalised) == "Fish");
    CHECK(applyCasePattern("istanbul", CasePattern::upper) == "ISTANBUL");
    CHECK(toLower("PARIS 42") == "paris 42");
    CHECK(toLower("ΟΔΟΣ") == "οδος");
    CHECK(toLower("ISTANBUL É") == "istanbul é");
    CHECK(toLower("İ") == "i\u0307");
}

namespace {

std::vector<std::string> words(const Vocabulary& vocabulary, std::string_view word,
                               std::size_t count = 3) {
    std::vector<std::string> result;
    for (const Spelling& spelling : nearestSpellings(vocabulary, word, count)) {
        result.emplace_back(vocabulary.word(spelling.row));
    }
    return result;
}

using Words = std::vector<std::string>;

/// Optimal string alignment distance by its recurrence over the whole table.
int plainDistance(std::string_view a, std::string_view b) {
    std::vector<std::vector<int>> d(a.size() + 1, std::vector<int>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i) {
        for (std::size_t j = 0; j <= b.size(); ++j) {
            if (i == 0 || j == 0) {
                d[i][j] = static_cast<int>(i + j);
                continue;
            }
            d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1,
                                d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
            }
        }
    }
    return d[a.size()][b.size()];
}

std::vector<Spelling> slowNearest(const Vocabulary& vocabulary, std::string_view word,
                                  std::size_t count) {
    const int limit = word.size() <= 5 ? 1 : word.size() <= 8 ? 2 : 3;
    std::vector<std::tuple<int, bool, Row>> all;
    for (Row row = 0; row < static_cast<Row>(vocabulary.size()); ++row) {
        const std::string_view other = vocabulary.word(row);
        const int distance = plainDistance(word, other);
        if (distance <= limit && distance < static_cast<int>(std::max(word.size(), other.size()))) {
            all.emplace_back(distance, other[0] != word[0], row);
        }
    }
    std::ranges::sort(all);
    std::vector<Spelling> result;
    for (std::size_t i = 0; i < std::min(count, all.size()); ++i) {
        result.push_back({std::get<2>(all[i]), std::get<0>(all[i])});
    }
    return result;
}

std::string randomWord(SeededStream& stream, std::size_t longest) {
    std::string word(1 + stream.below(longest), ' ');
    for (char& letter : word) {
        letter = static_cast<char>('a' + stream.below(4));
    }
    return word;
}

}  // namespace

// Hand-made; each edit is counted in the comment.
TEST_CASE("Nearest spellings") {
    const Vocabulary vocabulary = vocabularyOf({"relieve", "receive", "deceive", "harbour", "the"});
    const std::vector<Spelling> found = nearestSpellings(vocabulary, "recieve");
    // ei/ie exchanged: 1. c to l: 1, same first letter, lower row. deceive: exchange and r to d: 2.
    CHECK(found == std::vector<Spelling>{{0, 1}, {1, 1}, {2, 2}});
    CHECK(words(vocabulary, "harbor") == Words{"harbour"});
    CHECK(words(vocabulary, "hte") == Words{"the"});
    CHECK(words(vocabulary, "xylophone").empty());
    CHECK(words(vocabulary, "recieve", 1) == Words{"relieve"});
    CHECK(words(vocabulary, "recieve", 0).empty());
    // Two letters of five are another word, two of six a slip.
    CHECK(words(vocabularyOf({"horse", "house"}), "hxuxe").empty());
    CHECK(words(vocabularyOf({"houses"}), "hxuxes") == Words{"houses"});
}

TEST_CASE("The first letter decides between equals, then the row") {
    const Vocabulary vocabulary = vocabularyOf({"bold", "sold", "cold", "golf", "gold", "goad"});
    CHECK(words(vocabulary, "gald") == Words{"gold"});
    CHECK(words(vocabulary, "gold") == Words{"gold", "golf", "goad"});
    CHECK(words(vocabulary, "vold") == Words{"bold", "sold", "cold"});
}

TEST_CASE("Letter case costs nothing, characters count and not bytes") {
    const Vocabulary vocabulary = vocabularyOf({"Paris", "naïve", "über", "東京"});
    CHECK(nearestSpellings(vocabulary, "PARIS") == std::vector<Spelling>{{0, 0}});
    CHECK(nearestSpellings(vocabulary, "naive") == std::vector<Spelling>{{1, 1}});
    CHECK(nearestSpellings(vocabulary, "ÜBR") == std::vector<Spelling>{{2, 1}});
    CHECK(nearestSpellings(vocabulary, "東") == std::vector<Spelling>{{3, 1}});
}

TEST_CASE("A suggestion keeps something of the word") {
    CHECK(words(vocabularyOf({"a", "b", "xb"}), "x") == Words{"xb"});
}

TEST_CASE("Nothing is suggested for what is no word") {
    const Vocabulary vocabulary = vocabularyOf({"a", std::string(64, 'a'), std::string(65, 'a')});
    CHECK(words(vocabulary, "").empty());
    CHECK(words(vocabulary, "\xff").empty());
    CHECK(words(vocabulary, std::string(65, 'a')).empty());
    CHECK(nearestSpellings(vocabulary, std::string(63, 'a') + "b") ==
          std::vector<Spelling>{{1, 1}});
    CHECK(words(Vocabulary{}, "word").empty());
}

// Fast path against the recurrence; four letters make near words and exchanges common.
TEST_CASE("The search finds what comparing by the recurrence finds") {
    SeededStream stream({11, StreamPurpose::wordSelection, 4, 0});
    for (int round = 0; round < 200; ++round) {
        const std::size_t longest = 1 + stream.below(14);
        Vocabulary vocabulary;
        for (int i = 0; i < 60; ++i) {
            vocabulary.add(randomWord(stream, longest));
        }
        for (int i = 0; i < 5; ++i) {
            const std::string word = randomWord(stream, longest + 1);
            CAPTURE(round, word);
            REQUIRE(nearestSpellings(vocabulary, word) == slowNearest(vocabulary, word, 3));
        }
    }
}

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

using Words = std::vector<std::string>;

}  // namespace

TEST_CASE("A run of one symbol is looked up as it stands, then as that symbol") {
    const Vocabulary vocabulary = vocabularyOf({"+", "++", "=", "\U0001F600", "c"});
    CHECK(described("C+ C++ C+++ === \U0001F600\U0001F600 <<", vocabulary) ==
          Words{"C=4", "+=0", "C=4", "++=1", "C=4", "+++=0", "====2", "\U0001F600\U0001F600=3",
                "<<=?"});
    // Composed, as letters are: the sign for unequal from an equals sign and a stroke.
    CHECK(described("=\u0338", vocabularyOf({"\u2260"})) == Words{"=\u0338=0"});
}

TEST_CASE("A phrase is one unknown word where it cuts none and is none") {
    const Vocabulary vocabulary = vocabularyOf({"unk", "<", ">", "name", "removed", "gone"});
    const auto joined = [&](const char* text, const char* phrase) {
        TokenisedText tokenised = tokeniseText(text, Lookup(vocabulary, CasePolicy::automatic));
        joinPhrase(tokenised, phrase);
        return described(tokenised);
    };
    CHECK(joined("a <unk>, <unk><unk>b", "<unk>") ==
          Words{"a=?", "<unk>=?", "<unk>=?", "<unk>=?", "b=?"});
    CHECK(joined("<unk", "<unk>") == Words{"<=1", "unk=0"});
    CHECK(joined("<<unk>>", "<unk>") == Words{"<<=1", "unk=0", ">>=2"});
    CHECK(joined("[name removed] name", "[name removed]") == Words{"[name removed]=?", "name=3"});
    CHECK(joined("gone renamed agone", "gone") == Words{"gone=5", "renamed=?", "agone=?"});
    CHECK(joined("[gone] gone", "[gone]") == Words{"[gone]=?", "gone=5"});
    CHECK(joined("*** name", "***") == Words{"name=3"});
    CHECK(joined("name", "") == Words{"name=3"});
    CHECK(joined("", "<unk>").empty());
}

TEST_CASE("Words get their rows") {
    const Vocabulary vocabulary = vocabularyOf({"the", "fox", "don't", "42"});
    const TokenisedText text =
        tokeniseText("The red FOX, don’t! 42 43", Lookup(vocabulary, CasePolicy::automatic));
    CHECK(described(text) == Words{"The=0", "red=?", "FOX=1", "don’t=2", "42=3", "43=?"});
    CHECK(text.unknownWords() == 2);
    CHECK(text.words[0].pattern == CasePattern::capitalised);
    CHECK(text.words[2].pattern == CasePattern::upper);
}

TEST_CASE("Hyphenated runs are looked up whole, then by parts") {
    const Vocabulary vocabulary = vocabularyOf({"well-known", "well", "fox", "known"});
    CHECK(described("well-known", vocabulary) == Words{"well-known=0"});
    CHECK(described("Fox-Well", vocabulary) == Words{"Fox=2", "Well=1"});
    CHECK(described("fox-19", vocabulary) == Words{"fox=2", "19=?"});
    CHECK(described("covid-19", vocabulary) == Words{"covid-19=?"});
}

TEST_CASE("Hashtags are looked up whole, then without the sign") {
    const Vocabulary vocabulary = vocabularyOf({"#fun", "happy"});
    CHECK(described("#Fun #Happy #sad", vocabulary) == Words{"#Fun=0", "Happy=1", "#sad=?"});
}

TEST_CASE("Addresses and mentions are known only as a whole") {
    const Vocabulary vocabulary = vocabularyOf({"anna", "a.org", "@bob", "http", "x"});
    CHECK(described("@anna @bob http://a.org/x anna@a.org a.org", vocabulary) ==
          Words{"@anna=?", "@bob=2", "http://a.org/x=?", "anna@a.org=?", "a.org=1"});
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
          Words{"U.S.=0", "U.S=?", "e.g=1", "Mr=?", "fox=4"});
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

namespace {

// Rows 0 to 4.
const embedding::Vocabulary& vocabulary() {
    static const auto words = test::vocabularyOf({"free", "win", "call", "me", "never"});
    return words;
}

DataSetWords wordsOf(const std::string& content, int threads = 1) {
    const test::TemporaryFolder folder;
    const Lookup lookup(vocabulary(), CasePolicy::lower);
    return readDataSet({folder.file("data.csv", content), "text", {}}, lookup, threads).value();
}

}  // namespace

TEST_CASE("Records are counted once for a word, words as often as they occur") {
    const DataSetWords words =
        wordsOf("id,text\n1,FREE free win\n2,\"call me, blorp!\"\n3\n4,nothing known\n5,free\n");
    CHECK(words.records() == 4);
    CHECK(words.skippedRecords == 1);
    CHECK(words.tokens() == 9);         // 3 + 3 + 2 + 1
    CHECK(words.unknownTokens() == 3);  // blorp, nothing, known
    CHECK(words.words() == std::vector<Row>{0, 1, 2, 3});
    CHECK(words.file == "data.csv");
    CHECK(words.column == "text");
}

TEST_CASE("Shares of records: a mean over the words, and records with any of them") {
    // free in 3 of 4 records, win in 2, call in none, never beyond the largest row that occurs.
    const DataSetWords words = wordsOf("text\nfree win\nfree\nwin free\nblorp\n");
    CHECK(words.meanShareOfRecords(std::vector<Row>{0}) == 0.75);
    CHECK(words.meanShareOfRecords(std::vector<Row>{0, 1}) == 0.625);
    CHECK(words.meanShareOfRecords(std::vector<Row>{0, 1, 2, 4}) == 0.3125);
    CHECK(words.shareOfRecordsWithAny(std::vector<Row>{0, 1}) == 0.75);
    CHECK(words.shareOfRecordsWithAny(std::vector<Row>{1, 4}) == 0.5);
    CHECK(words.shareOfRecordsWithAny(std::vector<Row>{2, 3, 4}) == 0.0);
    CHECK(words.meanShareOfRecords({}) == 0.0);
    CHECK(words.shareOfRecordsWithAny({}) == 0.0);
}

TEST_CASE("A data set larger than a batch gives the same for any number of threads") {
    std::string content = "text\n";
    for (int i = 0; i < 5000; ++i) {
        content += i % 2 == 0 ? "free" : "win";
        content += i % 5 == 0 ? " never\n" : "\n";
    }
    const int threads = GENERATE(1, 2, 7);
    const DataSetWords words = wordsOf(content, threads);
    CHECK(words.records() == 5000);
    CHECK(words.tokens() == 6000);
    CHECK(words.meanShareOfRecords(std::vector<Row>{0}) == 0.5);
    CHECK(words.meanShareOfRecords(std::vector<Row>{4}) == 0.2);
    CHECK(words.shareOfRecordsWithAny(std::vector<Row>{0, 4}) == 0.6);
}

TEST_CASE("A data set without records is refused, and reading can be stopped") {
    const test::TemporaryFolder folder;
    const Lookup lookup(vocabulary(), CasePolicy::lower);
    const Error error = test::checkRefused(
        readDataSet({folder.file("a.csv", "text\n"), "text", {}}, lookup), ErrorCode::badFile);
    CHECK(error.file == folder.path("a.csv"));
    test::checkRefused(readDataSet({folder.file("b.csv", "text\nfree\n"), "text", {}}, lookup, 1,
                                   test::stoppedJob()),
                       ErrorCode::cancelled);
}
