#include "core/experiment/attack/learned_attack.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include <catch2/catch.hpp>

#include "core/base/random_stream.h"
#include "core/experiment/attack/learned_counts.h"
#include "core/experiment/attack/learned_observations.h"
#include "core/experiment/attack/noisy_vectors.h"
#include "core/experiment/attack/prior.h"
#include "core/experiment/attack/reconstruction.h"
#include "core/experiment/attack/smoothing_models.h"
#include "tests/support/brute_force.h"
#include "tests/support/statistical.h"
#include "tests/support/toy_embedding.h"

// References: the formulas of the learned attacker evaluated in float64 for every word; the exact
// channel of TEM.

using namespace epsilens;
using namespace epsilens::experiment;
using mechanism::TruncatedExponential;

namespace {

constexpr double kNoRadius = std::numeric_limits<double>::infinity();

RowMatrixD channelMatrix(const metric::WordMetric& metric, const TruncatedExponential& mechanism) {
    const Row words = metric.embedding().wordCount();
    RowMatrixD matrix(words, words);
    for (Row w = 0; w < words; ++w) {
        const auto law = mechanism.probabilities(test::distancesFrom(metric, w));
        for (Row u = 0; u < words; ++u) {
            matrix(w, u) = law[static_cast<std::size_t>(u)];
        }
    }
    return matrix;
}

Row drawFrom(const RowMatrixD& matrix, Row word, SeededStream& stream) {
    double left = stream.uniform();
    Row output = 0;
    while (output + 1 < matrix.cols() && left > matrix(word, output)) {
        left -= matrix(word, output++);
    }
    return output;
}

LearningDraws learningDraws(const RowMatrixD& matrix, std::vector<Row> words, int draws) {
    LearningDraws learning{std::move(words), draws, {}};
    SeededStream stream(StreamKey{11, StreamPurpose::sentence, 0, 0});
    for (const Row word : learning.words) {
        for (int draw = 0; draw < draws; ++draw) {
            learning.outputs.push_back(drawFrom(matrix, word, stream));
        }
    }
    return learning;
}

DrawnPairs drawnPairs(const RowMatrixD& matrix, const VectorD& prior, std::int64_t count,
                      std::uint64_t seed) {
    DrawnPairs pairs{drawWords(prior, count, seed), {}, {}};
    SeededStream stream(StreamKey{seed, StreamPurpose::sentence, 0, 1});
    for (const Row word : pairs.words) {
        pairs.outputs.push_back(drawFrom(matrix, word, stream));
    }
    return pairs;
}

// 1 / rank, in an order of its own.
VectorD zipfPrior(Row words) {
    VectorD prior(words);
    for (Row word = 0; word < words; ++word) {
        prior[(word * 7 + 3) % words] = 1.0 / (1.0 + word);
    }
    return prior / prior.sum();
}

double posteriorVulnerability(const RowMatrixD& matrix, const VectorD& prior) {
    double sum = 0.0;
    for (Row u = 0; u < matrix.cols(); ++u) {
        sum += prior.cwiseProduct(matrix.col(u)).maxCoeff();
    }
    return sum;
}

// Successes on the draws for selection of one kappa and s, by the definition.
double definedSuccess(const metric::WordMetric& metric, const SampledSetting& setting,
                      const VectorD& prior, double kappa, double scale) {
    const RowMatrixD model = channelMatrix(
        metric, TruncatedExponential::create(2.0 * scale * setting.epsilon, kNoRadius).value());
    const auto draws = static_cast<double>(setting.learning.draws);
    RowMatrixD counts = RowMatrixD::Zero(model.rows(), model.cols());
    std::vector<bool> isLearned(static_cast<std::size_t>(model.rows()));
    for (std::size_t i = 0; i < setting.learning.outputs.size(); ++i) {
        const Row word =
            setting.learning.words[i / static_cast<std::size_t>(setting.learning.draws)];
        counts(word, setting.learning.outputs[i]) += 1.0;
        isLearned[static_cast<std::size_t>(word)] = true;
    }
    const Row commonest = commonestWords(prior, 1).front();
    std::int64_t successes = 0;
    for (Row u = 0; u < model.cols(); ++u) {
        Row guess = commonest;
        double best = 0.0;
        for (Row w = 0; w < model.rows(); ++w) {
            const double own = isLearned[static_cast<std::size_t>(w)] ? draws : 0.0;
            const double smoothed =
                std::isinf(kappa)
                    ? model(w, u)
                    : (own + kappa > 0.0 ? (counts(w, u) + kappa * model(w, u)) / (own + kappa)
                                         : 0.0);
            if (prior[w] * smoothed > best) {
                best = prior[w] * smoothed;
                guess = w;
            }
        }
        std::int64_t byGuess = 0;
        std::int64_t byPrior = 0;
        for (std::size_t i = 0; i < setting.selection.words.size(); ++i) {
            if (setting.selection.outputs[i] == u) {
                byGuess += setting.selection.words[i] == guess ? 1 : 0;
                byPrior += setting.selection.words[i] == commonest ? 1 : 0;
            }
        }
        successes += std::max(byGuess, byPrior);
    }
    return static_cast<double>(successes) / static_cast<double>(setting.selection.words.size());
}

double tolerance(std::int64_t samples) {
    return test::normalCritical(test::kFalseAlarmRate) * 0.5 /
           std::sqrt(static_cast<double>(samples));
}

// A text whose words the prior, smoothed over a vocabulary of which most never occur, gets wrong.
struct Forecast {
    VectorD law{};                       ///< of the words of texts
    std::vector<std::int64_t> counts{};  ///< of a reference text

