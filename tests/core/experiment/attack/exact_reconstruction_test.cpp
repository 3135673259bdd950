#include "core/experiment/attack/exact_reconstruction.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include <catch2/catch.hpp>

#include "core/base/random_stream.h"
#include "core/experiment/attack/guess_table.h"
#include "core/experiment/attack/prior.h"
#include "tests/support/brute_force.h"
#include "tests/support/toy_embedding.h"

// Reference: the channel as a matrix in float64, from the law of the mechanism and the distances of
// metric::WordMetric, and the defining sums over it.

using namespace epsilens;
using namespace epsilens::experiment;
using mechanism::TruncatedExponential;

namespace {

constexpr double kNoRadius = std::numeric_limits<double>::infinity();

engine::MetricSpace spaceOf(const RowMatrixF& vectors,
                            metric::Metric metric = metric::Metric::euclidean) {
    return engine::MetricSpace::create(
               metric::WordMetric::create(test::toyEmbedding(vectors), metric, 0.6).value())
        .value();
}

RowMatrixD channelMatrix(const engine::MetricSpace& space, const TruncatedExponential& mechanism) {
    RowMatrixD matrix(space.wordCount(), space.wordCount());
    for (Row w = 0; w < space.wordCount(); ++w) {
        const auto law = mechanism.probabilities(test::distancesFrom(space.metric(), w));
        for (Row u = 0; u < space.wordCount(); ++u) {
            matrix(w, u) = law[static_cast<std::size_t>(u)];
        }
    }
    return matrix;
}

struct Toy {
    std::unique_ptr<engine::MetricSpace> space;
    AttackedText text{};
    VectorD prior{};

    [[nodiscard]] ExactChannel channel(std::vector<TruncatedExponential> mechanisms,
                                       int threads = 1) const {
        return ExactChannel::create(*space, std::move(mechanisms), threads).value();
    }
};

// Words with frequencies like 1 / rank, in documents of 12 tokens, of which some are not replaced.
Toy makeToy(metric::Metric metric = metric::Metric::euclidean, Row words = 150) {
    Toy toy{std::make_unique<engine::MetricSpace>(
        spaceOf(test::anisotropicVectors(words, 6, 71) * 0.15F, metric))};
    SeededStream stream(StreamKey{4, StreamPurpose::sentence, 0, 0});
    for (std::int32_t document = 0; document < 30; ++document) {
        for (int token = 0; token < 12; ++token) {
            const double rank = std::pow(static_cast<double>(words), stream.uniform());
            toy.text.words.push_back(static_cast<Row>(rank) - 1);
            toy.text.treatments.push_back(stream.below(6) == 0 ? Treatment::kept
                                                               : Treatment::replaced);
        }
        toy.text.lineEnds.push_back(toy.text.tokens());
        toy.text.documents.push_back(document);
    }
    toy.prior = smoothedPrior(wordCounts(toy.text.words, words));
    return toy;
}

std::vector<TruncatedExponential> someMechanisms() {
    return {TruncatedExponential::create(4.0, kNoRadius).value(),
            TruncatedExponential::create(12.0, 0.5).value(),
            TruncatedExponential::create(40.0, kNoRadius).value()};
}

double meanOf(const ReplacedTokens& tokens, const VectorD& byWord) {
    double sum = 0.0;
    for (const Row word : tokens.words) {
        sum += byWord[word];
    }
    return sum / static_cast<double>(tokens.size());
}

const AttackerSummary& attacker(const ExactReconstruction& result, std::string_view name) {
    return *std::find_if(result.text.attackers.begin(), result.text.attackers.end(),
                         [&](const AttackerSummary& summary) { return summary.name == name; });
}

}  // namespace

