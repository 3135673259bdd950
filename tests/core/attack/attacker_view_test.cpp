#include "core/attack/attacker_view.h"
#include "core/base/ordered.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <catch2/catch.hpp>

#include "core/attack/prior.h"
#include "core/base/random_stream.h"
#include "core/mechanism/truncated_exponential.h"
#include "tests/core/attack/attack_support.h"
#include "tests/support/brute_force.h"
#include "tests/support/statistical.h"
#include "tests/support/toy_embedding.h"

// References: sums over all words in float64, the channel of TEM as a matrix, closed forms for
// words on a line, and draws of the mechanism with other seeds.

using namespace epsilens;
using namespace epsilens::attack;
using mechanism::TruncatedExponential;
using test::channelMatrix;
using test::tolerance;
using test::zipfPrior;

namespace {

constexpr double kNoRadius = std::numeric_limits<double>::infinity();

metric::WordMetric metricOf(const RowMatrixF& vectors,
                            metric::Metric metric = metric::Metric::euclidean) {
    return metric::WordMetric::create(test::toyEmbedding(vectors), metric, 0.6).value();
}

WordPairs pairsFrom(const RowMatrixD& matrix, const VectorD& prior, std::int64_t count,
                    std::uint64_t seed) {
    WordPairs pairs{drawWords(prior, count, seed), {}};
    SeededStream stream(StreamKey{seed, StreamPurpose::sentence, 0, 1});
    for (const Row word : pairs.words) {
        pairs.outputs.push_back(test::drawFrom(matrix, word, stream));
    }
    return pairs;
}

AttackerKernel fittedTo(const RowMatrixD& channel, const engine::MetricSpace& space,
                        const VectorD& prior, std::int64_t pairs = kPairsOfSetting) {
    return fitKernels(space, std::array{pairsFrom(channel, prior, pairs, 3)},
                      std::array{pairsFrom(channel, prior, kPairsOfSetting, 4)}, prior)
        ->front();
}

/// Argmax of pi(x) C(x, u) in float64 over the kernel with a rate, or what the rule has.
Row guessOf(const metric::WordMetric& metric, const AttackerKernel& fitted, const VectorD& prior,
            Row output) {
    const Row commonest = commonestWords(prior, 1).front();
    if (fitted.rule != GuessRule::posterior) {
        return fitted.rule == GuessRule::output ? output : commonest;
    }
    const RowMatrixD kernel = channelMatrix(
        metric, TruncatedExponential::create(2.0 * fitted.kernel.decay.rate, kNoRadius).value());
    Row best = 0;
    prior.cwiseProduct(kernel.col(output)).maxCoeff(&best);
    return best;
}

struct Rates {
    double guess = 0.0;
    double echo = 0.0;
    double prior = 0.0;
};

Rates ratesOn(const WordPairs& pairs, const VectorD& prior, const auto& guess) {
    const Row commonest = commonestWords(prior, 1).front();
    Rates rates;
    const auto count = static_cast<double>(pairs.words.size());
    for (std::size_t i = 0; i < pairs.words.size(); ++i) {
        const Row word = pairs.words[i];
        rates.guess += guess(pairs.outputs[i]) == word ? 1.0 / count : 0.0;
        rates.echo += pairs.outputs[i] == word ? 1.0 / count : 0.0;
        rates.prior += commonest == word ? 1.0 / count : 0.0;
    }
    return rates;
}

}  // namespace