    Forecast(Row words, std::uint64_t seed) : law(VectorD::Zero(words)) {
        for (Row rank = 0; rank < words / 8; ++rank) {
            law[(rank * 7 + 3) % words] = 1.0 / (4.0 + rank);
        }
        law /= law.sum();
        counts = wordCounts(drawWords(law, 2 * words, seed), words);
    }
};

// One who takes kappa = 1 and s = 1 without trying them.
LearnedAttacker naiveAttacker(const engine::MetricSpace& space, const SampledSetting& setting,
                              const VectorD& prior) {
    const auto models = SmoothingModels::create(space, {setting.epsilon}, 1).value();
    const LearnedCounts counts(setting.learning, space.wordCount());
    const VectorD logPrior = prior.array().log();
    std::vector<Row> every(static_cast<std::size_t>(space.wordCount()));
    std::iota(every.begin(), every.end(), 0);
    const std::vector<std::int64_t> outputs(every.begin(), every.end());
    RowMatrixF said;
    learnedObservations(space, models, 0, counts, logPrior, {1.0, 1.0}, every)
        .reader()
        ->read(outputs, said);
    LearnedAttacker attacker{1.0, 1.0, 1.0, 0.0, std::move(every)};
    for (const std::int64_t output : outputs) {
        (said.row(output).transpose() + logPrior.cast<float>())
            .maxCoeff(&attacker.guesses[static_cast<std::size_t>(output)]);
    }
    return attacker;
}

Share gainOf(const LearnedAttacker& attacker, const DrawnPairs& text, Row commonest) {
    std::vector<float> own;
    std::vector<float> priors;
    std::vector<std::int32_t> tokens;
    for (std::size_t i = 0; i < text.words.size(); ++i) {
        const Row guess = attacker.guesses[static_cast<std::size_t>(text.outputs[i])];
        own.push_back(guess == text.words[i] ? 1.0F : 0.0F);
        priors.push_back(commonest == text.words[i] ? 1.0F : 0.0F);
        tokens.push_back(static_cast<std::int32_t>(i));
    }
    return differenceByDocuments(own, priors, tokens);
}

}  // namespace

TEST_CASE("The learned attacker is the best of its formula on the draws for selection") {
    const auto metric =
        metric::WordMetric::create(test::toyEmbedding(test::anisotropicVectors(40, 4, 81)),
                                   metric::Metric::euclidean)
            .value();
    const auto space = engine::MetricSpace::create(metric).value();
    const VectorD prior = zipfPrior(40);
    const RowMatrixD channel =
        channelMatrix(metric, TruncatedExponential::create(4.0, kNoRadius).value());
    std::vector<Row> learned(30);
    std::iota(learned.begin(), learned.end(), 5);
    const SampledSetting setting{
        3.0, learningDraws(channel, learned, 20), drawnPairs(channel, prior, 2000, 1), {}};
    const auto attacker =
        learnAttackers(space, std::vector{setting}, prior, 2).value().front().underPrior;
    double best = 0.0;
    for (const double kappa : smoothingWeights()) {
        for (const double scale : smoothingScales()) {
            best = std::max(best, definedSuccess(metric, setting, prior, kappa, scale));
        }
    }
    CHECK(attacker.selectionSuccess == Approx(best).epsilon(1e-12));
    CHECK(attacker.selectionSuccess ==
          Approx(definedSuccess(metric, setting, prior, attacker.kappa, attacker.scale)));
}

