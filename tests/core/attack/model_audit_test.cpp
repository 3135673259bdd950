#include "core/attack/model_audit.h"

#include <algorithm>

#include <catch2/catch.hpp>

#include "core/attack/prior.h"
#include "core/base/random_stream.h"
#include "tests/core/attack/attack_support.h"

using namespace epsilens;
using namespace epsilens::corpus;
using namespace epsilens::attack;
using test::valueOf;

namespace {

// Users of 100 pairs of words, so many in a line; every user has favourite pairs. Where there are
// several lines, the first one tells nothing: it is the same for all.
UserTexts madeUpUsers(std::uint64_t seed, int pairsOfLine = 100) {
    constexpr std::int32_t kAuthors = 20;
    constexpr std::int32_t kUsersOfEach = 6;
    SeededStream stream(StreamKey{seed, StreamPurpose::sentence, 0, 0});
    UserTexts texts;
    texts.vocabularySize = 300;
    for (std::int32_t user = 0; user < kAuthors * kUsersOfEach; ++user) {
        texts.authors.push_back(user / kUsersOfEach);
        std::vector<Row> favourites;
        favourites.reserve(40);
        for (int i = 0; i < 40; ++i) {
            favourites.push_back(static_cast<Row>(stream.below(300)));
        }
        for (int i = 0; i < 100; ++i) {
            const std::size_t pair = 2 * stream.below(20);
            const bool tells = pairsOfLine == 100 || i >= pairsOfLine;
            texts.words.push_back(tells ? favourites[pair] : 0);
            texts.words.push_back(tells ? favourites[pair + 1] : 1);
            if ((i + 1) % pairsOfLine == 0) {
                texts.lineEnds.push_back(texts.words.size());
                texts.users.push_back(user);
            }
        }
    }
    return texts;
}

std::vector<Row> randomWords(const UserTexts& texts, std::uint64_t seed) {
    SeededStream stream(StreamKey{seed, StreamPurpose::sentence, 0, 1});
    std::vector<Row> words;
    for (std::size_t i = 0; i < texts.words.size(); ++i) {
        words.push_back(
            static_cast<Row>(stream.below(static_cast<std::uint64_t>(texts.vocabularySize))));
    }
    return words;
}

}  // namespace

TEST_CASE("The language model is a distribution, and ranks are places in it") {
    SeededStream stream(StreamKey{4, StreamPurpose::sentence, 0, 0});
    constexpr Row kWords = 30;
    std::vector<Row> tokens;
    tokens.reserve(200);
    for (int i = 0; i < 200; ++i) {
        tokens.push_back(i % 17 == 3 ? kUnknownWord
                                     : static_cast<Row>(stream.below(5) * stream.below(6)));
    }
    const BigramModel model(tokens, std::vector<std::size_t>{80, 200}, kWords);
    for (const Row previous : {kUnknownWord, 0, 3, 12, 29}) {
        double sum = 0.0;
        for (Row word = 0; word < kWords; ++word) {
            const double probability = model.probability(previous, word);
            sum += probability;
            CHECK(probability > 0.0);
            std::int64_t above = 0;
            for (Row other = 0; other < kWords; ++other) {
                above += model.probability(previous, other) > probability ? 1 : 0;
            }
            CHECK(model.rank(previous, word) == 1 + above);
        }
        CHECK(sum == Approx(1.0).epsilon(1e-12));
    }
}

TEST_CASE("A small language model has the probabilities of its formula") {
    // a b a b a c: c(ab) = 2, c(ac) = 1, c(ba) = 2, so n1 = 1, n2 = 2, D2 = 1/5. Counts a 3, b 2,
    // c 1: D1 = 1/3. P(b) = (5/3 + 1/3 * 3/4) / 6 with V = 4.
    const BigramModel model(std::vector<Row>{0, 1, 0, 1, 0, 2}, std::vector<std::size_t>{6}, 4);
    const double b = (5.0 / 3.0 + 0.25) / 6.0;
    CHECK(model.probability(kUnknownWord, 1) == Approx(b));
    CHECK(model.probability(0, 1) == Approx((2.0 - 0.2) / 3.0 + 0.2 * 2.0 / 3.0 * b));
    CHECK(model.probability(3, 1) == Approx(b));
}

TEST_CASE("Documents are cut into users within their author") {
    UserTexts texts;
    cutIntoUsers(texts, std::vector<std::int32_t>{0, 1, 0, -1, 0, 1, 0, 0}, 2);
    CHECK(texts.users == std::vector<std::int32_t>{0, 1, 0, -1, 2, 1, 2, -1});
    CHECK(texts.authors == std::vector<std::int32_t>{0, 1, 0});
}

TEST_CASE("Users of a model of original texts are found, those of random words are not") {
    const UserTexts texts = madeUpUsers(1);
    const Auditor auditor = Auditor::create(texts, {}).value();
    const Findings original = auditor.audit(texts.words).value();
    CHECK(valueOf(original, "users") == 60);
    CHECK(valueOf(original, "members") == 30);
    CHECK(valueOf(original, "auc") >= 0.99);
    CHECK(valueOf(original, "adaptive.auc") >= 0.99);
    const UserTexts lines = madeUpUsers(1, 25);
    CHECK(valueOf(Auditor::create(lines, {}).value().audit(lines.words).value(), "auc") >= 0.99);
    const Findings random = auditor.audit(randomWords(texts, 2)).value();
    // 30 against 30: the standard deviation of the AUC of chance is sqrt(61 / (12 900)) = 0.075.
    CHECK(valueOf(random, "adaptive.auc") == Approx(0.5).margin(4.9 * 0.075));
    CHECK((*figureAt(random, "adaptive.tprAt1")->ci95)[0] <= kFewAlarms);
    // A threshold that knew the target would never do worse than chance.
    double least = 1.0;
    for (std::uint64_t seed = 2; seed < 12; ++seed) {
        const Findings found = auditor.audit(randomWords(texts, seed)).value();
        least = std::min(least, valueOf(found, "adaptive.advantage"));
    }
    CHECK(least < 0.0);
}

TEST_CASE("An audit of too few users is refused") {
    UserTexts texts = madeUpUsers(1);
    std::ranges::fill(texts.authors, 0);
    const auto result = Auditor::create(texts, {});
    REQUIRE_FALSE(result);
    CHECK(result.error().code == ErrorCode::unsupported);
}
