#include "core/release/sanitizer.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <unicode/uchar.h>
#include <unicode/utf16.h>
#include <unicode/utf8.h>
#include <catch2/catch.hpp>

#include "core/release/sanitize_stream.h"
#include "core/release/text_survey.h"
#include "core/text/characters.h"
#include "core/text/tokenised_text.h"
#include "tests/core/release/release_support.h"
#include "tests/core/text/vocabulary_of.h"
#include "tests/support/refusal.h"
#include "tests/support/temporary_folder.h"

using namespace epsilens;
using release::ReleaseCounts;
using release::ReleasePolicies;
using release::Row;
using release::Sanitizer;
using release::TextInput;
using release::TextSurvey;
using release::UnknownPolicy;
using release::WordCount;
using release::WordTally;

namespace {

using Rule = test::FixedReplacer::Rule;
using Words = std::vector<std::string_view>;

const Rule kSame = [](Row row) { return row; };
const Rule kOther = [](Row row) { return row ^ 1; };  ///< of two neighbours

struct Release {
    engine::SearchSpaceHandle space;
    test::FixedReplacer replacer;
    Sanitizer sanitizer;

    Release(Words words, Rule rule, ReleasePolicies policies = {})
        : space(test::wordSpace(std::move(words))),
          replacer(std::move(rule)),
          sanitizer(Sanitizer::create(space, replacer, std::move(policies)).value()) {}
    /// Every word of the vocabulary becomes the next one, the last the first.
    explicit Release(ReleasePolicies policies = {})
        : Release(
              {"one", "two", "three", "four", "don't", "u.s.", "naïve"},
              [](Row row) { return (row + 1) % 7; }, std::move(policies)) {}

    std::string of(std::string_view text, int threads = 1) {
        return sanitizer.sanitize(text, threads, {}).value();
    }
    [[nodiscard]] const ReleaseCounts& counts() const { return sanitizer.counts(); }
};

release::StopWordsHandle stopWords(std::initializer_list<std::string_view> words) {
    return std::make_shared<const release::StopWords>(test::vocabularyOf(words));
}

ReleasePolicies unknown(UnknownPolicy policy) {
    return {.unknown = policy};
}

/// What lies between the words.
std::vector<std::string> gaps(const std::string& text) {
    text::Tokeniser tokeniser;
    std::vector<std::string> found;
    std::size_t at = 0;
    for (const text::Token& token : tokeniser.tokenise(text)) {
        found.push_back(text.substr(at, token.range.begin - at));
        at = token.range.end;
    }
    found.push_back(text.substr(at));
    return found;
}

bool isUnseen(std::string_view gap) {
    for (std::size_t at = 0; at < gap.size();) {
        const text::Character character = text::decode(gap, at);
        if (!text::isHidden(character.codePoint)) {
            return false;
        }
        at = character.end;
    }
    return true;
}

}  // namespace

// Expected texts written by hand from the rules of ux.md: layout and case pattern stay.
TEST_CASE("Words are replaced, and what is around them stays") {
    Release release;
    CHECK(release.of("One two,\r\n\r\n  THREE\t(one) — four") ==
          "Two three,\r\n\r\n  FOUR\t(two) — don't");
    CHECK(release.of("four-one #two U.S.\n") == "don't-two #three NAÏVE\n");
    CHECK(release.of("").empty());
    CHECK(release.of(" \n\t\n") == " \n\t\n");
}

TEST_CASE("Unknown words are masked, dropped, kept or drawn at random") {
    const std::string text = "one Blorp, http://a.b/c 3.14!\n";
    CHECK(Release().of(text) == "two <unk>, <unk> <unk>!\n");
    CHECK(Release(unknown(UnknownPolicy::drop)).of(text) == "two ,  !\n");
    Release kept(unknown(UnknownPolicy::keep));
    CHECK(kept.of(text) == "two Blorp, http://a.b/c 3.14!\n");
    CHECK(kept.counts().kept == 3);
    CHECK(kept.counts().unprotectedWords() == 3);
    CHECK(Release({.mask = "▮"}).of(text) == "two ▮, ▮ ▮!\n");
}