TEST_CASE(
    "What a learned attacker takes outputs to say is the formula, or nothing below his caution") {
    constexpr Row kWords = 40;
    const auto metric =
        metric::WordMetric::create(test::toyEmbedding(test::anisotropicVectors(kWords, 4, 86)),
                                   metric::Metric::euclidean)
            .value();
    const auto space = engine::MetricSpace::create(metric).value();
    const VectorD prior = zipfPrior(kWords);
    const VectorD logPrior = prior.array().log();
    const RowMatrixD channel =
        channelMatrix(metric, TruncatedExponential::create(4.0, kNoRadius).value());
    std::vector<Row> learned(25);
    std::iota(learned.begin(), learned.end(), 5);
    const LearningDraws learning = learningDraws(channel, learned, 20);
    const LearnedCounts counts(learning, kWords);
    constexpr double kRate = 1.5;
    const auto models = SmoothingModels::create(space, {kRate}).value();
    const RowMatrixD model =
        channelMatrix(metric, TruncatedExponential::create(2.0 * kRate, kNoRadius).value());
    RowMatrixD seen = RowMatrixD::Zero(kWords, kWords);
    for (std::size_t i = 0; i < learning.outputs.size(); ++i) {
        seen(learned[i / 20], learning.outputs[i]) += 1.0;
    }
    const std::vector<Row> outputs = drawnPairs(channel, prior, 60, 8).outputs;
    std::vector<std::int64_t> all(60);
    std::iota(all.begin(), all.end(), std::int64_t{0});
    const Row commonest = commonestWords(prior, 1).front();
    std::int64_t silentAtTen = 0;
    for (const double kappa : {0.0, 1.0, 100.0, kNoRadius}) {
        for (const double caution : {1.0, 10.0, kNoRadius}) {
            RowMatrixF said;
            learnedObservations(space, models, 0, counts, logPrior, {kappa, caution}, outputs)
                .reader()
                ->read(all, said);
            std::int64_t silent = 0;
            for (const std::int64_t i : all) {
                const Row u = outputs[static_cast<std::size_t>(i)];
                VectorD expected(kWords);
                for (Row w = 0; w < kWords; ++w) {
                    const double draws = w >= 5 && w < 30 ? 20.0 : 0.0;
                    expected[w] = std::log(
                        std::isinf(kappa)     ? model(w, u)
                        : draws + kappa > 0.0 ? (seen(w, u) + kappa * model(w, u)) / (draws + kappa)
                                              : 0.0);
                }
                const VectorD scores = expected + logPrior;
                const double lead = scores.maxCoeff() - scores[commonest];
                CAPTURE(kappa, caution, i, lead);
                if (std::isinf(caution) || std::isinf(expected.maxCoeff()) ||
                    lead < std::log(caution)) {
                    CHECK(said.row(i).isZero());
                    ++silent;
                    continue;
                }
                for (Row w = 0; w < kWords; ++w) {
                    if (std::isfinite(expected[w])) {
                        CHECK(said(i, w) == Approx(expected[w]).margin(1e-4));
                    } else {
                        CHECK(said(i, w) < -1e5F);
                    }
                }
            }
            // Whether his caution is tried at all.
            CHECK((std::isinf(caution) ? silent == 60 : silent < 60));
            silentAtTen += caution == 10.0 ? silent : 0;
        }
    }
    CHECK(silentAtTen > 0);
}

TEST_CASE("Over a large vocabulary the models' totals are estimated from some of its words") {
    // The estimate is a mean over words at equal steps of vectors in no order. Reference: the sum
    // over all words in float64; its spread follows from the weights themselves.
    constexpr Row kWords = 2 * SmoothingModels::kSummedWords + 7;
    const auto metric =
        metric::WordMetric::create(test::toyEmbedding(test::anisotropicVectors(kWords, 6, 87)),
                                   metric::Metric::euclidean)
            .value();
    const auto space = engine::MetricSpace::create(metric).value();
    constexpr std::array kRates{0.3, 2.0};
    const std::vector<double> rates(kRates.begin(), kRates.end());
    const auto models = SmoothingModels::create(space, rates, 1).value();
    const auto sameModels = SmoothingModels::create(space, rates, 3).value();
    for (std::size_t model = 0; model < kRates.size(); ++model) {
        for (Row word = 0; word < kWords; word += 97) {
            double sum = 0.0;
            double squares = 0.0;
            for (const double distance : test::distancesFrom(metric, word)) {
                const double weight = std::exp(-kRates[model] * distance);
                sum += weight;
                squares += weight * weight;
            }
            const double logTotal = -models.logModel(model, word, 0.0F);
            CAPTURE(model, word, sum);
            CHECK(sameModels.logModel(model, word, 0.0F) == -logTotal);
            // V/n - 1 is 1 here: the variance of the total is that of the weights.
            const double spread = std::sqrt(squares);
            CHECK(std::exp(logTotal) ==
                  Approx(sum).margin(test::normalCritical(test::kFalseAlarmRate) * spread));
        }
    }
}

