#include "core/corpus/perturber.h"
#include "core/base/ordered.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "tests/core/release/release_support.h"
#include "tests/support/statistical.h"

using namespace epsilens;
using namespace epsilens::corpus;
using Rows = std::vector<Row>;

namespace {

// At 0, 1, 2, 3, 4 on a line.
const engine::SearchSpaceHandle& lineOfWords() {
    static const auto space = test::wordSpace({"a", "b", "c", "d", "e"});
    return space;
}

TokenisedDocuments wordsOf(const std::vector<std::string>& texts,
                           const ReplacementPolicies& policies = {}) {
    std::vector<Document> documents;
    documents.reserve(texts.size());
    for (const std::string& text : texts) {
        documents.push_back({text});
    }
    return tokeniseDocuments(documents, lineOfWords()->embedding().vocabulary(), policies).value();
}

const ReplacementPolicies kReplaceAll;

std::vector<DrawPool> pools(std::uint32_t count, const std::vector<std::size_t>& documents = {0}) {
    std::vector<DrawPool> result;
    for (std::uint32_t number = 0; number < count; ++number) {
        result.push_back({number, documents});
    }
    return result;
}

auto perturberOf(const TokenisedDocuments& words, const char* mechanism,
                 std::vector<double> epsilons, std::uint64_t seed = 1, int threads = 0,
                 const ReplacementPolicies& policies = kReplaceAll) {
    mechanism::Grid grid;
    grid.mechanism = mechanism::Mechanism::named(mechanism).value();
    grid.epsilons = std::move(epsilons);
    return Perturber::create(*lineOfWords(), words, policies, grid, seed, threads).value();
}

/// Laplace noise on a line: P(b -> k) is the mass of (epsilon / 2) exp(-epsilon |x - 1|) between
/// the midpoints around k.
double laplaceShare(double epsilon, int output) {
    const auto below = [&](double x) {
        return x < 1.0 ? 0.5 * std::exp(epsilon * (x - 1.0))
                       : 1.0 - 0.5 * std::exp(-epsilon * (x - 1.0));
    };
    const double low = output == 0 ? 0.0 : below(output - 0.5);
    return (output == 4 ? 1.0 : below(output + 0.5)) - low;
}

/// The exponential mechanism: weights exp(-epsilon d / 2).
double exponentialShare(double epsilon, int output) {
    double sum = 0.0;
    for (int k = 0; k < 5; ++k) {
        sum += std::exp(-epsilon * std::abs(k - 1) / 2.0);
    }
    return std::exp(-epsilon * std::abs(output - 1) / 2.0) / sum;
}

}  // namespace

