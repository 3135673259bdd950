#include "core/engine/output_quantiles.h"

#include <cmath>
#include <functional>
#include <limits>

#include <catch2/catch.hpp>

#include "core/base/random_stream.h"
#include "tests/support/audit.h"
#include "tests/support/statistical.h"

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
    const std::vector<double> law = mechanism.probabilities(kDistances);
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
    CHECK(std::is_sorted(ranked.distances.begin(), ranked.distances.end()));
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
    const std::vector<double> law = mechanism.probabilities(kDistances);
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