TEST_CASE("The best word under a model is the best of all words, the first of equal ones") {
    constexpr Row kWords = 2500;  // more than a block
    const auto metric =
        metric::WordMetric::create(test::toyEmbedding(test::anisotropicVectors(kWords, 3, 88)),
                                   metric::Metric::euclidean)
            .value();
    const auto space = engine::MetricSpace::create(metric).value();
    const auto models = SmoothingModels::create(space, {1.5}, 1).value();
    VectorD weights = zipfPrior(kWords).array().log();
    weights[7] = -std::numeric_limits<double>::infinity();
    const VectorF offsets = models.offsets(0, weights);
    std::vector<float> distances(kWords);
    for (Row output = 0; output < kWords; output += 250) {
        const auto exact = test::distancesFrom(metric, output);
        std::copy(exact.begin(), exact.end(), distances.begin());
        Row best = 0;
        double largest = -std::numeric_limits<double>::infinity();
        for (Row word = 0; word < kWords; ++word) {
            const double score =
                weights[word] + models.logModel(0, word, distances[static_cast<std::size_t>(word)]);
            if (score > largest) {
                largest = score;
                best = word;
            }
        }
        CAPTURE(output);
        CHECK(models.best(0, offsets, distances.data()) == best);
    }
    const std::vector<float> equal(kWords, 1.0F);
    CHECK(models.best(0, VectorF::Zero(kWords), equal.data()) == 0);
}

