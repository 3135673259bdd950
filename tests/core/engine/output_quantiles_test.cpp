#include "core/engine/selection_draws.h"

#include <cmath>
#include <functional>
#include <limits>

#include <catch2/catch.hpp>

#include "core/base/random_stream.h"
#include "tests/support/audit.h"
#include "tests/support/brute_force.h"
#include "tests/support/refusal.h"
#include "tests/support/statistical.h"
#include "tests/support/toy_embedding.h"

using namespace epsilens;
using namespace epsilens::engine;
using mechanism::TruncatedExponential;
using mechanism::Truncation;

namespace {

using Distances = std::vector<double>;

constexpr int kSelections = 200'000;

/// Some words at each side of the radius 2, one at it, a twin of the input word (index 4). All are
/// floats.
const Distances kDistances{1.0, 3.0, 2.0,   0.5,   0.0,   0.0, 4.0, 1.5,
                           2.5, 9.0, 1.875, 2.125, 0.125, 6.0, 7.0};
const std::vector<float> kFloats(kDistances.begin(), kDistances.end());
constexpr std::size_t kWord = 4;

TruncatedExponential mechanismAt(double gamma) {
    return TruncatedExponential::create(1.2, gamma).value();
}

using Sampler = std::function<std::size_t(SeededStream&)>;

/// Above 1 for a true sampler with probability test::kFalseAlarmRate.
double misfit(const TruncatedExponential& mechanism, const Sampler& sampler, std::uint64_t seed) {
    std::vector<int> counts(kDistances.size());
    SeededStream stream(StreamKey{seed, StreamPurpose{1002}, 0, 0});
    for (int draw = 0; draw < kSelections; ++draw) {
        ++counts[sampler(stream)];
    }
    const std::vector<double> law = test::lawOf(mechanism, kDistances);
    return test::misfit(counts, test::vectorOf(law), test::kFalseAlarmRate);
}

/// The algorithm with what is said to be the score of the rest, and what becomes of its win.
std::size_t drawWith(const TruncatedExponential& mechanism, double logWeightOfRest,
                     bool returnsInputForRest, SeededStream& stream) {
    const auto gumbel = [&] { return -std::log(-std::log(stream.uniform())); };
    std::vector<std::size_t> rest;
    std::size_t best = 0;
    double highest = -std::numeric_limits<double>::infinity();
    for (std::size_t u = 0; u < kDistances.size(); ++u) {
        if (kDistances[u] > mechanism.gamma()) {
            rest.push_back(u);
            continue;
        }
        const double score = -0.5 * mechanism.epsilon() * kDistances[u] + gumbel();
        if (score > highest) {
            highest = score;
            best = u;
        }
    }
    if (rest.empty() ||
        -0.5 * mechanism.epsilon() * mechanism.gamma() + logWeightOfRest + gumbel() <= highest) {
        return best;
    }
    return returnsInputForRest ? kWord : rest[stream.below(rest.size())];
}

double wordsWithin(double gamma) {
    double count = 0.0;
    for (const double distance : kDistances) {
        count += distance <= gamma ? 1.0 : 0.0;
    }
    return count;
}

}  // namespace

TEST_CASE(
    "The inverse distribution function follows the closed form (chi-square, rate 1e-6 each)") {
    const RankedWords ranked = rankWords(kWord, kFloats);
    for (const double gamma : {0.0, 2.0, 5.0, 50.0}) {
        const TruncatedExponential mechanism = mechanismAt(gamma);
        const OutputQuantiles outputs(mechanism, ranked);
        CAPTURE(gamma);
        CHECK(misfit(
                  mechanism,
                  [&](SeededStream& stream) {
                      return static_cast<std::size_t>(outputs.at(stream.uniform()));
                  },
                  52) < 1.0);
    }
}

TEST_CASE("The chi-square test catches the two known mistakes about the rest") {
    const double gamma = 2.0;
    const TruncatedExponential mechanism = mechanismAt(gamma);
    const double words = static_cast<double>(kDistances.size());
    const double within = wordsWithin(gamma);
    const auto misfitOf = [&](double logWeightOfRest, bool returnsInputForRest) {
        return misfit(
            mechanism,
            [&](SeededStream& stream) {
                return drawWith(mechanism, logWeightOfRest, returnsInputForRest, stream);
            },
            53);
    };
    CHECK(misfitOf(std::log(words - within), false) < 1.0);
    CHECK(misfitOf(std::log(words / within), false) > 10.0);
    CHECK(misfitOf(std::log(words - within), true) > 10.0);
}

TEST_CASE("Ranked words begin with the word itself, then by distance, ties by lower row") {
    const RankedWords ranked = rankWords(kWord, kFloats);
    CHECK(ranked.rows == std::vector<Row>{4, 5, 12, 3, 0, 7, 10, 2, 11, 8, 1, 6, 13, 14, 9});
    CHECK(std::ranges::is_sorted(ranked.distances));
    // A twin with a lower row does not go before the word.
    CHECK(rankWords(5, kFloats).rows[0] == 5);
    CHECK(rankWords(5, kFloats).rows[1] == 4);
    // -0 is no larger than 0.
    CHECK(rankWords(1, std::vector{2.0F, 0.0F, -0.0F}).rows == std::vector<Row>{1, 2, 0});
}

