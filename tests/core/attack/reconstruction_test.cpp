#include "core/attack/reconstruction.h"
#include "core/base/ordered.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include <catch2/catch.hpp>

#include "core/attack/prior.h"
#include "core/base/random_stream.h"
#include "core/engine/draw_sweep.h"
#include "core/engine/noise_series.h"
#include "core/mechanism/truncated_exponential.h"
#include "tests/core/attack/attack_support.h"
#include "tests/support/brute_force.h"
#include "tests/support/statistical.h"
#include "tests/support/toy_embedding.h"

using namespace epsilens;
using namespace epsilens::corpus;
using namespace epsilens::attack;
using test::tolerance;
using test::valueOf;
using test::zipfPrior;

namespace {

AttackedText textOf(const std::vector<std::vector<Row>>& documents) {
    AttackedText text;
    for (const std::vector<Row>& document : documents) {
        for (const Row word : document) {
            text.words.push_back(word);
            text.treatments.push_back(word == kUnknownWord ? Treatment::masked
                                                           : Treatment::replaced);
        }
        text.lineEnds.push_back(text.tokens());
    }
    return text;
}

/// On four tokens.
AttackerScores constant(std::string name, float success) {
    return {std::move(name), std::vector<float>(4, success), true};
}

}  // namespace

TEST_CASE("The prior is the smoothed frequency of known words") {
    const auto counts = wordCounts(std::vector<Row>{1, 1, 2, kUnknownWord, 9}, 4);
    CHECK(counts == std::vector<std::int64_t>{0, 2, 1, 0});
    const VectorD prior = smoothedPrior(counts);
    CHECK(prior[0] == Approx(1.0 / 7.0));
    CHECK(prior[1] == Approx(3.0 / 7.0));
    CHECK(prior.sum() == Approx(1.0));
    CHECK(commonestWords(prior, 3) == std::vector<Row>{1, 2, 0});
    CHECK(commonestWords(uniformPrior(3), 9) == std::vector<Row>{0, 1, 2});
}

TEST_CASE("Only replaced tokens count, and a sample has documents until they suffice") {
    const AttackedText text = textOf({{1, kUnknownWord, 2}, {3}, {1, 1, 1}, {2, 3}});
    const ReplacedTokens tokens = replacedTokens(text);
    CHECK(tokens.words == std::vector<Row>{1, 2, 3, 1, 1, 1, 2, 3});
    CHECK(tokens.tokens == std::vector<std::size_t>{0, 2, 3, 4, 5, 6, 7, 8});
    CHECK(tokens.documents == std::vector<std::int32_t>{0, 0, 1, 2, 2, 2, 3, 3});
    const std::vector<std::int64_t> counts{2, 1, 3, 2};
    std::set<std::vector<std::size_t>> samples;
    for (std::uint64_t seed = 1; seed < 9; ++seed) {
        const std::vector<std::size_t> chosen = sampleDocuments(counts, 3, seed);
        std::int64_t sum = 0;
        for (const std::size_t document : chosen) {
            sum += counts[document];
        }
        CHECK(sum >= 3);
        CHECK(sum <= 5);
        CHECK(std::ranges::is_sorted(chosen));
        samples.insert(chosen);
    }
    CHECK(samples.size() > 1);
    CHECK(sampleDocuments(counts, 100, 1) == std::vector<std::size_t>{0, 1, 2, 3});
}

TEST_CASE("Success is summarised by tokens, words and documents") {
    const AttackedText text = textOf({{1, 2}, {1, 1, 1, 3}});
    const ReplacedTokens tokens = replacedTokens(text);
    const std::vector<AttackerScores> attackers{{"prior", {0, 0, 0, 0, 0, 0}, true},
                                                {"map", {1, 0, 1, 0, 1, 1}, true}};
    const auto summary = summarizeAttackers(tokens, attackers, std::vector<Row>{1}, 1);
    CHECK(valueOf(summary, "tokens") == 6);
    CHECK(valueOf(summary, "documents") == 2);
    CHECK(valueOf(summary, "map") == Approx(4.0 / 6.0));
    CHECK(valueOf(summary, "attackers.map.gain") == Approx(4.0 / 6.0));
    CHECK(valueOf(summary, "attackers.map.outsideCommonest") == Approx(0.5));  // words 2 and 3
    // Words 1, 2 and 3.
    CHECK(valueOf(summary, "attackers.map.meanOverWords") == Approx((0.75 + 0.0 + 1.0) / 3.0));
    CHECK(valueOf(summary, "attackers.map.documents.p50") == Approx((0.5 + 0.75) / 2.0));
    CHECK(valueOf(summary, "attackers.map.documents.max") == Approx(0.75));
    REQUIRE(summary.words.size() == 3);
    CHECK(summary.words[0].row == 3);
    CHECK(summary.words[1].row == 1);
    CHECK(summary.words[1].tokens == 4);
}