// 7 words, each as likely: of 7,000 draws 1,000 give each, sd 29.3; six sd are passed with
// probability 2e-9, for one of seven 1.4e-8.
TEST_CASE("Random words in the place of unknown ones are uniform and independent") {
    Release release(unknown(UnknownPolicy::random));
    const std::string released = release.of(test::repeated("blorp\n", 7'000), 2);
    CHECK(release.counts().random == 7'000);
    CHECK(release.counts().unprotectedWords() == 0);
    for (const char* word :
         {"one\n", "two\n", "three\n", "four\n", "don't\n", "u.s.\n", "naïve\n"}) {
        int count = 0;
        for (std::size_t at = released.find(word); at != std::string::npos;
             at = released.find(word, at + 1)) {
            ++count;
        }
        CAPTURE(word);
        CHECK(std::abs(count - 1'000) < 6 * 29.3);
    }
}

TEST_CASE("Stop words stay as they are in any letter case and count as unprotected") {
    Release release({.stopWords = stopWords({"Two", "blorp", "don't"})});
    CHECK(release.of("One two TWO blorp don’t zork") == "Two two TWO blorp don’t <unk>");
    CHECK(release.counts().stopWords == 4);
    CHECK(release.counts().replaced == 1);
    CHECK(release.counts().masked == 1);
    CHECK(release.counts().unprotectedWords() == 4);
}

// Soft hyphen and the selectors of text and emoji style, in, before and behind a word that is
// known.
TEST_CASE("A stop word carries nothing through that nobody sees in it") {
    Release release(
        {.stopWords = stopWords({"two", "blorp", "naïve", "zo\u00ADrk", "\u2764\uFE0F"})});
    CHECK(release.of("two\uFE0F t\u00ADwo TWO\uFE0E blorp\u00AD zork z\u00ADork") ==
          "three three THREE <unk> <unk> <unk>");
    CHECK(release.counts().unprotectedWords() == 0);
    // Letters and marks that are seen, and what the list itself has.
    CHECK(release.of(" nai\u0308ve zo\u00ADrk ZO\u00ADRK \u2764\uFE0F") ==
          " nai\u0308ve zo\u00ADrk ZO\u00ADRK \u2764\uFE0F");
    CHECK(release.counts().stopWords == 4);
    CHECK(release.counts().hiddenCharacters == 0);
}

// A kept word must not be told from one that came in its place: don’t with its own apostrophe, or
// oNe with its own capitals, could only have been kept.
TEST_CASE("A word that is returned for itself loses what only it could have had") {
    CHECK(Release({"one", "don't", "naïve"}, kSame).of("oNe One ONE don’t Don’t nai\u0308ve") ==
          "one One ONE don't Don't naïve");
}

TEST_CASE("Letter case is looked up as the policy says") {
    Release release({.letterCase = text::CasePolicy::keep});
    CHECK(release.of("one One") == "two <unk>");
    CHECK(release.sanitizer.casePolicy() == text::CasePolicy::keep);
    CHECK(Release().sanitizer.casePolicy() == text::CasePolicy::lower);
}

// Line ends, and what splits lines in Python (str.splitlines), in JavaScript and in Unicode (UAX
// #14).
TEST_CASE("A mask that would change lines or is no UTF-8 is refused") {
    for (const std::string mask : {"a\nb", "\r", "\xff", "\v", "a\f", "\x1c", "\x1d", "\x1e",
                                   "\u0085", "x\u2028y", "\u2029"}) {
        CAPTURE(mask);
        test::checkRefused(release::checkMask(mask), ErrorCode::invalidArgument);
    }
    for (const char* mask : {"", "<unk>", "\t", "\u2026", "\u2027", "\u202A"}) {
        CHECK(release::checkMask(mask).has_value());
    }
}

TEST_CASE("Symbols are processed, or go by the policy of unknown words") {
    Release release({"c", "petals", "+", "plus"}, kOther);
    CHECK(release.of("C++ 💶 ₿₿ c𝛁 ♯, 🏽.\n") ==
          "Petals plus <unk> <unk> petals <unk> <unk>, <unk>.\n");
    CHECK(release.counts().replaced == 3);
    CHECK(release.counts().masked == 5);
}

// The dictionary has emoji without their style, as Lookup finds them.
TEST_CASE("Emoji that Unicode calls punctuation are processed as symbols are") {
    Release release({"\u203C", "wow"}, kOther);
    CHECK(release.of("wow\u203C\uFE0F #\uFE0F\u20E3! \u203C *") == "\u203C wow <unk>! \u203C *");
    CHECK(release.counts().replaced == 2);
    CHECK(release.counts().masked == 1);
    CHECK(release.counts().hiddenCharacters == 0);
}

// By hand: + is a word of the vocabulary, ♯ none; a zero-width space is seen by nobody.
TEST_CASE("Words that a symbol parted do not run into one") {
    const Words vocabulary{"cat", "table", "+", "plus"};
    const auto released = [&](std::string_view text, const ReleasePolicies& policies) {
        return Release(vocabulary, kOther, policies).of(text);
    };
    const std::string text = "cat+cat cat♯cat ♯cat cat♯, cat/cat (cat) cat\u200B+\n";
    CHECK(released(text, {}) ==
          "table plus table table <unk> table <unk> table table <unk>, table/table (table) "
          "table\u200B plus\n");
    CHECK(released(text, unknown(UnknownPolicy::drop)) ==
          "table plus table table table table table, table/table (table) table\u200B plus\n");
    CHECK(released(text, unknown(UnknownPolicy::keep)) ==
          "table plus table table♯table ♯table table♯, table/table (table) table\u200B plus\n");
    // Words that stay where they stood, with and without the symbol between them.
    ReleasePolicies stop = unknown(UnknownPolicy::drop);
    stop.stopWords = stopWords({"cat", "+"});
    CHECK(released("cat+cat cat♯cat table+\n", stop) == "cat+cat cat cat cat+\n");
    // A word that came out as it went in is parted as any other.
    CHECK(Release(vocabulary, kSame).of("cat+\n") == "cat +\n");
}

TEST_CASE("The mask's own text stays, unless it is a word of the vocabulary") {
    const Words vocabulary{"<", "unk", ">", "gone"};
    const Rule gone = [](Row) { return 3; };
    Release release(vocabulary, gone);
    CHECK(release.of("<unk> x unk\n") == "<unk> <unk> gone\n");
    CHECK(release.counts().masked == 2);
    CHECK(Release(vocabulary, gone, {.mask = "unk"}).of("unk x\n") == "gone unk\n");
}

TEST_CASE("What came out unchanged is counted apart from what may be published") {
    Release release({"one", "two", "Two"}, [](Row row) { return row == 1 ? 2 : 0; },
                    {.letterCase = text::CasePolicy::lower});
    // Another row may be spelled as the word that was typed.
    CHECK(release.of("one oNe blorp TWO two\n") == "one one <unk> TWO Two\n");
    CHECK(release.sanitizer.unchanged() == 3);
    CHECK(release.counts().replaced == 4);
}

TEST_CASE("Counts add up over lines, kinds and pieces") {
    Release release;
    static_cast<void>(release.of("one two blorp\nthree one"));
    CHECK(release.counts().lines == 2);
    CHECK(release.sanitizer.withinLine());
    static_cast<void>(release.of(" one two\none …\n"));
    const ReleaseCounts& counts = release.counts();
    CHECK(counts.lines == 3);
    CHECK(counts.words == 8);
    CHECK(counts.replaced == 7);
    CHECK(counts.masked == 1);
    CHECK(counts.mostReplacedInLine == 4);  // three one one two
    CHECK(release.sanitizer.medianReplacedInLine() == 2);
    CHECK(!release.sanitizer.withinLine());
}

// Every draw gives another word, so that words tell which draw they are of.
TEST_CASE("Equal words of a document get one draw, also where it goes on in the next piece") {
    Row next = 0;
    Release release({"a", "b", "c", "d", "e", "f", "g", "h", "i"}, [&](Row) { return next++; },
                    {.isConsistent = true});
    CHECK(release.of("a b a\na c") == "a b a\nc d");
    CHECK(release.of(" c d\nc a\n") == " d e\nf g\n");
    CHECK(release.counts().drawn == 7);
    CHECK(release.counts().mostDrawn == 3);
    // Documents of several lines.
    const std::vector<std::int64_t> documents{5, 5, 6};
    CHECK(release.sanitizer.sanitize("a\na\na\n", documents, 1, {}).value() == "h\nh\ni\n");
}

// What is published beside the text must be the same whichever words went in.
TEST_CASE("Counts do not tell how long the words were") {
    const auto countsOf = [](std::string_view text) {
        Release release;
        static_cast<void>(release.of(text));
        return release.counts();
    };
    ReleaseCounts of = countsOf("one two\n");
    const ReleaseCounts other = countsOf("three four\n");
    of.bytesWritten = other.bytesWritten;  // shown by the text itself
    CHECK(of == other);
}

// Every character of the basic plane and of the planes of emoji and tags, by itself between words:
// it is replaced, or of a kind that carries nothing, or counted. Kinds by Unicode's category.
TEST_CASE("No character but spacing and punctuation passes uncounted") {
    std::vector<UChar32> characters;
    for (UChar32 character = 0; character < 0xE2000;
         character == 0x1FFFF ? character = 0xE0000 : ++character) {
        if (!U_IS_SURROGATE(character) && character != '\n') {
            characters.push_back(character);
        }
    }
    std::string text;
    for (const UChar32 character : characters) {
        char bytes[U8_MAX_LENGTH];
        std::int32_t size = 0;
        U8_APPEND_UNSAFE(bytes, size, character);
        text.append("one ").append(bytes, static_cast<std::size_t>(size)).append(" two\n");
    }
    Release release(unknown(UnknownPolicy::drop));
    const std::string released = release.of(text, 1);
    std::int64_t surviving = 0;
    std::size_t begin = 0;
    constexpr std::uint32_t kEmptyKinds = U_GC_Z_MASK | U_GC_P_MASK;
    for (const UChar32 character : characters) {
        const std::size_t end = released.find('\n', begin);
        const bool isGone = released.substr(begin, end - begin) == "two  three";
        const bool isEmpty =
            (U_GET_GC_MASK(character) & kEmptyKinds) != 0 || u_isUWhiteSpace(character) != 0;
        surviving += isGone || isEmpty ? 0 : 1;
        begin = end + 1;
    }
    CHECK(surviving > 1'000);  // marks by themselves: counted, not hidden
    CHECK(release.counts().hiddenCharacters == surviving);
}

// One of them or none behind every word spells out a message, such as who wrote the text.
TEST_CASE("Characters that place text pass beside words and are counted") {
    for (const char* mark :
         {"\u061C", "\u200B", "\u200E", "\u200F", "\u202A", "\u202B", "\u202C", "\u202D", "\u202E",
          "\u2060", "\u2066", "\u2067", "\u2068", "\u2069", "\uFEFF"}) {
        CAPTURE(mark);
        Release release;
        CHECK(release.of(fmt::format("{0}one{0} two, {0}\n", mark)) ==
              fmt::format("{0}two{0} three, {0}\n", mark));
        CHECK(release.counts().hiddenCharacters == 3);
        CHECK(release.counts().replaced == 2);
    }
}

// Independent of how text is cut into parts: tokens and lines are those of the text as a whole.
TEST_CASE("Awkward text keeps every byte between its words") {
    const auto seed = GENERATE(range<std::uint64_t>(1, 41));
    const std::string text = test::awkwardText(seed, 600);
    CAPTURE(seed);
    Release identity({"one", "two", "three", "four", "don't", "u.s.", "naïve"}, kSame,
                     unknown(UnknownPolicy::keep));
    const std::vector<std::string> before = gaps(text);
    const std::vector<std::string> after = gaps(identity.of(text, 2));
    REQUIRE(after.size() == before.size());
    for (std::size_t i = 0; i < before.size(); ++i) {
        CAPTURE(i, before[i], after[i]);
        // But for a blank between two words that nothing to be seen parted; a period may belong to
        // the word u.s. before it.
        const std::string_view gap = before[i];
        const bool isParted = isUnseen(gap) || (gap.starts_with('.') && isUnseen(gap.substr(1)));
        CHECK((after[i] == before[i] || (isParted && after[i] == before[i] + " ")));
    }

    Release whole;
    const std::string expected = whole.of(text, 1);
    for (const int threads : {2, 5}) {
        CHECK(Release().of(text, threads) == expected);
    }
    std::int64_t most = 0;
    std::int64_t lines = 0;
    for (std::size_t begin = 0; begin < text.size(); ++lines) {
        const std::size_t end = std::min(text.find('\n', begin), text.size() - 1) + 1;
        Release line;
        static_cast<void>(line.of(std::string_view(text).substr(begin, end - begin)));
        most = std::max(most, line.counts().replaced);
        begin = end;
    }
    CHECK(whole.counts().lines == lines);
    CHECK(whole.counts().mostReplacedInLine == most);
    CHECK(whole.counts().words == whole.counts().replaced + whole.counts().masked);
}

TEST_CASE("A stopped piece is cancelled and counts nothing") {
    Release release;
    const auto released = release.sanitizer.sanitize("one two\n", 1, test::stoppedJob());
    CHECK(released.error().code == ErrorCode::cancelled);
    CHECK(release.counts().words == 0);
    CHECK(release.counts().lines == 0);
}

namespace {

constexpr std::size_t kMostUnknown = 2;

engine::SearchSpaceHandle fewWords() {
    return test::wordSpace({"one", "two", "three"});
}

Result<TextSurvey> surveyOf(const std::string& path, const release::TableOptions& table = {},
                            const ReleasePolicies& policies = {}, const JobContext& job = {}) {
    auto input = TextInput::open(path, {}).value();
    return release::surveyText(input, fewWords(), policies, table, kMostUnknown, job);
}

}  // namespace

// Counted by hand.
TEST_CASE("A survey counts the words of a text and names the most frequent unknown ones") {
    const test::TemporaryFolder folder;
    const std::string path =
        folder.file("text.txt", "One lol two\nLOL u three one two\n\nzork lol, u");
    const TextSurvey survey = surveyOf(path).value();
    CHECK(survey.counts.lines == 4);
    CHECK(survey.counts.words == 11);
    CHECK(survey.counts.replaced == 5);
    CHECK(survey.counts.masked == 6);
    CHECK(survey.counts.mostReplacedInLine == 3);
    CHECK(survey.medianReplacedInLine == 3);  // of 2 and 3 the longer
    CHECK(survey.records == 0);
    CHECK(survey.mostUnknown == std::vector<WordCount>{{"lol", 3}, {"u", 2}});
    CHECK(survey.differentUnknown == 3);
    CHECK_FALSE(survey.isUnknownPartial);
}

TEST_CASE("Examples are the first lines, or fields to be released, before and after") {
    const test::TemporaryFolder folder;
    const auto examplesOf = [](const std::string& path, const release::TableOptions& table = {}) {
        auto input = TextInput::open(path, {}).value();
        test::FixedReplacer next([](Row row) { return (row + 1) % 3; });
        return release::exampleLines(input, fewWords(), next, {}, table, 2).value();
    };
    using Lines = std::vector<release::ExampleLine>;
    CHECK(examplesOf(folder.file("text.txt", "one lol\ntwo three\none\n")) ==
          Lines{{"one lol", "two <unk>"}, {"two three", "three one"}});
    CHECK(examplesOf(folder.file("table.tsv", "label\ttext\none\tone\nham\ttwo\nham\tone\n"),
                     {.columns = {"text"}, .format = io::RecordFormat::tsv}) ==
          Lines{{"one", "two"}, {"two", "three"}});
    // Up to the first blank behind 60 bytes.
    const std::string word(61, 'x');
    CHECK(examplesOf(folder.file("long.txt", word + " one")).front().before == word);
}

TEST_CASE("A survey of a table reads the columns to be released alone") {
    const test::TemporaryFolder folder;
    const std::string path =
        folder.file("table.tsv", "label\ttext\nham\tone two blorp\nspam\tone two three two\n");
    const TextSurvey survey =
        surveyOf(path, {.columns = {"text"}, .format = io::RecordFormat::tsv}).value();
    CHECK(survey.records == 2);
    CHECK(survey.counts.words == 7);
    CHECK(survey.counts.mostReplacedInLine == 4);
    CHECK(survey.mostUnknown == std::vector<WordCount>{{"blorp", 1}});
}

TEST_CASE("Words in the case they were typed in are told apart where they are looked up so") {
    const test::TemporaryFolder folder;
    const ReleasePolicies policies{.letterCase = text::CasePolicy::keep};
    const TextSurvey survey =
        surveyOf(folder.file("text.txt", "Lol lol One\n"), {}, policies).value();
    CHECK(survey.mostUnknown == std::vector<WordCount>{{"Lol", 1}, {"One", 1}});
    CHECK(survey.differentUnknown == 3);
}

// The same text by the release itself, in several batches and with a line too long for one.
TEST_CASE("A survey counts what a release will count") {
    const test::TemporaryFolder folder;
    std::string text;
    for (int i = 0; i < 20'000; ++i) {
        text += i % 3 == 0 ? "blorp " : "two ";
        text += i % 997 == 0 || i < 15'000 ? "" : "one\n";
    }
    const std::string path = folder.file("text.txt", text);
    const TextSurvey survey = surveyOf(path).value();
    test::FixedReplacer replacer{[](release::Row row) { return row; }};
    auto sanitizer = release::Sanitizer::create(fewWords(), replacer, {}).value();
    auto input = TextInput::open(path, {}).value();
    io::Output output = io::Output::nowhere();
    auto released = release::sanitizeStream(input, output, sanitizer, {}).value();
    CHECK(output.written() > 0);
    CHECK(survey.counts == released.counts);
    CHECK(survey.mostUnknown == std::vector<WordCount>{{"blorp", 6'667}});
}

TEST_CASE("Unknown words are common from a hundredth of the text on") {
    TextSurvey survey;
    survey.counts.words = 1'001;
    survey.mostUnknown = {{"to", 500}, {"a", 11}, {"rare", 10}};
    CHECK(survey.commonUnknown() == std::vector<WordCount>{{"to", 500}, {"a", 11}});
    survey.counts.words = 1'000;
    CHECK(survey.commonUnknown().size() == 3);
    // A tenth of the text, which is short.
    survey.counts.words = 40;
    survey.mostUnknown = {{"to", 5}, {"name", 4}};
    CHECK(survey.commonUnknown() == std::vector<WordCount>{{"to", 5}});
}

TEST_CASE("A survey that is stopped, or meets what is no text, has no result") {
    const test::TemporaryFolder folder;
    const auto stopped = surveyOf(folder.file("text.txt", "one\n"), {}, {}, test::stoppedJob());
    CHECK((!stopped && stopped.error().code == ErrorCode::cancelled));
    // Further on than one batch, so that something was read well.
    const auto damaged =
        surveyOf(folder.file("damaged.txt", std::string(400'000, '\n') + "\xff\xfe\xff\n"));
    CHECK((!damaged && damaged.error().code == ErrorCode::badFile));
}

TEST_CASE("A full tally goes on with the words that it knows, and says so") {
    constexpr std::size_t kOneWord = 100;
    WordTally tally(kOneWord);
    for (const char* word : {"often", "rare", "often", "rare", "often"}) {
        tally.add(word);
    }
    CHECK(tally.isFull());
    CHECK(tally.different() == 1);
    CHECK(tally.mostFrequent(5) == std::vector<WordCount>{{"often", 3}});
}
