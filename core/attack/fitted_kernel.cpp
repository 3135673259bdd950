#include "core/attack/fitted_kernel.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <numeric>

#include "core/attack/prior.h"
#include "core/base/job_context.h"
#include "core/base/parallel.h"
#include "core/base/pass_on.h"
#include "core/corpus/streams.h"
#include "core/engine/aligned_matrix.h"
#include "core/engine/create_series.h"
#include "core/engine/exponential_kernel.h"

namespace epsilens::attack {
namespace {

constexpr std::size_t kRates = 24;
// Over the median distance.
constexpr double kLeastRate = 0.3;
constexpr double kLargestRate = 200.0;

double medianDistance(const engine::MetricSpace& space) {
    constexpr std::int64_t kPairs = 200;
    const std::int64_t words = space.wordCount();
    std::vector<double> distances;
    for (std::int64_t i = 0; i < kPairs; ++i) {
        // Words half a vocabulary apart, at even steps: each with another one.
        const std::int64_t first = i * words / kPairs;
        distances.push_back(
            space.distance(static_cast<Row>(first), static_cast<Row>((first + words / 2) % words)));
    }
    const auto middle = distances.begin() + kPairs / 2;
    std::nth_element(distances.begin(), middle, distances.end());
    return *middle > 0.0 ? *middle : 1.0;
}

std::vector<Decay> decaysFor(const engine::MetricSpace& space) {
    const double median = medianDistance(space);
    std::vector<Decay> decays;
    for (std::size_t i = 0; i < kRates; ++i) {
        const double step = static_cast<double>(i) / static_cast<double>(kRates - 1);
        decays.push_back({kLeastRate * std::pow(kLargestRate / kLeastRate, step) / median});
    }
    return decays;
}

/// A pair of a setting that has some output.
struct PlacedPair {
    std::size_t setting = 0;
    std::size_t index = 0;
    Row word = 0;
};

/// Visits the distances of each output of all settings, with the pairs that have it: they share
/// them. Otherwise as visitDistances.
///
/// visit  called with distances, worker and pairs
template <typename Visit>
Result<void> visitOutputs(const engine::MetricSpace& space, std::span<const WordPairs> settings,
                          int workers, std::string_view stage, const JobContext& job,
                          const Visit& visit) {
    std::map<Row, std::vector<PlacedPair>> byOutput;
    for (std::size_t setting = 0; setting < settings.size(); ++setting) {
        const WordPairs& pairs = settings[setting];
        for (std::size_t i = 0; i < pairs.words.size(); ++i) {
            byOutput[pairs.outputs[i]].push_back({setting, i, pairs.words[i]});
        }
    }
    std::vector<Row> outputs;
    outputs.reserve(byOutput.size());
    for (const auto& [output, pairs] : byOutput) {
        outputs.push_back(output);
    }
    return visitDistances(space, outputs, workers, stage, job,
                          [&](std::size_t output, int worker, const engine::MetricRow& row) {
                              visit(row.distances, worker, byOutput.at(outputs[output]));
                          });
}

using Fits = std::array<double, kRates>;

/// ln of the posterior of each pair's word under each rate, settings x pairs.
Result<std::vector<std::vector<Fits>>> logPosteriors(const engine::MetricSpace& space,
                                                     std::span<const DistanceKernel> kernels,
                                                     std::span<const WordPairs> settings,
                                                     const VectorD& prior, int threads,
                                                     const JobContext& job) {
    engine::AlignedMatrix shares(kRates, space.paddedWords());  // pi(x) / Z_r(x)
    for (std::size_t rate = 0; rate < kRates; ++rate) {
        float* const row = shares.row(static_cast<std::int64_t>(rate));
        std::fill_n(row, space.paddedWords(), 0.0F);
        Eigen::Map<VectorF>(row, prior.size()) =
            (prior.array() * (-kernels[rate].logTotals().cast<double>().array()).exp())
                .cast<float>();
    }
    std::vector<std::vector<Fits>> fits;
    for (const WordPairs& pairs : settings) {
        fits.emplace_back(pairs.words.size());
    }
    const int workers = workersOf(threads);
    engine::AlignedMatrix weights(workers, space.paddedWords());
    RETURN_IF_ERROR(visitOutputs(
        space, settings, workers, "Learning", job,
        [&](const float* distances, int worker, std::span<const PlacedPair> pairs) {
            for (std::size_t rate = 0; rate < kRates; ++rate) {
                // The sum that is otherwise one of cosines: of pi(x) C_r(x, u).
                const double all =
                    engine::exponentialWeights(
                        distances, shares.row(static_cast<std::int64_t>(rate)), space.wordCount(),
                        static_cast<float>(kernels[rate].decay().rate), engine::kLargestExponent,
                        weights.row(worker))
                        .cosines;
                const double logAll = std::log(all);
                for (const auto& [setting, pair, word] : pairs) {
                    fits[setting][pair][rate] =
                        std::log(prior[word]) -
                        static_cast<double>(kernels[rate].logTotals()[word]) -
                        kernels[rate].decay().rate * static_cast<double>(distances[word]) - logAll;
                }
            }
        }));
    return fits;
}

/// The rate with the largest mean.
double fittedRate(std::span<const Fits> fits, std::span<const DistanceKernel> kernels) {
    Fits means{};
    for (const Fits& ofPair : fits) {
        std::transform(means.begin(), means.end(), ofPair.begin(), means.begin(), std::plus());
    }
    const auto best = static_cast<std::size_t>(std::ranges::max_element(means) - means.begin());
    const double rate = kernels[best].decay().rate;
    if (best == 0 || best == kRates - 1) {
        return rate;
    }
    const double fall = means[best - 1] - 2.0 * means[best] + means[best + 1];
    const double shift = fall < 0.0 ? 0.5 * (means[best - 1] - means[best + 1]) / fall : 0.0;
    return rate * std::pow(kernels[best + 1].decay().rate / rate, shift);
}

/// What a guess on the output of a pair claims, and whether it is right.
using JudgedGuess = std::pair<double, bool>;

/// Guesses by the posterior of each setting on its pairs for judging, settings x pairs.
Result<std::vector<std::vector<JudgedGuess>>> judgedGuesses(const engine::MetricSpace& space,
                                                            std::span<const DistanceKernel> kernels,
                                                            std::span<const WordPairs> settings,
                                                            const VectorD& prior, int threads,
                                                            const JobContext& job) {
    std::vector<std::vector<JudgedGuess>> judged;
    for (const WordPairs& pairs : settings) {
        judged.emplace_back(pairs.words.size());
    }
    const int workers = workersOf(threads);
    const VectorF logPrior = prior.array().log().cast<float>();
    std::vector<VectorF> scratch(static_cast<std::size_t>(workers), VectorF(logPrior.size()));
    RETURN_IF_ERROR(
        visitOutputs(space, settings, workers, "Judging guesses", job,
                     [&](const float* distances, int worker, std::span<const PlacedPair> pairs) {
                         VectorF& scores = scratch[static_cast<std::size_t>(worker)];
                         std::size_t scored = settings.size();
                         SureGuess guess;
                         for (const auto& [setting, pair, word] : pairs) {
                             if (setting != scored) {
                                 kernels[setting].logColumn(distances, scores.data());
                                 scores += logPrior;
                                 guess = sureGuess(scores);
                                 scored = setting;
                             }
                             judged[setting][pair] = {guess.probability, guess.word == word};
                         }
                     }));
    return judged;
}

AttackerKernel judge(DistanceKernel kernel, std::vector<JudgedGuess> guesses,
                     const WordPairs& pairs, Row commonest) {
    const auto byPosterior = std::ranges::count(guesses, true, &JudgedGuess::second);
    const auto byPrior = std::ranges::count(pairs.words, commonest);
    const auto byEcho =
        std::transform_reduce(pairs.words.begin(), pairs.words.end(), pairs.outputs.begin(),
                              std::ptrdiff_t{0}, std::plus<>(), std::equal_to<>());
    GuessRule rule = GuessRule::posterior;
    if (byPosterior < std::max(byEcho, byPrior)) {
        // Such guesses claim nothing: all are as often right.
        rule = byEcho > byPrior ? GuessRule::output : GuessRule::commonest;
        for (std::size_t i = 0; i < guesses.size(); ++i) {
            const Row guess = rule == GuessRule::output ? pairs.outputs[i] : commonest;
            guesses[i] = {0.0, guess == pairs.words[i]};
        }
    }
    return {std::move(kernel), rule, Calibration(std::move(guesses))};
}

}  // namespace

Calibration::Calibration(std::vector<std::pair<double, bool>> claims) {
    std::ranges::sort(claims);
    for (const auto& [claimed, isRight] : claims) {
        if (!m_steps.empty() && m_steps.back().from == claimed) {
            Step& same = m_steps.back();
            same.right = (same.right * same.claims + (isRight ? 1.0 : 0.0)) / (same.claims + 1.0);
            same.claims += 1.0;
        } else {
            m_steps.push_back({claimed, isRight ? 1.0 : 0.0, 1.0});
        }
    }
    // Neighbours that fall are one step, from below to above.
    std::vector<Step> pooled;
    for (const Step& step : m_steps) {
        pooled.push_back(step);
        while (pooled.size() > 1 && pooled[pooled.size() - 2].right >= pooled.back().right) {
            const Step upper = pooled.back();
            pooled.pop_back();
            Step& lower = pooled.back();
            lower.right = (lower.right * lower.claims + upper.right * upper.claims) /
                          (lower.claims + upper.claims);
            lower.claims += upper.claims;
        }
    }
    m_steps = std::move(pooled);
}

double Calibration::operator()(double claimed) const {
    const auto above = std::ranges::upper_bound(m_steps, claimed, {}, &Step::from);
    return above == m_steps.begin() ? above->right : std::prev(above)->right;
}

Result<std::vector<WordPairs>> drawPairs(const engine::SearchSpace& space,
                                         const mechanism::Mechanism& mechanism,
                                         std::span<const double> epsilons,
                                         const std::vector<Row>& words, std::uint64_t seed,
                                         std::uint32_t stream, int threads, const JobContext& job) {
    // Distances of words, and projections of as many draws, each take at most this much.
    constexpr std::int64_t kScratchBytes = std::int64_t{96} << 20;
    constexpr std::int64_t kMostWords = 512;
    ASSIGN_OR_RETURN(const auto series,
                     engine::createSeries(space, mechanism, {mechanism.lambda()}));
    const std::size_t atOnce = static_cast<std::size_t>(
        std::clamp<std::int64_t>(kScratchBytes / series->rowBytes(), 1, kMostWords));
    const JobContext quiet{job.stop, {}};
    const auto batch = series->batch(epsilons, threads, quiet);
    std::vector<WordPairs> pairs(epsilons.size(), {words, std::vector<Row>(words.size())});
    for (std::size_t first = 0; first < words.size(); first += atOnce) {
        const auto some = std::span(words).subspan(first, std::min(atOnce, words.size() - first));
        batch->setWords(some);
        batch->setDraws({seed, corpus::kWordGuesses, stream}, static_cast<std::int64_t>(first),
                        std::ssize(some));
        RETURN_IF_ERROR(job.checkStop());
        parallelFor(std::ssize(some), threads, [&](std::int64_t i) {
            const auto search = batch->search();
            search->setWord(i);
            search->setDraw(0, i);
            std::vector<std::int32_t> positions(epsilons.size());
            search->nearestAtAll(positions);
            for (std::size_t epsilon = 0; epsilon < positions.size(); ++epsilon) {
                pairs[epsilon].outputs[first + static_cast<std::size_t>(i)] =
                    series->space().rowAt(positions[epsilon]);
            }
        });
        job.progress(static_cast<double>(first + some.size()) / static_cast<double>(words.size()),
                     "Drawing");
    }
    return pairs;
}

Result<std::vector<AttackerKernel>> fitKernels(const engine::MetricSpace& space,
                                               std::span<const WordPairs> fitting,
                                               std::span<const WordPairs> judging,
                                               const VectorD& prior, int threads,
                                               const JobContext& job) {
    ASSIGN_OR_RETURN(const auto tried,
                     DistanceKernel::create(space, decaysFor(space), DistanceKernel::kSummedWords,
                                            threads, partOf(job, 0.0, 0.3)));
    ASSIGN_OR_RETURN(const auto fits,
                     logPosteriors(space, tried, fitting, prior, threads, partOf(job, 0.3, 0.8)));
    std::vector<Decay> decays;
    decays.reserve(fits.size());
    for (const std::vector<Fits>& ofSetting : fits) {
        decays.push_back({fittedRate(ofSetting, tried)});
    }
    ASSIGN_OR_RETURN(auto kernels,
                     DistanceKernel::create(space, decays, DistanceKernel::kSummedWords, threads,
                                            partOf(job, 0.8, 0.9)));
    ASSIGN_OR_RETURN(auto judged,
                     judgedGuesses(space, kernels, judging, prior, threads, partOf(job, 0.9, 1.0)));
    const Row commonest = commonestWords(prior, 1).front();
    std::vector<AttackerKernel> fitted;
    for (std::size_t i = 0; i < judging.size(); ++i) {
        fitted.push_back(judge(std::move(kernels[i]), std::move(judged[i]), judging[i], commonest));
    }
    return fitted;
}

}  // namespace epsilens::attack