TEST_CASE("Documents on which the best attacker is chosen do not count for it") {
    // One attacker for each pair of four documents, which it knows and no other: the one chosen on
    // a half knows that half, and little of the other. One that knows all is no attacker.
    const ReplacedTokens tokens = replacedTokens(textOf({{1}, {1}, {1}, {1}}));
    std::vector<AttackerScores> attackers{constant("prior", 0.1F)};
    for (std::size_t first = 0; first < 4; ++first) {
        for (std::size_t second = first + 1; second < 4; ++second) {
            attackers.push_back(constant("pair", 0.25F));
            attackers.back().successes[first] = 1.0F;
            attackers.back().successes[second] = 1.0F;
        }
    }
    attackers.push_back(constant("noisy vector", 1.0F));
    attackers.back().competes = false;
    const Findings found = summarizeAttackers(tokens, attackers, {}, 1);
    CHECK(found.chosen == std::vector<std::string>{"pair", "pair"});
    CHECK(valueOf(found, "best") == Approx(0.25));
    CHECK(valueOf(found, "gain") == Approx(0.15));
}

namespace {

/// Words with frequencies like 1 / rank, in documents of 12 tokens, of which some are kept.
AttackedText zipfText(Row words, int documents) {
    AttackedText text;
    SeededStream stream(StreamKey{4, StreamPurpose::sentence, 0, 0});
    for (int document = 0; document < documents; ++document) {
        for (int token = 0; token < 12; ++token) {
            text.words.push_back(
                static_cast<Row>(std::pow(static_cast<double>(words), stream.uniform())) - 1);
            text.treatments.push_back(stream.below(6) == 0 ? Treatment::kept : Treatment::replaced);
        }
        text.lineEnds.push_back(text.tokens());
    }
    return text;
}

/// A text released by TEM on random vectors: as a matrix in float64 and as an attacker knows it.
struct Release {
    Release(double epsilon, int documents) : text(zipfText(kWords, documents)) {
        const auto law = mechanism::TruncatedExponential::create(epsilon, 0.8).value();
        matrix = test::channelMatrix(metric, law);
        kernel = DistanceKernel::create(space, std::array{Decay{0.5 * epsilon, law.cap()}}, kWords)
                     .value();
        SeededStream stream(StreamKey{6, StreamPurpose::sentence, 0, 1});
        for (const Row word : text.words) {
            outputs.push_back(test::drawFrom(matrix, word, stream));
        }
    }

    [[nodiscard]] Result<Findings> guessed(GuessRule rule = GuessRule::posterior,
                                           const WordChain* chain = nullptr,
                                           const JobContext& job = {}) const {
        const Channel channel = releasedWords(space, kernel.front(), outputs);
        return guessWords(text, {&channel, outputs, rule}, prior, chain, 1, 2, job);
    }

    static constexpr Row kWords = 150;
    AttackedText text;
    VectorD prior = smoothedPrior(wordCounts(text.words, kWords));
    metric::WordMetric metric =
        metric::WordMetric::create(
            test::toyEmbedding(test::anisotropicVectors(kWords, 6, 71) * 0.15F),
            metric::Metric::euclidean)
            .value();
    engine::MetricSpace space = engine::MetricSpace::create(metric).value();
    RowMatrixD matrix{};
    std::vector<DistanceKernel> kernel{};
    std::vector<Row> outputs{};
};

}  // namespace

TEST_CASE("Guesses on a released text are the most probable words, token by token") {
    for (const double epsilon : {4.0, 12.0, 40.0}) {
        const Release release(epsilon, 60);
        const VectorD& prior = release.prior;
        const auto summary = release.guessed().value();
        const ReplacedTokens tokens = replacedTokens(release.text);
        double map = 0.0;
        double echo = 0.0;
        double commonest = 0.0;
        for (std::size_t i = 0; i < tokens.size(); ++i) {
            const Row output = release.outputs[tokens.tokens[i]];
            Row best = 0;
            prior.cwiseProduct(release.matrix.col(output)).maxCoeff(&best);
            map += best == tokens.words[i] ? 1.0 : 0.0;
            echo += output == tokens.words[i] ? 1.0 : 0.0;
            commonest += commonestWords(prior, 1).front() == tokens.words[i] ? 1.0 : 0.0;
        }
        const auto count = static_cast<double>(tokens.size());
        CAPTURE(epsilon);
        CHECK(valueOf(summary, "map") == Approx(map / count));
        CHECK(valueOf(summary, "echo") == Approx(echo / count));
        CHECK(valueOf(summary, "prior") == Approx(commonest / count));
    }
}

