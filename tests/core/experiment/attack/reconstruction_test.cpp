#include "core/experiment/attack/reconstruction.h"

#include <algorithm>
#include <cmath>

#include <catch2/catch.hpp>

#include "core/base/random_stream.h"
#include "core/experiment/attack/prior.h"

using namespace epsilens;
using namespace epsilens::experiment;

namespace {

AttackedText textOf(std::vector<std::vector<Row>> documents) {
    AttackedText text;
    for (std::size_t document = 0; document < documents.size(); ++document) {
        for (const Row word : documents[document]) {
            text.words.push_back(word);
            text.treatments.push_back(word == kUnknownWord ? Treatment::masked
                                                           : Treatment::replaced);
        }
        text.lineEnds.push_back(text.tokens());
        text.documents.push_back(static_cast<std::int32_t>(document));
    }
    return text;
}

AttackerScores constant(std::string name, std::size_t tokens, float success) {
    return {std::move(name), std::vector<float>(tokens, success), true};
}

}  // namespace

TEST_CASE("The prior is the smoothed frequency of known words") {
    const auto counts = wordCounts(std::vector<Row>{1, 1, 2, kUnknownWord, 9}, 4);
    CHECK(counts == std::vector<std::int64_t>{0, 2, 1, 0});
    const VectorD prior = smoothedPrior(counts);
    CHECK(prior[0] == Approx(1.0 / 7.0));
    CHECK(prior[1] == Approx(3.0 / 7.0));
    CHECK(prior.sum() == Approx(1.0));
    CHECK(priorVulnerability(prior) == Approx(3.0 / 7.0));
    CHECK(commonestWords(prior, 3) == std::vector<Row>{1, 2, 0});
    CHECK(commonestWords(uniformPrior(3), 9) == std::vector<Row>{0, 1, 2});
}

TEST_CASE("Only replaced tokens count, and samples of documents are whole") {
    const AttackedText text = textOf({{1, kUnknownWord, 2}, {3}, {1, 1, 1}, {2, 3}});
    const ReplacedTokens tokens = replacedTokens(text);
    CHECK(tokens.words == std::vector<Row>{1, 2, 3, 1, 1, 1, 2, 3});
    CHECK(tokens.tokens == std::vector<std::int64_t>{0, 2, 3, 4, 5, 6, 7, 8});
    CHECK(tokens.documents == std::vector<std::int32_t>{0, 0, 1, 2, 2, 2, 3, 3});
    for (std::uint64_t seed = 1; seed < 9; ++seed) {
        const DocumentSample sample = sampleDocuments(text, 3, seed);
        const ReplacedTokens some = replacedTokens(sample.text);
        CHECK(some.size() >= 3);
        CHECK(some.size() <= 5);
        for (std::size_t i = 0; i < sample.tokens.size(); ++i) {
            CHECK(sample.text.words[i] == text.words[static_cast<std::size_t>(sample.tokens[i])]);
        }
        for (const std::int32_t document : some.documents) {
            CHECK(std::count(some.documents.begin(), some.documents.end(), document) ==
                  std::count(tokens.documents.begin(), tokens.documents.end(), document));
        }
    }
    CHECK(sampleDocuments(text, 100, 1).text.words == text.words);
}

TEST_CASE("Success is summarised by tokens, words and documents") {
    const AttackedText text = textOf({{1, 2}, {1, 1, 1, 3}});
    const ReplacedTokens tokens = replacedTokens(text);
    const std::vector<AttackerScores> attackers{{"prior", {0, 0, 0, 0, 0, 0}, true},
                                                {"map", {1, 0, 1, 0, 1, 1}, true}};
    const auto summary = summarizeAttackers(tokens, attackers, std::vector<Row>{1}, 1);
    const AttackerSummary& map = summary.attackers[1];
    CHECK(summary.tokens == 6);
    CHECK(summary.documents == 2);
    CHECK(map.success.value == Approx(4.0 / 6.0));
    CHECK(map.gain.value == Approx(4.0 / 6.0));
    CHECK(map.outsideCommonest.value == Approx(0.5));              // words 2 and 3
    CHECK(map.meanOverWords == Approx((0.75 + 0.0 + 1.0) / 3.0));  // words 1, 2 and 3
    CHECK(map.documentQuantiles[0] == Approx((0.5 + 0.75) / 2.0));
    CHECK(map.documentQuantiles[2] == Approx(0.75));
    REQUIRE(summary.worstWords.size() == 3);
    CHECK(summary.worstWords[0].word == 3);
    CHECK(summary.worstWords[1].word == 1);
    CHECK(summary.worstWords[1].tokens == 4);
}

TEST_CASE("The best attacker is chosen on the other half of the documents") {
    std::vector<std::vector<Row>> documents(40, std::vector<Row>{1, 2, 3});
    const ReplacedTokens tokens = replacedTokens(textOf(documents));
    std::vector<AttackerScores> attackers{constant("prior", tokens.size(), 0.2F),
                                          constant("echo", tokens.size(), 0.5F),
                                          constant("map", tokens.size(), 0.4F)};
    attackers.push_back({"noisy vector", std::vector<float>(tokens.size(), 0.9F), false});
    const auto best = summarizeAttackers(tokens, attackers, {}, 1).best;
    CHECK(best.chosen == std::array<std::string, 2>{"echo", "echo"});
    CHECK(best.success.value == Approx(0.5));
    CHECK(best.gain.value == Approx(0.3));
}

TEST_CASE("Documents on which an attacker is chosen do not count for it") {
    // One attacker for each pair of four documents, which it knows and no other: the one chosen on
    // a half knows that half, and nothing of the other.
    const ReplacedTokens tokens = replacedTokens(textOf({{1}, {1}, {1}, {1}}));
    std::vector<AttackerScores> attackers{constant("prior", tokens.size(), 0.0F)};
    for (std::size_t first = 0; first < 4; ++first) {
        for (std::size_t second = first + 1; second < 4; ++second) {
            attackers.push_back(constant("pair", tokens.size(), 0.0F));
            attackers.back().successes[first] = 1.0F;
            attackers.back().successes[second] = 1.0F;
        }
    }
    CHECK(summarizeAttackers(tokens, attackers, {}, 1).best.success.value == 0.0);
}

TEST_CASE("Choosing among attackers that only guess does not look like a success") {
    // Twenty attackers that succeed on a coin toss: the best of them on all documents is above 1/2,
    // the best chosen on one half and scored on the other is not. 0.5 +- 4.9 standard deviations of
    // the mean of 6,000 tosses: false alarm 1e-6.
    std::vector<std::vector<Row>> documents(600, std::vector<Row>(10, 1));
    const ReplacedTokens tokens = replacedTokens(textOf(documents));
    std::vector<AttackerScores> attackers{constant("prior", tokens.size(), 0.0F)};
    for (std::uint32_t attacker = 0; attacker < 20; ++attacker) {
        SeededStream stream(StreamKey{3, StreamPurpose::sentence, 0, attacker});
        AttackerScores scores{"coin", {}, true};
        for (std::size_t i = 0; i < tokens.size(); ++i) {
            scores.successes.push_back(stream.below(2) == 0 ? 0.0F : 1.0F);
        }
        attackers.push_back(std::move(scores));
    }
    const auto best = summarizeAttackers(tokens, attackers, {}, 1).best;
    CHECK(best.success.value == Approx(0.5).margin(4.9 * 0.5 / std::sqrt(6000.0)));
}
