#include "core/text/sentence_pair.h"

#include <catch2/catch.hpp>

#include "tests/core/text/vocabulary_of.h"

using namespace epsilens;
using namespace epsilens::text;
using Catch::Matchers::Contains;

namespace {

// Rows 0 to 4.
Result<SentencePair> pairOf(const char* first, const char* second) {
    const embedding::Vocabulary vocabulary =
        test::vocabularyOf({"the", "doctor", "nurse", "monday", "friday"});
    const Lookup lookup(vocabulary, CasePolicy::lower);
    return pairSentences(tokeniseText(first, lookup), tokeniseText(second, lookup));
}

}  // namespace

TEST_CASE("Words are compared position by position and equal exchanges counted together") {
    const auto pair =
        pairOf("Monday the doctor, monday monday.", "Friday the nurse, friday monday.").value();
    CHECK(pair.words == 5);
    CHECK(pair.differing == 3);
    CHECK(pair.exchanged == std::vector<ExchangedWord>{{3, 4, 2}, {1, 2, 1}});
    CHECK(pair.unknown == 0);
    CHECK_FALSE(pair.differsElsewhere);
}

TEST_CASE("The direction of an exchange is kept") {
    const auto pair = pairOf("doctor nurse", "nurse doctor").value();
    CHECK(pair.exchanged == std::vector<ExchangedWord>{{1, 2, 1}, {2, 1, 1}});
}

TEST_CASE("Equal texts and empty texts have nothing to exchange") {
    CHECK(pairOf("the doctor", "the doctor").value().exchanged.empty());
    const auto empty = pairOf("", "").value();
    CHECK(empty.words == 0);
    CHECK_FALSE(empty.differsElsewhere);
}

TEST_CASE("Unknown words cost nothing when they are the same and are not covered when not") {
    const auto same = pairOf("the blorp doctor", "the blorp nurse").value();
    CHECK(same.unknown == 1);
    CHECK(same.differing == 1);
    for (const auto& [first, second] :
         {std::pair{"the blorp", "the fnord"}, std::pair{"the blorp", "the nurse"},
          std::pair{"the nurse", "the blorp"}}) {
        CAPTURE(first, second);
        const auto refused = pairOf(first, second);
        REQUIRE_FALSE(refused);
        CHECK(refused.error().code == ErrorCode::invalidArgument);
        CHECK_THAT(refused.error().message, Contains("word 2 differs") && Contains("\"blorp\""));
    }
    CHECK_THAT(pairOf("the nurse", "the blorp").error().message, Contains("of the second text"));
    CHECK_THAT(pairOf("the blorp", "the nurse").error().message, Contains("of the first text"));
}

TEST_CASE("Texts of unequal length are refused with both lengths") {
    const auto refused = pairOf("the doctor", "the");
    REQUIRE_FALSE(refused);
    CHECK_THAT(refused.error().message, Contains("2 and 1 words"));
}

TEST_CASE("Differences between the words and in letter case are noticed") {
    CHECK(pairOf("the doctor", "the, doctor").value().differsElsewhere);
    CHECK(pairOf("the doctor", "the doctor!").value().differsElsewhere);
    CHECK(pairOf(" the doctor", "the doctor").value().differsElsewhere);
    CHECK(pairOf("the Doctor", "the nurse").value().differsElsewhere);
}