TEST_CASE("TEM treated as unknown lies in its bracket") {
    // The lower end is at most the truth and the upper end at least, but for sampling noise.
    const auto metric =
        metric::WordMetric::create(test::toyEmbedding(test::anisotropicVectors(80, 5, 82)),
                                   metric::Metric::euclidean)
            .value();
    const auto space = engine::MetricSpace::create(metric).value();
    const VectorD prior = zipfPrior(80);
    std::vector<Row> all(80);
    std::iota(all.begin(), all.end(), 0);
    for (const double epsilon : {0.5, 3.0, 8.0}) {
        const RowMatrixD channel =
            channelMatrix(metric, TruncatedExponential::create(epsilon, 2.0).value());
        const DrawnPairs scoring = drawnPairs(channel, prior, 20'000, 3);
        const SampledSetting setting{epsilon,
                                     learningDraws(channel, all, 100),
                                     drawnPairs(channel, prior, 4000, 2),
                                     {},
                                     scoring.outputs};
        const auto attacker = learnAttackers(space, std::vector{setting}, prior).value().front();
        const double lower = learnedSuccess(attacker.underPrior, scoring).value;
        const double truth = posteriorVulnerability(channel, prior);
        CAPTURE(epsilon, lower, truth);
        CHECK(lower <= truth + tolerance(20'000));
        CHECK(lower >= prior.maxCoeff() - tolerance(20'000));
        CHECK(lower >= 0.8 * truth);
    }
}

TEST_CASE("A learned attacker finds all in the original text and no more than the prior in noise") {
    const auto metric =
        metric::WordMetric::create(test::toyEmbedding(test::anisotropicVectors(50, 4, 83)),
                                   metric::Metric::euclidean)
            .value();
    const auto space = engine::MetricSpace::create(metric).value();
    const VectorD prior = zipfPrior(50);
    std::vector<Row> all(50);
    std::iota(all.begin(), all.end(), 0);
    const RowMatrixD original = RowMatrixD::Identity(50, 50);
    const RowMatrixD random = RowMatrixD::Constant(50, 50, 0.02);
    const auto success = [&](const RowMatrixD& channel) {
        const DrawnPairs scoring = drawnPairs(channel, prior, 20'000, 5);
        const SampledSetting setting{2.0,
                                     learningDraws(channel, all, 100),
                                     drawnPairs(channel, prior, 2000, 4),
                                     {},
                                     scoring.outputs};
        const auto attackers = learnAttackers(space, std::vector{setting}, prior).value();
        return learnedSuccess(attackers.front().underPrior, scoring).value;
    };
    CHECK(success(original) == 1.0);
    CHECK(success(random) == Approx(prior.maxCoeff()).margin(tolerance(20'000)));
}

TEST_CASE("Where outputs say nothing the lower end is the prior's success, however many words") {
    // With one draw for selection of each output, luck would choose among them.
    constexpr Row kWords = 1000;
    const auto metric =
        metric::WordMetric::create(test::toyEmbedding(test::anisotropicVectors(kWords, 4, 87)),
                                   metric::Metric::euclidean)
            .value();
    const auto space = engine::MetricSpace::create(metric).value();
    const VectorD prior = zipfPrior(kWords);
    const RowMatrixD random = RowMatrixD::Constant(kWords, kWords, 1.0 / kWords);
    const DrawnPairs scoring = drawnPairs(random, prior, 20'000, 5);
    const SampledSetting setting{2.0,
                                 learningDraws(random, commonestWords(prior, 100), 30),
                                 drawnPairs(random, prior, kWords, 4),
                                 {},
                                 scoring.outputs};
    const auto attackers = learnAttackers(space, std::vector{setting}, prior).value();
    const Share lower = learnedSuccess(attackers.front().underPrior, scoring);
    CHECK(lower.value == Approx(prior.maxCoeff()).margin(tolerance(20'000)));
}

TEST_CASE("Another text is expected to have unseen words as often as one word occurs once") {
    // By hand: N = 8, two words occur once, two never.
    const VectorD law = expectedWords(std::vector<std::int64_t>{4, 0, 1, 2, 0, 1});
    CHECK(law[0] == Approx(0.75 * 4.0 / 8.0));
    CHECK(law[1] == Approx(0.25 / 2.0));
    CHECK(law[2] == Approx(0.75 / 8.0));
    CHECK(law.sum() == Approx(1.0));
    CHECK(expectedWords(std::vector<std::int64_t>{3, 1})[0] == Approx(0.75));
    CHECK(expectedWords(std::vector<std::int64_t>{1, 0})[0] == Approx(2.0 / 3.0));
    CHECK(expectedWords(std::vector<std::int64_t>{0, 0})[1] == Approx(0.5));
}

TEST_CASE("A learned attacker on a text is not below the prior beyond its interval") {
    // Of 40 texts at each epsilon, an attacker who is no worse than the prior seems worse beyond
    // the 95% interval with probability 0.025 at most: more than 8 have probability below 1e-6,
    // test::kFalseAlarmRate (binomial).
    constexpr int kTexts = 40;
    constexpr int kCritical = 8;
    constexpr Row kWords = 240;
    const auto metric =
        metric::WordMetric::create(test::toyEmbedding(test::anisotropicVectors(kWords, 6, 86)),
                                   metric::Metric::euclidean)
            .value();
    const auto space = engine::MetricSpace::create(metric).value();
    struct Outcome {
        int below = 0;  ///< texts where the gain's interval is below 0
        double gain = 0.0;

        void add(const Share& share) {
            below += share.ci95->back() < 0.0 ? 1 : 0;
            gain += share.value / kTexts;
        }
    };
    for (const double epsilon : {0.2, 1.0, 4.0}) {
        const RowMatrixD channel =
            channelMatrix(metric, TruncatedExponential::create(epsilon, kNoRadius).value());
        Outcome onText;
        Outcome underPrior;
        Outcome naive;
        for (std::uint64_t i = 0; i < kTexts; ++i) {
            const std::uint64_t seed = 100 + 10 * i;
            const Forecast forecast(kWords, seed);
            const VectorD prior = smoothedPrior(forecast.counts);
            const DrawnPairs text = drawnPairs(channel, forecast.law, 2000, seed + 3);
            const SampledSetting setting{
                epsilon, learningDraws(channel, commonestWords(prior, 40), 30),
                drawnPairs(channel, prior, 1000, seed + 1),
                drawnPairs(channel, expectedWords(forecast.counts), 2000, seed + 2), text.outputs};
            const auto attackers =
                learnAttackers(space, std::vector{setting}, prior, 1).value().front();
            const Row commonest = commonestWords(prior, 1).front();
            onText.add(gainOf(attackers.onText, text, commonest));
            underPrior.add(gainOf(attackers.underPrior, text, commonest));
            naive.add(gainOf(naiveAttacker(space, setting, prior), text, commonest));
        }
        CAPTURE(epsilon, onText.below, underPrior.below, naive.below, onText.gain, underPrior.gain);
        CHECK(onText.below <= kCritical);
        // The test has power: who is not chosen fails. Nothing is lost where he can guess.
        CHECK((epsilon > 0.2 || naive.below > kCritical));
        CHECK((epsilon < 4.0 || onText.gain > 0.1));
        CHECK(onText.gain > underPrior.gain - 0.01);
    }
}