TEST_CASE("Exact success is the sum over the channel") {
    const metric::Metric metric =
        GENERATE(metric::Metric::euclidean, metric::Metric::mahalanobis, metric::Metric::poincare);
    const Toy toy = makeToy(metric);
    const ReplacedTokens tokens = replacedTokens(toy.text);
    const ExactChannel channel = toy.channel(someMechanisms());
    const auto results = reconstructExactly(channel, toy.text, toy.prior, nullptr, {}, {}).value();
    for (std::size_t setting = 0; setting < channel.settings(); ++setting) {
        const RowMatrixD matrix = channelMatrix(*toy.space, channel.mechanism(setting));
        const Row words = toy.space->wordCount();
        double posterior = 0.0;
        VectorD map = VectorD::Zero(words);
        for (Row u = 0; u < words; ++u) {
            const VectorD joint = toy.prior.cwiseProduct(matrix.col(u));
            posterior += joint.maxCoeff();
            const Row guess = commonestWords(joint, 1).front();
            map[guess] += matrix(guess, u);
        }
        CAPTURE(metric::metricName(metric), setting);
        const ExactReconstruction& result = results[setting];
        CHECK(result.priorVulnerability == Approx(toy.prior.maxCoeff()));
        CHECK(result.posteriorVulnerability == Approx(posterior).epsilon(1e-5));
        CHECK(attacker(result, "echo").success.value ==
              Approx(meanOf(tokens, matrix.diagonal())).epsilon(1e-5));
        CHECK(attacker(result, "map").success.value == Approx(meanOf(tokens, map)).epsilon(1e-5));
        // Under the prior itself no attacker that sees the output does better than map.
        CHECK(toy.prior.dot(map) == Approx(posterior).epsilon(1e-9));
        CHECK(posterior >= toy.prior.maxCoeff() * (1.0 - 1e-12));
        CHECK(posterior >= toy.prior.dot(matrix.diagonal()));
    }
}

TEST_CASE("Two words at distance 1 have a closed form") {
    RowMatrixF vectors(2, 1);
    vectors << 0.0F, 1.0F;
    const engine::MetricSpace space = spaceOf(vectors);
    for (const double epsilon : {0.5, 2.0, 9.0}) {
        const auto channel =
            ExactChannel::create(space, {TruncatedExponential::create(epsilon, kNoRadius).value()})
                .value();
        const auto table = guessTables(channel, uniformPrior(2)).value().front();
        // The exponential mechanism keeps the word with probability 1 / (1 + e^(-epsilon / 2)).
        const double kept = 1.0 / (1.0 + std::exp(-0.5 * epsilon));
        CHECK(channel.kept(0, 1) == Approx(kept).epsilon(1e-6));
        CHECK(table.posteriorVulnerability == Approx(kept).epsilon(1e-6));
    }
}

TEST_CASE("All is found in the original text and nothing in random words") {
    const Toy toy = makeToy();
    const auto channel = toy.channel({TruncatedExponential::create(1.0, 0.0).value(),
                                      TruncatedExponential::create(1e5, kNoRadius).value()});
    const auto results = reconstructExactly(channel, toy.text, toy.prior, nullptr, {}, {}).value();
    const ExactReconstruction& random = results[0];
    CHECK(random.posteriorVulnerability == Approx(toy.prior.maxCoeff()).epsilon(1e-5));
    CHECK(attacker(random, "map").success.value ==
          Approx(attacker(random, "prior").success.value).epsilon(1e-5));
    CHECK(random.text.best.gain.value == Approx(0.0).margin(1e-5));
    const ExactReconstruction& original = results[1];
    CHECK(original.text.best.success.value == Approx(1.0).epsilon(1e-5));
}

TEST_CASE("Threads make no difference to an exact attack, and it can be stopped") {
    const Toy toy = makeToy(metric::Metric::euclidean, 150);
    ReconstructionOptions options;
    const WordChain chain(toy.prior, Bigrams(toy.text.words, toy.text.lineEnds, 150));
    const std::vector<std::vector<Row>> outputs(3, toy.text.words);
    const auto run = [&](int threads, const JobContext& job = {}) {
        options.threads = threads;
        return reconstructExactly(toy.channel(someMechanisms(), threads), toy.text, toy.prior,
                                  &chain, outputs, options, job);
    };
    const auto one = run(1).value();
    const auto three = run(3).value();
    for (std::size_t setting = 0; setting < one.size(); ++setting) {
        CHECK(one[setting].posteriorVulnerability == three[setting].posteriorVulnerability);
        for (const char* name : {"echo", "map", "context"}) {
            CHECK(attacker(one[setting], name).success.value ==
                  attacker(three[setting], name).success.value);
        }
    }
    std::stop_source stop;
    const JobContext job{stop.get_token(), [&](const Progress& progress) {
                             if (progress.fraction > 0.3) {
                                 stop.request_stop();
                             }
                         }};
    const auto stopped = run(2, job);
    REQUIRE_FALSE(stopped);
    CHECK(stopped.error().code == ErrorCode::cancelled);
}

TEST_CASE("A text without replaced words is refused") {
    const Toy toy = makeToy();
    AttackedText kept = toy.text;
    std::fill(kept.treatments.begin(), kept.treatments.end(), Treatment::kept);
    const auto result =
        reconstructExactly(toy.channel(someMechanisms()), kept, toy.prior, nullptr, {}, {});
    REQUIRE_FALSE(result);
    CHECK(result.error().code == ErrorCode::invalidArgument);
}
