#include "core/text/data_set.h"

#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "tests/core/text/vocabulary_of.h"
#include "tests/support/refusal.h"
#include "tests/support/temporary_folder.h"

using namespace epsilens;
using namespace epsilens::text;
using embedding::Row;

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