TEST_CASE("A kernel over all words is the law of TEM") {
    const metric::Metric name =
        GENERATE(metric::Metric::euclidean, metric::Metric::mahalanobis, metric::Metric::poincare);
    const auto metric = metricOf(test::anisotropicVectors(150, 6, 71) * 0.15F, name);
    const auto space = engine::MetricSpace::create(metric).value();
    const std::array laws{TruncatedExponential::create(4.0, kNoRadius).value(),
                          TruncatedExponential::create(12.0, 0.5).value(),
                          TruncatedExponential::create(40.0, kNoRadius).value()};
    std::vector<Decay> decays;
    decays.reserve(laws.size());
    for (const auto& law : laws) {
        decays.push_back({0.5 * law.epsilon(), law.cap()});
    }
    const auto kernels = DistanceKernel::create(space, decays, 150, 1).value();
    for (std::size_t setting = 0; setting < laws.size(); ++setting) {
        const RowMatrixD matrix = channelMatrix(metric, laws[setting]);
        for (Row output = 0; output < 150; output += 7) {
            const auto exact = test::distancesFrom(metric, output);
            const std::vector<float> distances(exact.begin(), exact.end());
            VectorF column(150);
            kernels[setting].logColumn(distances.data(), column.data());
            for (Row word = 0; word < 150; ++word) {
                CHECK(static_cast<double>(column[word]) ==
                      Approx(std::log(matrix(word, output))).margin(1e-4));
            }
        }
    }
}

TEST_CASE("Over a large vocabulary the totals of a model are estimated from some of its words") {
    // The estimate is a mean over words at equal steps of vectors in no order. Reference: the sum
    // over all words in float64; its spread follows from the weights themselves.
    constexpr Row kWords = 2 * DistanceKernel::kSummedWords + 7;
    const auto metric = metricOf(test::anisotropicVectors(kWords, 6, 87));
    const auto space = engine::MetricSpace::create(metric).value();
    const std::array decays{Decay{0.3}, Decay{2.0}};
    const auto create = [&](int threads) {
        return DistanceKernel::create(space, decays, DistanceKernel::kSummedWords, threads).value();
    };
    const auto kernels = create(1);
    const auto same = create(3);
    for (std::size_t i = 0; i < decays.size(); ++i) {
        CHECK(same[i].logTotals == kernels[i].logTotals);
        for (Row word = 0; word < kWords; word += 97) {
            double sum = 0.0;
            double squares = 0.0;
            for (const double distance : test::distancesFrom(metric, word)) {
                const double weight = std::exp(-decays.at(i).rate * distance);
                sum += weight;
                squares += weight * weight;
            }
            CAPTURE(i, word, sum);
            // V/n - 1 is 1 here: the variance of the total is that of the weights.
            CHECK(std::exp(static_cast<double>(kernels[i].logTotals[word])) ==
                  Approx(sum).margin(test::normalCritical(test::kFalseAlarmRate) *
                                     std::sqrt(squares)));
        }
    }
}

