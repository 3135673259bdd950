#include "core/experiment/attack/sampled_reconstruction.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include <catch2/catch.hpp>

#include "core/base/random_stream.h"
#include "core/engine/create_series.h"
#include "core/engine/noise_draws.h"
#include "core/experiment/attack/noisy_vectors.h"
#include "core/experiment/attack/prior.h"
#include "tests/support/brute_force.h"
#include "tests/support/statistical.h"
#include "tests/support/toy_embedding.h"

// References: the formulas of the learned attacker evaluated in float64 for every word; the exact
// channel of TEM; closed forms for few words; draws of the mechanism itself with other seeds.

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
    DrawnPairs pairs{drawWords(prior, count, seed), {}};
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

struct NoiseCase {
    mechanism::Mechanism mechanism;
    double epsilon;
    RowMatrixF vectors;
};

NoiseCase laplaceOnLine() {
    RowMatrixF vectors(3, 1);
    vectors << 0.0F, 1.0F, 3.0F;
    return {mechanism::Laplace{}, 1.5, vectors};
}

Share upperEnd(const NoiseCase& noise, const VectorD& prior, std::int64_t samples) {
    const auto embedding = test::toyEmbedding(noise.vectors);
    return noisyVectorSuccess(embedding, noise.mechanism.on(embedding).value(), noise.epsilon,
                              prior, samples, 21)
        .value();
}

