#include "core/experiment/attack/learned_releases.h"

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
#include "core/experiment/attack/sampled_reconstruction.h"
#include "core/experiment/attack/tuple_views.h"
#include "core/mechanism/mechanism.h"
#include "tests/support/brute_force.h"
#include "tests/support/statistical.h"
#include "tests/support/toy_embedding.h"

// References: the formula of the learned attacker evaluated in float64 for every word; the channel
// of TEM as a matrix and sums over all tuples of outputs; closed forms for two words on a line.

using namespace epsilens;
using namespace epsilens::experiment;
using mechanism::TruncatedExponential;

namespace {

constexpr double kNoRadius = std::numeric_limits<double>::infinity();

std::vector<Row> rowsUpTo(Row words) {
    std::vector<Row> rows(static_cast<std::size_t>(words));
    std::iota(rows.begin(), rows.end(), 0);
    return rows;
}

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

// `releases` outputs of each word.
DrawnPairs released(const RowMatrixD& matrix, std::vector<Row> words, int releases,
                    std::uint64_t seed) {
    DrawnPairs pairs{std::move(words), {}, {}};
    SeededStream stream(StreamKey{seed, StreamPurpose::sentence, 0, 1});
    for (const Row word : pairs.words) {
        for (int release = 0; release < releases; ++release) {
            pairs.outputs.push_back(drawFrom(matrix, word, stream));
        }
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

double tolerance(std::int64_t samples) {
    return test::normalCritical(test::kFalseAlarmRate) * 0.5 /
           std::sqrt(static_cast<double>(samples));
}

ReleasedSetting settingOf(const RowMatrixD& channel, const VectorD& prior, double epsilon,
                          int releases) {
    ReleasedSetting result;
    SampledSetting& setting = result.setting;
    setting.epsilon = epsilon;
    setting.learning = learningDraws(channel, rowsUpTo(static_cast<Row>(prior.size())), 100);
    setting.selection = released(channel, drawWords(prior, 5000, 2), releases, 12);
    setting.rehearsal = released(channel, drawWords(prior, 8000, 3), releases, 13);
    result.scoring = released(channel, drawWords(prior, 20'000, 4), releases, 14);
    return result;
}

// What the best attackers who know the channel achieve under the prior.
struct Truth {
    double guesses = 0.0;  ///< sum over tuples of max_w pi(w) C(w, u_1) ... C(w, u_K)
    double list = 0.0;     ///< the same with the listed words together, and the others

    void add(const VectorD& joint, std::span<const Row> listed) {
        guesses += joint.maxCoeff();
        double inside = 0.0;
        for (const Row word : listed) {
            inside += joint[word];
        }
        list += std::max(inside, joint.sum() - inside);
    }
};

}  // namespace

TEST_CASE("Views of tuples are the formula of the learned attacker") {
    constexpr Row kWords = 40;
    constexpr int kReleases = 3;
    const auto metric =
        metric::WordMetric::create(test::toyEmbedding(test::anisotropicVectors(kWords, 4, 81)),
                                   metric::Metric::euclidean)
            .value();
    const auto space = engine::MetricSpace::create(metric).value();
    const VectorD prior = zipfPrior(kWords);
    const RowMatrixD channel =
        channelMatrix(metric, TruncatedExponential::create(4.0, kNoRadius).value());
    std::vector<Row> learned(25);
    std::iota(learned.begin(), learned.end(), 5);
    const LearningDraws learning = learningDraws(channel, learned, 20);
    const std::vector<Row> listed{1, 3, 17, 30};
    constexpr double kEpsilon = 3.0;
    std::vector<double> rates;
    for (const double scale : smoothingScales()) {
        rates.push_back(scale * kEpsilon);
    }
    const auto models = SmoothingModels::create(space, rates).value();
    // With a table of the distances, and without.
    const RowMatrixF table = distanceTable(space, 2, {}).value();
    const RowMatrixF none;
    const TupleViewer viewer(space, models, 0, learning, prior, listed, kReleases, none);
    const TupleViewer tabled(space, models, 0, learning, prior, listed, kReleases, table);
    const DrawnPairs pairs = released(channel, drawWords(prior, 150, 6), kReleases, 7);
    const std::vector<std::size_t> scales{5, 0, 3};
    const auto views = viewer.look(pairs.outputs, scales, 2, "", {}).value();
    const auto onOneThread = tabled.look(pairs.outputs, scales, 1, "", {}).value();
    const Row commonest = commonestWords(prior, 1).front();

    RowMatrixD counts = RowMatrixD::Zero(kWords, kWords);
    for (std::size_t i = 0; i < learning.outputs.size(); ++i) {
        counts(learned[i / 20], learning.outputs[i]) += 1.0;
    }
    for (std::size_t s = 0; s < scales.size(); ++s) {
        const RowMatrixD model = channelMatrix(
            metric, TruncatedExponential::create(2.0 * rates[scales[s]], kNoRadius).value());
        for (std::size_t k = 0; k < smoothingWeights().size(); ++k) {
            const double kappa = smoothingWeights()[k];
            for (std::size_t i = 0; i < pairs.words.size(); ++i) {
                VectorD scores = prior.array().log();
                for (Row w = 0; w < kWords; ++w) {
                    const double draws = w >= 5 && w < 30 ? 20.0 : 0.0;
                    for (std::size_t r = 0; r < kReleases; ++r) {
                        const Row u = pairs.outputs[i * kReleases + r];
                        scores[w] +=
                            std::log(std::isinf(kappa) ? model(w, u)
                                     : draws + kappa > 0.0
                                         ? (counts(w, u) + kappa * model(w, u)) / (draws + kappa)
                                         : 0.0);
                    }
                }
                const TupleView& view = views.at(i, s, k);
                CAPTURE(s, kappa, i);
                CHECK(view.word == onOneThread.at(i, s, k).word);
                CHECK(view.listOdds == onOneThread.at(i, s, k).listOdds);
                const double best = scores.maxCoeff();
                if (std::isinf(best)) {
                    CHECK(view.word == commonest);
                    continue;
                }
                CHECK(scores[view.word] == Approx(best).margin(1e-4));
                if (std::isfinite(scores[commonest])) {
                    CHECK(view.lead == Approx(best - scores[commonest]).margin(1e-4));
                }
                double inside = 0.0;
                for (const Row word : listed) {
                    inside += std::exp(scores[word] - best);
                }
                const double outside = (scores.array() - best).exp().sum() - inside;
                if (inside > 1e-9 && outside > 1e-9) {
                    CHECK(view.listOdds == Approx(std::log(inside / outside)).margin(2e-3));
                }
            }
        }
    }
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
    const Releases releases{released(channel, drawWords(prior, 60, 7), 1, 8).outputs,
                            released(channel, drawWords(prior, 60, 7), 1, 9).outputs};
    std::vector<std::int64_t> all(60);
    std::iota(all.begin(), all.end(), std::int64_t{0});
    const Row commonest = commonestWords(prior, 1).front();
    for (const double kappa : {0.0, 1.0, 100.0, kNoRadius}) {
        for (const double caution : {1.0, 10.0, kNoRadius}) {
            RowMatrixF said;
            learnedObservations(space, models, 0, counts, logPrior, {kappa, caution}, releases)
                .reader()
                ->read(all, said);
            std::int64_t silent = 0;
            for (const std::int64_t i : all) {
                VectorD expected = VectorD::Zero(kWords);
                for (Row w = 0; w < kWords; ++w) {
                    const double draws = w >= 5 && w < 30 ? 20.0 : 0.0;
                    for (const std::vector<Row>& release : releases) {
                        const Row u = release[static_cast<std::size_t>(i)];
                        expected[w] +=
                            std::log(std::isinf(kappa) ? model(w, u)
                                     : draws + kappa > 0.0
                                         ? (seen(w, u) + kappa * model(w, u)) / (draws + kappa)
                                         : 0.0);
                    }
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
            if (caution == 10.0) {
                CHECK(silent > 0);
            }
        }
    }
}

TEST_CASE("Several releases of TEM treated as unknown stay below what the channel allows") {
    // The lower ends are at most the truth but for sampling noise. With learning draws of every
    // word they come near it.
    constexpr Row kWords = 30;
    const auto metric =
        metric::WordMetric::create(test::toyEmbedding(test::anisotropicVectors(kWords, 5, 82)),
                                   metric::Metric::euclidean)
            .value();
    const auto space = engine::MetricSpace::create(metric).value();
    const VectorD prior = zipfPrior(kWords);
    const std::vector<Row> listed{2, 8, 10, 24};
    for (const double epsilon : {2.0, 6.0}) {
        const RowMatrixD channel =
            channelMatrix(metric, TruncatedExponential::create(epsilon, kNoRadius).value());
        Truth one;
        Truth two;
        for (Row u = 0; u < kWords; ++u) {
            const VectorD joint = prior.cwiseProduct(channel.col(u));
            one.add(joint, listed);
            for (Row other = 0; other < kWords; ++other) {
                two.add(joint.cwiseProduct(channel.col(other)), listed);
            }
        }
        for (const int releases : {1, 2}) {
            const Truth& truth = releases == 1 ? one : two;
            const auto learned =
                learnOnReleases(space,
                                std::vector{settingOf(channel, prior, 0.5 * epsilon, releases)},
                                prior, {releases, listed, 2})
                    .value()
                    .front();
            const double guesses = learned.guesses.lower.value;
            const double list = learned.list->lower.value;
            CAPTURE(epsilon, releases, guesses, truth.guesses, list, truth.list);
            CHECK(guesses <= truth.guesses + tolerance(20'000));
            CHECK(guesses >= 0.85 * truth.guesses - tolerance(20'000));
            CHECK(list <= truth.list + tolerance(20'000));
            CHECK(list >= truth.list - 0.03);
        }
        CHECK(two.guesses > one.guesses);
    }
}

TEST_CASE("Two words on a line have closed forms for several releases") {
    // Words at 0 and 1, Laplace noise, uniform prior. A word is kept with c = 1 - e^(-epsilon/2)/2,
    // so that the majority of three outputs is right with c^3 + 3 c^2 (1 - c). Of two noisy points
    // the sum of the log ratios decides; they are epsilon (1 - 2 v) with v cut to [0, 1], and the
    // decision is wrong with probability e^(-epsilon) (2 + epsilon) / 4.
    RowMatrixF vectors(2, 1);
    vectors << 0.0F, 1.0F;
    const auto embedding = test::toyEmbedding(vectors);
    const auto metric = metric::WordMetric::create(embedding, metric::Metric::euclidean).value();
    const auto space = engine::MetricSpace::create(metric).value();
    const mechanism::Mechanism laplace = mechanism::Laplace{};
    const VectorD prior = uniformPrior(2);
    const std::vector<Row> listed{1};
    for (const double epsilon : {0.7, 2.0}) {
        const double kept = 1.0 - 0.5 * std::exp(-0.5 * epsilon);
        RowMatrixD channel(2, 2);
        channel << kept, 1.0 - kept, 1.0 - kept, kept;
        const auto learned =
            learnOnReleases(space, std::vector{settingOf(channel, prior, epsilon, 3)}, prior,
                            {3, listed, 2})
                .value()
                .front();
        const double majority = kept * kept * (3.0 - 2.0 * kept);
        CAPTURE(epsilon);
        CHECK(learned.guesses.lower.value == Approx(majority).margin(tolerance(20'000)));
        CHECK(learned.list->lower.value == Approx(majority).margin(tolerance(20'000)));
        const auto upper = noisyVectorSuccess(embedding, laplace.on(embedding).value(), epsilon,
                                              prior, {20'000, 2, listed, 9, 2})
                               .value();
        const double decided = 1.0 - std::exp(-epsilon) * (2.0 + epsilon) / 4.0;
        CHECK(upper.guesses.value == Approx(decided).margin(tolerance(20'000)));
        CHECK(upper.list->value == Approx(decided).margin(tolerance(20'000)));
    }
}

TEST_CASE("Listed words are told in the original text and not in random words") {
    constexpr Row kWords = 50;
    const auto embedding = test::toyEmbedding(test::anisotropicVectors(kWords, 4, 83));
    const auto metric = metric::WordMetric::create(embedding, metric::Metric::euclidean).value();
    const auto space = engine::MetricSpace::create(metric).value();
    const VectorD prior = zipfPrior(kWords);
    const mechanism::Form form = mechanism::Mechanism(mechanism::Laplace{}).on(embedding).value();
    AttackedText text;
    text.words = drawWords(prior, 3000, 8);
    text.treatments.assign(text.words.size(), Treatment::replaced);
    for (std::int32_t line = 0; line < 300; ++line) {
        text.lineEnds.push_back(10 * (line + 1));
        text.documents.push_back(line);
    }
    ReconstructionOptions options;
    options.listed = {3, 11, 20};
    options.samples = 4000;
    double listedByPrior = 0.0;
    for (const Row word : options.listed) {
        listedByPrior += prior[word];
    }
    const auto attack = [&](const RowMatrixD& channel, double epsilon, int releases) {
        const ReleasedSetting draws = settingOf(channel, prior, epsilon, releases);
        SampledRelease release;
        release.form = &form;
        release.guarantee.epsilon = epsilon;
        release.guarantee.bound = epsilon;
        release.setting = draws.setting;
        release.scoring = draws.scoring;
        const DrawnPairs outputs = released(channel, text.words, releases, 15);
        release.outputs.resize(static_cast<std::size_t>(releases));
        for (std::size_t i = 0; i < outputs.outputs.size(); ++i) {
            release.outputs[i % release.outputs.size()].push_back(outputs.outputs[i]);
        }
        return reconstructFromDraws(space, text, prior, nullptr, std::vector{release}, options)
            .value()
            .front();
    };
    for (const int releases : {1, 2}) {
        CAPTURE(releases);
        const auto original = attack(RowMatrixD::Identity(kWords, kWords), 2.0, releases);
        CHECK(original.list->attack.decisions.precision->value == 1.0);
        CHECK(original.list->attack.decisions.recall->value == 1.0);
        CHECK(original.list->lower.value == 1.0);
        const auto random = attack(RowMatrixD::Constant(kWords, kWords, 0.02), 2.0, releases);
        // He does no better than always no.
        CHECK(random.list->lower.value == Approx(1.0 - listedByPrior).margin(tolerance(20'000)));
        CHECK(random.list->attack.priorProbability == Approx(listedByPrior));
    }
    // The losses of two releases add up.
    const auto once = attack(RowMatrixD::Identity(kWords, kWords), 0.1, 1).list->attack;
    const auto twice = attack(RowMatrixD::Identity(kWords, kWords), 0.1, 2).list->attack;
    CHECK(twice.loss.value() == Approx(2.0 * once.loss.value()));
    CHECK(twice.posteriorBound.value() ==
          Approx(posteriorBound(listedByPrior, 2.0 * once.loss.value())));
    CHECK_FALSE(once.largestPosterior.has_value());
}
