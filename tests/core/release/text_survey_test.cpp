#include "core/release/text_survey.h"

#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "core/release/sanitize_stream.h"
#include "tests/core/release/release_support.h"
#include "tests/support/refusal.h"
#include "tests/support/temporary_folder.h"

using namespace epsilens;
using release::ReleasePolicies;
using release::TextInput;
using release::TextSurvey;
using release::WordCount;
using release::WordTally;

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
    CHECK(survey.records == 0);
    CHECK(survey.mostUnknown == std::vector<WordCount>{{"lol", 3}, {"u", 2}});
    CHECK(survey.differentUnknown == 3);
    CHECK_FALSE(survey.isUnknownPartial);
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