double tolerance(std::int64_t samples) {
    return test::normalCritical(test::kFalseAlarmRate) * 0.5 /
           std::sqrt(static_cast<double>(samples));
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
    const SampledSetting setting{3.0, learningDraws(channel, learned, 20),
                                 drawnPairs(channel, prior, 2000, 1)};
    const auto attacker = learnAttackers(space, std::vector{setting}, {}, prior, 2).value().front();
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
        const SampledSetting setting{epsilon, learningDraws(channel, all, 100),
                                     drawnPairs(channel, prior, 4000, 2)};
        const DrawnPairs scoring = drawnPairs(channel, prior, 20'000, 3);
        const auto attacker =
            learnAttackers(space, std::vector{setting}, scoring.outputs, prior).value().front();
        const double lower = learnedSuccess(attacker, scoring).value;
        const double truth = posteriorVulnerability(channel, prior);
        CAPTURE(epsilon, lower, truth);
        CHECK(lower <= truth + tolerance(20'000));
        CHECK(lower >= prior.maxCoeff() - tolerance(20'000));
        CHECK(lower >= 0.8 * truth);
        CHECK(plugInVulnerability(setting.learning, prior) >= truth - tolerance(8'000));
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
        const SampledSetting setting{2.0, learningDraws(channel, all, 100),
                                     drawnPairs(channel, prior, 2000, 4)};
        const DrawnPairs scoring = drawnPairs(channel, prior, 20'000, 5);
        const auto attackers =
            learnAttackers(space, std::vector{setting}, scoring.outputs, prior).value();
        return learnedSuccess(attackers.front(), scoring).value;
    };
    CHECK(success(original) == 1.0);
    CHECK(success(random) == Approx(prior.maxCoeff()).margin(tolerance(20'000)));
}

TEST_CASE("On a line the noisy vector tells what the output tells") {
    // With a uniform prior the best guess from the noisy point is the nearest word, the output. The
    // word at 0 is kept unless the noise exceeds 1/2, that at 1 unless it is below -1/2 or above 1,
    // that at 3 unless it is below -1, each with probability 1/2 e^(-epsilon x).
    const NoiseCase line = laplaceOnLine();
    const auto tail = [&](double x) { return 0.5 * std::exp(-line.epsilon * x); };
    const double kept = 1.0 - (2.0 * tail(0.5) + 2.0 * tail(1.0)) / 3.0;
    CHECK(upperEnd(line, uniformPrior(3), 20'000).value == Approx(kept).margin(tolerance(20'000)));
}

TEST_CASE("Two words in three dimensions have a closed form, with elliptical noise too") {
    // Noise of length Y / epsilon, Y ~ Gamma(3), in a uniform direction exceeds t along an axis
    // with probability (2 + a) e^(-a) / 4, a = epsilon t. The words are at distance 2 t.
    RowMatrixF vectors(2, 3);
    vectors << 0.0F, 0.0F, 0.0F, 1.0F, 2.0F, 2.0F;
    for (const double lambda : {0.0, 0.5}) {
        const auto embedding = test::toyEmbedding(vectors);
        const double distance =
            metric::WordMetric::create(embedding, metric::Metric::mahalanobis, lambda)
                .value()
                .distance(0, 1);
        const double a = 1.2 * distance / 2.0;
        const double expected = 1.0 - (2.0 + a) * std::exp(-a) / 4.0;
        const NoiseCase noise{mechanism::Mahalanobis{lambda}, 1.2, vectors};
        CAPTURE(lambda, distance);
        CHECK(upperEnd(noise, uniformPrior(2), 20'000).value ==
              Approx(expected).margin(tolerance(20'000)));
    }
}

TEST_CASE("From the noisy point of the ball the nearest word is the best guess") {
    // Densities fall with the distance, so under a uniform prior the success is the mean share of
    // words that come out unchanged, here drawn by the engine.
    const mechanism::RadialLaw law =
        GENERATE(mechanism::RadialLaw::eq7, mechanism::RadialLaw::riemannian);
    const NoiseCase noise{mechanism::Hyperbolic{law}, 6.0, test::poincareVectors(12, 3, 0.9, 84)};
    const auto embedding = test::toyEmbedding(noise.vectors);
    const engine::SearchSpace space(embedding);
    const auto series = engine::createSeries(space, noise.mechanism, {}).value();
    std::vector<Row> words(12);
    std::iota(words.begin(), words.end(), 0);
    engine::SelectionOptions options;
    options.draws = 2000;
    options.seed = 5;
    const auto outputs =
        engine::drawOutputs(*series, words, std::vector{noise.epsilon}, options).value();
    double kept = 0.0;
    for (const Row word : words) {
        const auto& row = outputs[static_cast<std::size_t>(word)].outputs.front();
        kept += static_cast<double>(std::count(row.begin(), row.end(), word)) / (12.0 * 2000.0);
    }
    // The words of the engine share their draws: their mean has the error of 2,000 draws at most.
    CHECK(upperEnd(noise, uniformPrior(12), 20'000).value ==
          Approx(kept).margin(tolerance(20'000) + tolerance(2'000)));
}

TEST_CASE("The best attacker on a text lies between the learned one and the noisy vectors") {
    const auto embedding = test::toyEmbedding(test::anisotropicVectors(60, 4, 85));
    const mechanism::Mechanism mechanism = mechanism::Mahalanobis{0.5};
    const engine::SearchSpace space(embedding);
    const auto series = engine::createSeries(space, mechanism, {0.5}).value();
    const auto metricSpace =
        engine::MetricSpace::create(
            metric::WordMetric::create(embedding, metric::Metric::mahalanobis, 0.5).value())
            .value();
    constexpr double kEpsilon = 4.0;
    const VectorD prior = zipfPrior(60);
    std::vector<Row> all(60);
    std::iota(all.begin(), all.end(), 0);
    const auto draw = [&](int draws, std::uint64_t seed) {
        engine::SelectionOptions options;
        options.draws = draws;
        options.seed = seed;
        return engine::drawOutputs(*series, all, std::vector{kEpsilon}, options).value();
    };
    const auto outputsOf = [&](std::span<const Row> words, std::uint64_t seed) {
        const auto outputs = draw(4000, seed);
        std::vector<std::size_t> used(60);
        std::vector<Row> result;
        for (const Row word : words) {
            const auto index = static_cast<std::size_t>(word);
            result.push_back(outputs[index].outputs.front()[used[index]++ % 4000]);
        }
        return result;
    };
    const auto pairs = [&](std::int64_t count, std::uint64_t seed) {
        DrawnPairs result{drawWords(prior, count, seed), {}};
        result.outputs = outputsOf(result.words, seed + 100);
        return result;
    };
    const mechanism::Form form = mechanism.on(embedding).value();
    SampledRelease release{&form, {kEpsilon, {all, 100, {}}, pairs(4000, 6)}, pairs(10'000, 7), {}};
    for (const auto& word : draw(100, 1)) {
        auto& outputs = release.setting.learning.outputs;
        outputs.insert(outputs.end(), word.outputs.front().begin(), word.outputs.front().end());
    }
    AttackedText text;
    text.words = drawWords(prior, 4000, 8);
    text.treatments.assign(4000, Treatment::replaced);
    for (std::int32_t line = 0; line < 400; ++line) {
        text.lineEnds.push_back(10 * (line + 1));
        text.documents.push_back(line);
    }
    release.outputs = outputsOf(text.words, 9);
    const WordChain chain(prior, Bigrams(text.words, text.lineEnds, 60));
    const auto run = [&](int threads) {
        SampledReconstructionOptions options;
        options.samples = 10'000;
        options.threads = threads;
        return reconstructFromDraws(metricSpace, text, prior, &chain, std::vector{release}, options)
            .value()
            .front();
    };
    const SampledReconstruction result = run(2);
    const auto success = [&](std::string_view name) {
        const auto& attackers = result.text.attackers;
        return std::find_if(attackers.begin(), attackers.end(),
                            [&](const AttackerSummary& a) { return a.name == name; })
            ->success.value;
    };
    CAPTURE(result.lower.value, result.upper->value, result.kappa, result.scale);
    CHECK(result.lower.value <= result.upper->value + 2.0 * tolerance(10'000));
    CHECK(result.lower.value >= prior.maxCoeff() - tolerance(10'000));
    CHECK(result.lower.value > success("echo") - 2.0 * tolerance(4000));
    CHECK(result.upper->value < 1.0);
    // The text's words have the law of the prior: its success is that under the prior.
    CHECK(success("learned") == Approx(result.lower.value).margin(2.0 * tolerance(4000)));
    CHECK(success("noisy vector") == Approx(result.upper->value).margin(2.0 * tolerance(4000)));
    // Pairs of the text itself are known here.
    CHECK(success("noisy vector and context") >= success("noisy vector"));
    CHECK(result.text.best.chosen != std::array<std::string, 2>{"noisy vector", "noisy vector"});
    CHECK(run(1).text.best.success.value == result.text.best.success.value);
}

TEST_CASE("Words are drawn with their prior") {
    const VectorD prior = zipfPrior(5);
    std::vector<std::int64_t> counts(5);
    for (const Row word : drawWords(prior, 40'000, 3)) {
        ++counts[static_cast<std::size_t>(word)];
    }
    for (Row word = 0; word < 5; ++word) {
        CHECK(static_cast<double>(counts[static_cast<std::size_t>(word)]) / 40'000.0 ==
              Approx(prior[word]).margin(tolerance(40'000)));
    }
}

TEST_CASE("Noise without a density has no upper end") {
    const auto embedding = test::toyEmbedding(test::poincareVectors(12, 3, 0.9, 84));
    mechanism::Hyperbolic additive{};
    additive.placement = mechanism::Placement::additive;
    for (const mechanism::Mechanism& mechanism :
         {mechanism::Mechanism(additive), mechanism::Mechanism(mechanism::Exponential{})}) {
        const auto result = noisyVectorSuccess(embedding, mechanism.on(embedding).value(), 5.0,
                                               uniformPrior(12), 10, 1);
        REQUIRE_FALSE(result);
        CHECK(result.error().code == ErrorCode::unsupported);
    }
}