TEST_CASE("Quantiles cut at the cumulated probabilities") {
    const TruncatedExponential mechanism = mechanismAt(2.0);
    const RankedWords ranked = rankWords(kWord, kFloats);
    const OutputQuantiles outputs(mechanism, ranked);
    const std::vector<double> law = test::lawOf(mechanism, kDistances);
    double cumulated = 0.0;
    for (const Row row : ranked.rows) {
        CHECK(outputs.at(cumulated + 1e-9) == row);
        cumulated += law[static_cast<std::size_t>(row)];
        CHECK(outputs.at(cumulated - 1e-9) == row);
    }
    CHECK(outputs.at(0x1p-53) == static_cast<Row>(kWord));
    CHECK(outputs.at(1.0 - 0x1p-53) == ranked.rows.back());
}

TEST_CASE("As epsilon rises a draw keeps its word; at a fixed radius it never moves away") {
    const RankedWords ranked = rankWords(kWord, kFloats);
    const auto fixed = Truncation::byRadius(3.0).value();
    const auto byBeta =
        Truncation::byErrorProbability(0.2, static_cast<std::int64_t>(kDistances.size())).value();
    for (const double quantile : {0.001, 0.2, 0.5, 0.77, 0.9, 0.999}) {
        double distance = std::numeric_limits<double>::infinity();
        bool wasKept = false;
        double epsilon = 0.01;
        while (epsilon < 1000.0) {
            const Row near = OutputQuantiles(fixed.at(epsilon).value(), ranked).at(quantile);
            CHECK(kDistances[static_cast<std::size_t>(near)] <= distance);
            distance = kDistances[static_cast<std::size_t>(near)];
            const bool isKept = OutputQuantiles(byBeta.at(epsilon).value(), ranked).at(quantile) ==
                                static_cast<Row>(kWord);
            CHECK((isKept || !wasKept));
            wasKept = isKept;
            epsilon *= 1.3;
        }
    }
}

using metric::Metric;

namespace {

MetricSpace quantileSpace(Eigen::Index words, Metric metric) {
    const auto handle = test::toyEmbedding(test::anisotropicVectors(words, 4, 91));
    return MetricSpace::create(metric::WordMetric::create(handle, metric, 0.5).value()).value();
}

}  // namespace

TEST_CASE("Every bit of a seed changes the draws of a selection") {
    const std::vector<double> draws = selectionQuantiles(5, 3);
    CHECK(selectionQuantiles(5, 3) == draws);
    for (unsigned bit = 0; bit < 64; ++bit) {
        CHECK(selectionQuantiles(5 ^ (std::uint64_t{1} << bit), 3) != draws);
    }
}

TEST_CASE("Drawn outputs follow the closed form (chi-square, rate 1e-6 each)") {
    const Metric metric = GENERATE(Metric::euclidean, Metric::mahalanobis, Metric::angular);
    const MetricSpace space = quantileSpace(25, metric);
    const std::vector<TruncatedExponential> mechanisms{
        TruncatedExponential::create(0.7, 1.0).value(),
        TruncatedExponential::create(2.0, 5.0).value()};
    constexpr int kDraws = 20'000;
    const std::vector<Row> words{3, 11};
    const auto drawn = drawSelections(space, words, mechanisms, {kDraws, 5, 3, 1}).value();
    for (std::size_t w = 0; w < words.size(); ++w) {
        const std::vector<double> distances = test::distancesFrom(space.metric(), words[w]);
        for (std::size_t k = 0; k < mechanisms.size(); ++k) {
            const std::vector<double> law = test::lawOf(mechanisms[k], distances);
            std::vector<int> counts(25);
            for (const Row output : drawn[w].outputs[k]) {
                ++counts[static_cast<std::size_t>(output)];
            }
            CHECK(test::misfit(counts, test::vectorOf(law), 1e-6) < 1.0);
        }
    }
}

TEST_CASE("Draws do not depend on threads or on the other words") {
    const MetricSpace space = quantileSpace(200, Metric::euclidean);
    const std::vector<TruncatedExponential> mechanisms{
        TruncatedExponential::create(3.0, 2.0).value()};
    const std::vector<Row> words = test::rowsBelow(40);
    const auto one = drawSelections(space, words, mechanisms, {50, 1, 10, 1}).value();
    const auto two = drawSelections(space, words, mechanisms, {50, 1, 10, 2}).value();
    const auto alone =
        drawSelections(space, std::vector<Row>{17}, mechanisms, {50, 1, 10, 1}).value();
    for (std::size_t w = 0; w < words.size(); ++w) {
        CHECK(one[w].outputs == two[w].outputs);
        CHECK(one[w].neighbours.rows == two[w].neighbours.rows);
        CHECK(one[w].neighbours.rows.size() == 10);
    }
    CHECK(alone[0].outputs == one[17].outputs);
    CHECK(selectionQuantiles(1, 50) != selectionQuantiles(2, 50));
    // The first draws are those of a shorter run.
    const std::vector<double> quantiles = selectionQuantiles(1, 50);
    CHECK(selectionQuantiles(1, 20) ==
          std::vector<double>(quantiles.begin(), quantiles.begin() + 20));
}

TEST_CASE("Cancelled draws are not handed out") {
    test::checkRefused(drawSelections(quantileSpace(30, Metric::euclidean), std::vector<Row>{1}, {},
                                      {10, 1, 5, 1}, test::stoppedJob()),
                       ErrorCode::cancelled);
}