TEST_CASE("Outputs of many pools have the law of the mechanism") {
    const bool isExact = GENERATE(false, true);
    const std::vector<double> epsilons{0.5, 2.0};
    const TokenisedDocuments words =
        wordsOf({fmt::format("{}", fmt::join(std::vector(50, 'b'), " "))});
    const auto perturber = perturberOf(words, isExact ? "exponential" : "laplace", epsilons, 7);
    const auto perturbed = perturber->perturb(pools(200), epsilons).value();
    for (std::size_t setting = 0; setting < epsilons.size(); ++setting) {
        for (int output = 0; output < 5; ++output) {
            double hits = 0.0;
            for (const PerturbedPool& pool : perturbed) {
                hits += static_cast<double>(std::ranges::count(pool.outputs[setting], output));
            }
            const double share = isExact ? exponentialShare(epsilons[setting], output)
                                         : laplaceShare(epsilons[setting], output);
            CAPTURE(isExact, epsilons[setting], output, share);
            // 10,000 independent outputs; normal approximation, false-alarm rate 1e-6 per check.
            const double error = std::sqrt(share * (1.0 - share) / 10'000.0);
            CHECK(std::abs(hits / 10'000.0 - share) <
                  test::normalCritical(test::kFalseAlarmRate) * error);
        }
    }
}

TEST_CASE("The interval of a share holds the truth although words share draws") {
    // Noise within half a step keeps b, c and d together. 90 documents of the three words share
    // 100 draws; by documents alone 0.77 of the intervals would hold the share.
    constexpr double kEpsilon = 1.0;
    constexpr int kPools = 400;
    const TokenisedDocuments words = wordsOf(std::vector<std::string>(90, "b c d"));
    const auto perturber = perturberOf(words, "laplace", {kEpsilon}, 7);
    std::vector<std::size_t> all = indicesBelow<std::size_t>(90);
    const std::vector<DrawPool> drawn = pools(kPools, all);
    const auto perturbed = perturber->perturb(drawn, std::vector{kEpsilon}).value();
    const double truth = laplaceShare(kEpsilon, 1);
    int held = 0;
    for (int pool = 0; pool < kPools; ++pool) {
        const Rows& outputs = perturbed[static_cast<std::size_t>(pool)].outputs.front();
        std::vector<float> isKept;
        std::vector<std::int32_t> documents;
        for (std::size_t i = 0; i < outputs.size(); ++i) {
            isKept.push_back(outputs[i] == words.rows()[i] ? 1.0F : 0.0F);
            documents.push_back(static_cast<std::int32_t>(i / 3));
        }
        const SharedDraws draws = perturber->drawsOf(drawn[static_cast<std::size_t>(pool)]);
        const auto interval = *shareByDocuments(isKept, documents, draws).ci95;
        held += interval[0] <= truth && truth <= interval[1] ? 1 : 0;
    }
    // Binomial(400, 0.95) is in [357, 395] but for 1e-6.
    CAPTURE(held);
    CHECK(held >= 357);
    CHECK(held <= 395);
}

TEST_CASE("No draw of a word is taken twice before all were") {
    const auto order = drawOrder(1, 2, 3, 100, 250);
    CHECK(order.size() == 250);
    for (const std::size_t first : std::initializer_list<std::size_t>{0, 100}) {
        const std::set<int> once(order.begin() + static_cast<std::ptrdiff_t>(first),
                                 order.begin() + static_cast<std::ptrdiff_t>(first + 100));
        CHECK(once.size() == 100);
    }
    CHECK(order != drawOrder(1, 4, 3, 100, 250));
    CHECK(order != drawOrder(1, 2, 4, 100, 250));
}

TEST_CASE("Blocks begin with the commonest words, which say how many draws they have") {
    const auto blocksOf = [](const std::vector<std::size_t>& counts) {
        TokenisedDocuments document(static_cast<Row>(counts.size()));
        for (std::size_t row = 0; row < counts.size(); ++row) {
            for (std::size_t i = 0; i < counts[row]; ++i) {
                document.addWord(static_cast<Row>(row), static_cast<Row>(row), true);
            }
        }
        return drawBlocks(document);
    };
    CHECK(blocksOf({100, 3}).front().draws == 100);
    CHECK(blocksOf({1, 130}).front().draws == 256);
    CHECK(blocksOf({1, 130}).front().words == Rows{1, 0});
    // More words than a block has: all but the commonest occur twice, those with high rows once.
    std::vector<std::size_t> counts(kWordsPerBlock, 2);
    counts.resize(2 * kWordsPerBlock + 10, 1);
    counts.back() = 3000;
    const auto blocks = blocksOf(counts);
    REQUIRE(blocks.size() == 3);
    CHECK(blocks[0].draws == 1024);
    CHECK(blocks[1].draws == 100);
    CHECK(blocks[0].words.front() == static_cast<Row>(counts.size() - 1));
    CHECK(blocks[0].words[1] == 0);
    CHECK(blocks[1].words.front() == static_cast<Row>(kWordsPerBlock - 1));
    CHECK(blocks[2].words.size() == 10);
}

TEST_CASE("A pool's copies depend neither on what is drawn beside them nor on threads") {
    const char* name = GENERATE("laplace", "mahalanobis", "tem");
    CAPTURE(name);
    const TokenisedDocuments words = wordsOf({"a b c d e", "e e d", "b a unknown"});
    const std::vector<double> epsilons{0.3, 3.0};
    const auto one = perturberOf(words, name, epsilons, 5, 1);
    const auto three = perturberOf(words, name, epsilons, 5, 3);
    const auto both = one->perturb(pools(2, {0, 2}), epsilons).value();
    CHECK(three->perturb(pools(2, {0, 2}), epsilons)->back().outputs == both.back().outputs);
    const std::vector<DrawPool> second{{1, {0, 2}}};
    const auto alone = three->perturb(second, std::vector{3.0}).value();
    CHECK(alone.front().outputs.front() == both.back().outputs[1]);
    CHECK(both.front().outputs != both.back().outputs);
    CHECK(both.front().starts == std::vector<std::size_t>{0, 5, 8});
}

TEST_CASE("Unknown words follow their policy, and exempt ones stay") {
    ReplacementPolicies policies;
    const auto released = [&](release::UnknownPolicy unknown) {
        policies.unknown = unknown;
        const TokenisedDocuments words = wordsOf({"a what b"}, policies);
        const auto perturber = perturberOf(words, "laplace", {100.0}, 1, 0, policies);
        CHECK(perturber->perturb(pools(1), std::vector{100.0})->front().outputs.front() ==
              perturber->unperturbed(pools(1).front()).outputs.front());
        return perturber->unperturbed(pools(1).front()).outputs.front();
    };
    CHECK(released(release::UnknownPolicy::mask) == Rows{0, kMasked, 1});
    CHECK(released(release::UnknownPolicy::drop) == Rows{0, kDropped, 1});
    CHECK(released(release::UnknownPolicy::keep) == Rows{0, kMasked, 1});
    const Rows random = released(release::UnknownPolicy::random);
    CHECK((random[1] >= 0 && random[1] < 5));
}

TEST_CASE("The floor replaces words by uniform ones") {
    const TokenisedDocuments words =
        wordsOf({fmt::format("{}", fmt::join(std::vector(10'000, 'b'), " "))});
    const Rows floor =
        perturberOf(words, "laplace", {1.0})->uniform(pools(1).front()).outputs.front();
    for (Row row = 0; row < 5; ++row) {
        const auto share = static_cast<double>(std::ranges::count(floor, row)) / 10'000.0;
        CHECK(std::abs(share - 0.2) <
              test::normalCritical(test::kFalseAlarmRate) * std::sqrt(0.16 / 10'000.0));
    }
}

TEST_CASE("Perturbing can be cancelled") {
    const TokenisedDocuments words = wordsOf({"a b"});
    std::stop_source source;
    source.request_stop();
    for (const char* name : {"laplace", "tem"}) {
        CHECK(perturberOf(words, name, {1.0})
                  ->perturb(pools(1), std::vector{1.0}, {source.get_token(), {}})
                  .error()
                  .code == ErrorCode::cancelled);
    }
}