TEST_CASE("A kernel fitted to TEM finds the rate of TEM") {
    // The truth lies in the family: the rate is epsilon / 2. Among so many pairs the parabola
    // through rates that are 1.33 times apart is off by more than chance: by 2 to 4 of 100.
    const auto metric = metricOf(test::anisotropicVectors(200, 6, 82));
    const auto space = engine::MetricSpace::create(metric).value();
    const VectorD prior = zipfPrior(200);
    for (const double epsilon : {2.0, 4.0, 8.0}) {
        const RowMatrixD channel =
            channelMatrix(metric, TruncatedExponential::create(epsilon, kNoRadius).value());
        const AttackerKernel fitted = fittedTo(channel, space, prior, 40'000);
        CAPTURE(epsilon);
        CHECK(fitted.kernel.decay.rate == Approx(0.5 * epsilon).epsilon(0.06));
        CHECK(fitted.rule == GuessRule::posterior);
    }
}

TEST_CASE("A fitted kernel guesses no worse than prior and echo, and near the best guesses") {
    const auto metric = metricOf(test::anisotropicVectors(200, 6, 83));
    const auto space = engine::MetricSpace::create(metric).value();
    const VectorD prior = zipfPrior(200);
    constexpr std::int64_t kFresh = 20'000;
    for (const double epsilon : {0.1, 0.5, 2.0, 6.0, 20.0}) {
        const RowMatrixD channel =
            channelMatrix(metric, TruncatedExponential::create(epsilon, 2.0).value());
        const AttackerKernel fitted = fittedTo(channel, space, prior);
        std::vector<Row> guesses;
        double best = 0.0;
        for (Row output = 0; output < 200; ++output) {
            guesses.push_back(guessOf(metric, fitted, prior, output));
            best += prior.cwiseProduct(channel.col(output)).maxCoeff();
        }
        const Rates rates = ratesOn(pairsFrom(channel, prior, kFresh, 9), prior, [&](Row output) {
            return guesses[static_cast<std::size_t>(output)];
        });
        CAPTURE(epsilon, rates.guess, rates.echo, rates.prior, best);
        CHECK(rates.guess >= rates.prior - tolerance(kFresh));
        CHECK(rates.guess >= rates.echo - tolerance(kFresh));
        CHECK(rates.guess <= best + tolerance(kFresh));
        CHECK(rates.guess >= 0.95 * best - tolerance(kFresh));
    }
}

TEST_CASE("Outputs that mislead a kernel are guessed as they are, or not at all") {
    RowMatrixF line(40, 1);
    for (Row word = 0; word < 40; ++word) {
        line(word, 0) = static_cast<float>(word);
    }
    const auto metric = metricOf(line);
    const auto space = engine::MetricSpace::create(metric).value();
    const VectorD prior = zipfPrior(40);
    // No word, or every other one, stays; the rest becomes one at the other end of the line:
    // distances tell the wrong way round, and a kernel between the two guesses the commonest word.
    for (const double kept : {0.0, 0.5}) {
        RowMatrixD channel = kept * RowMatrixD::Identity(40, 40);
        for (Row word = 0; word < 40; ++word) {
            channel(word, 39 - word) += 1.0 - kept;
        }
        const AttackerKernel fitted = fittedTo(channel, space, prior);
        const Rates rates =
            ratesOn(pairsFrom(channel, prior, kPairsOfSetting, 4), prior,
                    [&](Row output) { return guessOf(metric, fitted, prior, output); });
        CHECK(rates.guess >= rates.prior);
        CHECK(rates.guess >= rates.echo);
    }
}

TEST_CASE("A calibration is the isotonic regression") {
    // Its minimax formula: max over first <= i of min over last >= i of the mean of right between.
    SeededStream stream(StreamKey{4, StreamPurpose::sentence, 0, 0});
    for (int repetition = 0; repetition < 20; ++repetition) {
        std::vector<std::pair<double, bool>> claims;
        for (int i = 0; i < 40; ++i) {
            const double claimed = static_cast<double>(stream.below(20)) / 20.0;
            claims.emplace_back(claimed, stream.uniform() < claimed * claimed);
        }
        const Calibration calibration(claims);
        const auto rightBetween = [&](double first, double last) {
            double right = 0.0;
            double count = 0.0;
            for (const auto& [claimed, isRight] : claims) {
                const bool isBetween = claimed >= first && claimed <= last;
                right += isBetween && isRight ? 1.0 : 0.0;
                count += isBetween ? 1.0 : 0.0;
            }
            return right / count;
        };
        for (const auto& [value, ofValue] : claims) {
            double largest = 0.0;
            for (const auto& [first, ofFirst] : claims) {
                double least = first <= value ? 1.0 : 0.0;
                for (const auto& [last, ofLast] : claims) {
                    least = last < value ? least : std::min(least, rightBetween(first, last));
                }
                largest = std::max(largest, least);
            }
            CHECK(calibration(value) == Approx(largest).margin(1e-12));
        }
    }
}

// --- The view of an attacker: guesses of a mechanism at hand ---

namespace {

RowMatrixF fourWords() {
    RowMatrixF vectors(4, 1);
    vectors << 0.0F, 1.0F, 3.0F, 7.0F;
    return vectors;
}

VectorD unevenPrior() {
    VectorD prior(4);
    prior << 0.1, 0.2, 0.4, 0.3;
    return prior;
}

/// Laplace noise on the line: an output is the interval between the middles to its neighbours.
RowMatrixD laplaceOnLine(double epsilon) {
    const RowMatrixF words = fourWords();
    const auto below = [epsilon](double x) {
        return x < 0.0 ? 0.5 * std::exp(epsilon * x) : 1.0 - 0.5 * std::exp(-epsilon * x);
    };
    RowMatrixD channel(4, 4);
    for (Row word = 0; word < 4; ++word) {
        for (Row output = 0; output < 4; ++output) {
            const double at = words(word, 0);
            const double low =
                output == 0 ? 0.0 : below(0.5 * (words(output - 1, 0) + words(output, 0)) - at);
            const double high =
                output == 3 ? 1.0 : below(0.5 * (words(output, 0) + words(output + 1, 0)) - at);
            channel(word, output) = high - low;
        }
    }
    return channel;
}

AttackerView viewOf(const engine::SearchSpace& space, const mechanism::Mechanism& mechanism,
                    double epsilon, const VectorD& prior, std::uint64_t seed = 1, int threads = 0) {
    return AttackerView::learn(space, mechanism, std::array{epsilon}, prior, seed, threads).value();
}

std::vector<Row> allWords(Row words) {
    return indicesBelow<Row>(static_cast<std::size_t>(words));
}

}  // namespace

TEST_CASE("Guesses behind outputs with known probabilities equal sums over all words") {
    const engine::SearchSpace space(test::toyEmbedding(test::anisotropicVectors(150, 6, 71)));
    const auto metric = metricOf(test::anisotropicVectors(150, 6, 71));
    for (const VectorD& prior : {uniformPrior(150), zipfPrior(150)}) {
        for (const double epsilon : {0.2, 1.0, 4.0}) {
            const RowMatrixD channel =
                channelMatrix(metric, TruncatedExponential::create(epsilon, kNoRadius).value());
            const auto guesses = viewOf(space, mechanism::Exponential{}, epsilon, prior)
                                     .guesses(0, allWords(150))
                                     .value();
            for (Row output = 0; output < 150; ++output) {
                const VectorD joint = prior.cwiseProduct(channel.col(output));
                Row best = 0;
                const double largest = joint.maxCoeff(&best);
                const WordGuess& guess = guesses[static_cast<std::size_t>(output)];
                CAPTURE(epsilon, output);
                CHECK(guess.word == best);
                CHECK(guess.probability == Approx(largest / joint.sum()).epsilon(1e-4));
                CHECK(guess.isExact);
            }
        }
    }
}

TEST_CASE("Guesses behind outputs of noise on a line are the best ones, and claim what is true") {
    const engine::SearchSpace space(test::toyEmbedding(fourWords()));
    for (const VectorD& prior : {uniformPrior(4), unevenPrior()}) {
        for (const double epsilon : {0.3, 1.0, 2.0}) {
            const RowMatrixD channel = laplaceOnLine(epsilon);
            const auto guesses =
                viewOf(space, mechanism::Laplace{}, epsilon, prior, 5).guesses(0, allWords(4));
            double claimed = 0.0;
            double right = 0.0;
            double best = 0.0;
            for (Row output = 0; output < 4; ++output) {
                const WordGuess& guess = guesses.value()[static_cast<std::size_t>(output)];
                const VectorD joint = prior.cwiseProduct(channel.col(output));
                CHECK_FALSE(guess.isExact);
                claimed += guess.probability * joint.sum();
                right += joint[guess.word];
                best += joint.maxCoeff();
            }
            CAPTURE(epsilon, claimed, right, best);
            CHECK(right >= 0.97 * best);
            CHECK(claimed == Approx(right).margin(tolerance(kPairsOfSetting)));
        }
    }
}

TEST_CASE("Draws of pairs are those of the engine's law, each word with its own") {
    // Kept with the closed form on the line, and no two words share their noise.
    const engine::SearchSpace space(test::toyEmbedding(fourWords()));
    constexpr std::size_t kEach = 10'000;
    constexpr std::size_t kPairs = 4 * kEach;
    std::vector<Row> words;
    for (std::size_t i = 0; i < kPairs; ++i) {
        words.push_back(static_cast<Row>(i % 4));
    }
    const std::array epsilons{0.5, 2.0};
    const auto pairs = drawPairs(space, mechanism::Laplace{}, epsilons, words, 3, 0).value();
    for (std::size_t i = 0; i < epsilons.size(); ++i) {
        const RowMatrixD channel = laplaceOnLine(epsilons.at(i));
        RowMatrixD counts = RowMatrixD::Zero(4, 4);
        double together = 0.0;
        for (std::size_t pair = 0; pair < kPairs; ++pair) {
            counts(words[pair], pairs[i].outputs[pair]) += 1.0;
        }
        for (std::size_t pair = 0; pair + 3 < kPairs; pair += 4) {
            together += pairs[i].outputs[pair] == 0 && pairs[i].outputs[pair + 1] == 1 ? 1.0 : 0.0;
        }
        for (Row word = 0; word < 4; ++word) {
            for (Row output = 0; output < 4; ++output) {
                CHECK(counts(word, output) / kEach ==
                      Approx(channel(word, output)).margin(tolerance(kEach)));
            }
        }
        CHECK(together / kEach == Approx(channel(0, 0) * channel(1, 1)).margin(tolerance(kEach)));
    }
}

TEST_CASE("Guesses do not depend on the number of threads, nor on other outputs") {
    const RowMatrixF vectors = test::anisotropicVectors(700, 5, 12);
    const engine::SearchSpace space(test::toyEmbedding(vectors));
    const VectorD prior = zipfPrior(700);
    const auto one = viewOf(space, mechanism::Mahalanobis{0.5}, 6.0, prior, 3, 1);
    const auto three = viewOf(space, mechanism::Mahalanobis{0.5}, 6.0, prior, 3, 3);
    const auto all = one.guesses(0, allWords(700), 1).value();
    const auto same = three.guesses(0, allWords(700), 3).value();
    for (std::size_t output = 0; output < 700; ++output) {
        CHECK(all[output].word == same[output].word);
        CHECK(all[output].probability == same[output].probability);
    }
    const auto alone = one.guesses(0, std::array<Row, 1>{321}).value().front();
    CHECK(alone.word == all[321].word);
    CHECK(alone.probability == Approx(all[321].probability).epsilon(1e-5));
}

TEST_CASE("Learning can be cancelled, and says how far it is") {
    const engine::SearchSpace space(test::toyEmbedding(fourWords()));
    std::stop_source stop;
    stop.request_stop();
    for (const mechanism::Mechanism& mechanism :
         {mechanism::Mechanism(mechanism::Laplace{}), mechanism::Mechanism(mechanism::Tem{})}) {
        const auto view = AttackerView::learn(space, mechanism, std::array{1.0}, uniformPrior(4), 1,
                                              0, {stop.get_token(), {}});
        REQUIRE_FALSE(view);
        CHECK(view.error().code == ErrorCode::cancelled);
    }
    std::vector<double> reported;
    const JobContext job{{},
                         [&](const Progress& progress) { reported.push_back(progress.fraction); }};
    REQUIRE(AttackerView::learn(space, mechanism::Laplace{}, std::array{1.0}, uniformPrior(4), 1, 1,
                                job));
    REQUIRE(reported.size() >= 4);
    CHECK(reported.front() < 0.5);
    CHECK(std::ranges::is_sorted(reported));
    CHECK(reported.back() == Approx(1.0));
}