TEST_CASE("A rule takes the place of the posterior for single words") {
    const Release release(40.0, 60);
    const auto byOutput = release.guessed(GuessRule::output).value();
    CHECK(valueOf(byOutput, "map") == valueOf(byOutput, "echo"));
    const auto byPrior = release.guessed(GuessRule::commonest).value();
    CHECK(valueOf(byPrior, "map") == valueOf(byPrior, "prior"));
    CHECK(valueOf(release.guessed().value(), "map") > valueOf(byPrior, "map"));
}

TEST_CASE("Context helps, and an attack on a text can be stopped") {
    const Release release(12.0, 200);
    const WordChain chain(release.prior, Bigrams(release.text.words, release.text.lineEnds, 150));
    const auto found = release.guessed(GuessRule::posterior, &chain).value();
    CHECK(valueOf(found, "context") > valueOf(found, "map"));
    std::stop_source stop;
    const JobContext job{stop.get_token(), [&](const Progress& progress) {
                             if (progress.fraction > 0.3) {
                                 stop.request_stop();
                             }
                         }};
    const auto stopped = release.guessed(GuessRule::posterior, &chain, job);
    REQUIRE_FALSE(stopped);
    CHECK(stopped.error().code == ErrorCode::cancelled);
}

// --- Noisy vectors. References: closed forms for few words; draws of the mechanism itself with
// other seeds. ---

namespace {

constexpr std::int64_t kSamples = 20'000;

/// Of words that are equally likely.
double upperEnd(const embedding::EmbeddingHandle& embedding, const mechanism::Mechanism& mechanism,
                double epsilon) {
    return noisyVectorSuccess(embedding, mechanism.on(embedding).value(), epsilon,
                              uniformPrior(embedding->wordCount()), 21, 0, {}, kSamples)
        ->value;
}

}  // namespace

TEST_CASE("On a line the noisy vector tells what the output tells") {
    // With a uniform prior the best guess from the noisy point is the nearest word, the output. The
    // word at 0 is kept unless the noise exceeds 1/2, that at 1 unless it is below -1/2 or above 1,
    // that at 3 unless it is below -1, each with probability 1/2 e^(-epsilon x).
    RowMatrixF line(3, 1);
    line << 0.0F, 1.0F, 3.0F;
    const auto tail = [](double x) { return 0.5 * std::exp(-1.5 * x); };
    const double kept = 1.0 - (2.0 * tail(0.5) + 2.0 * tail(1.0)) / 3.0;
    CHECK(upperEnd(test::toyEmbedding(line), mechanism::Laplace{}, 1.5) ==
          Approx(kept).margin(tolerance(kSamples)));
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
        CAPTURE(lambda, distance);
        CHECK(upperEnd(embedding, mechanism::Mahalanobis{lambda}, 1.2) ==
              Approx(expected).margin(tolerance(kSamples)));
    }
}

TEST_CASE("From the noisy point of the ball the nearest word is the best guess") {
    // Densities fall with the distance, so under a uniform prior the success is the mean share of
    // words that come out unchanged, here drawn by the engine.
    const mechanism::RadialLaw law =
        GENERATE(mechanism::RadialLaw::eq7, mechanism::RadialLaw::riemannian);
    const auto embedding = test::toyEmbedding(test::poincareVectors(12, 3, 0.9, 84));
    const engine::SearchSpace space(embedding);
    const auto series = engine::createSeries(space, mechanism::Hyperbolic{law}, {}).value();
    std::vector<Row> words = indicesBelow<Row>(12);
    engine::SelectionOptions options;
    options.draws = 2000;
    options.seed = 5;
    const auto outputs = engine::drawOutputs(*series, words, std::vector{6.0}, options).value();
    double kept = 0.0;
    for (const Row word : words) {
        const auto& row = outputs[static_cast<std::size_t>(word)].outputs.front();
        kept += static_cast<double>(std::ranges::count(row, word)) / (12.0 * 2000.0);
    }
    // The words of the engine share their draws: their mean has the error of 2,000 draws at most.
    CHECK(upperEnd(embedding, mechanism::Hyperbolic{law}, 6.0) ==
          Approx(kept).margin(tolerance(kSamples) + tolerance(2'000)));
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
