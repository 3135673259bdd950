#include "core/attack/attacker_view.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>
#include <map>
#include <mutex>
#include <numeric>
#include <string_view>
#include <tuple>
#include <variant>

#include "core/base/parallel.h"
#include "core/corpus/streams.h"
#include "core/engine/aligned_matrix.h"
#include "core/engine/exponential_kernel.h"
#include "core/engine/metric_rows.h"
#include "core/engine/noise_series.h"
#include "core/mechanism/prepared_mechanism.h"

namespace epsilens::attack {
namespace {

// Weights are added up as whole numbers of this unit: in any order they give the same sum.
constexpr double kUnit = 0x1p-32;
using Sums = Eigen::Matrix<std::int64_t, Eigen::Dynamic, 1>;

float asFloat(double value) {
    return static_cast<float>(std::min<double>(value, std::numeric_limits<float>::max()));
}

std::vector<Row> evenSteps(Row words, Row count) {
    std::vector<Row> rows;
    for (std::int64_t i = 0; i < count; ++i) {
        rows.push_back(static_cast<Row>(i * words / count));
    }
    return rows;
}

/// The distances of some words to all words. The same words share a product whatever the number of
/// workers.
engine::RowSweep distancesOf(const engine::MetricSpace& space, std::span<const Row> words,
                             int threads, std::string_view stage) {
    constexpr std::size_t kFewest = 64;
    constexpr std::size_t kMost = 512;
    constexpr std::size_t kTasks = 64;
    return {{&space, 1}, words, std::clamp(words.size() / kTasks, kFewest, kMost), false, 0,
            threads,     stage};
}

/// ln Z of every word from the sum of its weights over the summed words, ascending.
VectorF logTotalsOf(const Sums& sums, std::span<const Row> summed) {
    const auto words = static_cast<double>(sums.size());
    VectorF result(sums.size());
    for (Row word = 0; word < static_cast<Row>(sums.size()); ++word) {
        // The word's own weight is 1; the others stand for all other words.
        const double own = std::ranges::binary_search(summed, word) ? 1.0 : 0.0;
        const double others = std::max(static_cast<double>(sums[word]) * kUnit - own, 0.0);
        const double count = static_cast<double>(summed.size()) - own;
        result[word] = static_cast<float>(std::log(1.0 + (words - 1.0) * others / count));
    }
    return result;
}

/// The word with the largest posterior, and that.
struct SureGuess {
    Row word = 0;
    double probability = 0.0;
};

/// scores  scratch: V values
SureGuess sureGuess(const DistanceKernel& kernel, const float* distances, const VectorF& logPrior,
                    VectorF& scores) {
    kernel.logColumn(distances, scores.data());
    scores += logPrior;
    const BestGuess best = bestGuess(scores);
    return {best.word,
            1.0 / (scores.array() - best.score).max(kNegligible).exp().cast<double>().sum()};
}

}  // namespace

Result<std::vector<DistanceKernel>> DistanceKernel::create(const engine::MetricSpace& space,
                                                           std::span<const Decay> decays,
                                                           Row summed, int threads,
                                                           const JobContext& job) {
    const Row words = space.wordCount();
    const std::vector<Row> rows = evenSteps(words, std::min(summed, words));
    const bool isExact = summed >= words;
    std::vector<VectorF> logTotals(decays.size(), VectorF(words));
    std::vector<Sums> sums(isExact ? 0 : decays.size(), Sums::Zero(words));
    std::vector<std::mutex> adding(sums.size());
    RETURN_IF_ERROR(engine::sweepRows(
        distancesOf(space, rows, threads, "Probabilities of outputs"), job,
        [&](int) { return engine::AlignedMatrix(1, space.paddedWords()); },
        [&](engine::AlignedMatrix& weights, std::size_t, std::size_t,
            const engine::MetricRow& row) {
            for (std::size_t i = 0; i < decays.size(); ++i) {
                const double cap = std::min<double>(decays[i].cap, engine::kLargestExponent);
                const auto rate = asFloat(decays[i].rate);
                if (isExact) {
                    logTotals[i][row.word] = static_cast<float>(std::log(engine::exponentialSum(
                        row.distances, words, rate, static_cast<float>(cap))));
                    continue;
                }
                std::ignore = engine::exponentialWeights(row.distances, nullptr, words, rate,
                                                         static_cast<float>(cap), weights.row(0));
                const Eigen::Map<const VectorF> added(weights.row(0), words);
                const std::scoped_lock lock(adding[i]);
                sums[i] += (added * static_cast<float>(1.0 / kUnit)).cast<std::int64_t>();
            }
        }));
    std::vector<DistanceKernel> kernels;
    for (std::size_t i = 0; i < decays.size(); ++i) {
        kernels.push_back(
            {decays[i], isExact ? std::move(logTotals[i]) : logTotalsOf(sums[i], rows)});
    }
    return kernels;
}

void DistanceKernel::logColumn(const float* distances, float* result) const {
    const Eigen::Map<const VectorF> all(distances, logTotals.size());
    Eigen::Map<VectorF>(result, logTotals.size()) =
        -(asFloat(decay.rate) * all.array()).min(asFloat(decay.cap)).matrix() - logTotals;
}

BestGuess bestGuess(const VectorF& scores) {
    const float best = scores.maxCoeff();
    return {static_cast<Row>(std::find(scores.begin(), scores.end(), best) - scores.begin()), best};
}

namespace {

constexpr std::size_t kRates = 24;
// Over the median distance.
constexpr double kLeastRate = 0.3;
constexpr double kLargestRate = 200.0;

/// Rates in even log steps over the median distance of words half a vocabulary apart.
std::vector<Decay> decaysFor(const engine::MetricSpace& space) {
    constexpr std::int64_t kPairs = 200;
    const std::int64_t words = space.wordCount();
    std::vector<double> distances;
    for (const Row first : evenSteps(space.wordCount(), kPairs)) {
        distances.push_back(space.distance(first, static_cast<Row>((first + words / 2) % words)));
    }
    const auto middle = distances.begin() + kPairs / 2;
    std::nth_element(distances.begin(), middle, distances.end());
    const double median = *middle > 0.0 ? *middle : 1.0;
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
/// them. Otherwise as engine::sweepRows.
///
/// visit  called with the state, distances and pairs
template <typename MakeState, typename Visit>
Result<void> visitOutputs(const engine::MetricSpace& space, std::span<const WordPairs> settings,
                          int threads, std::string_view stage, const JobContext& job,
                          const MakeState& makeState, const Visit& visit) {
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
    return engine::sweepRows(
        distancesOf(space, outputs, threads, stage), job, makeState,
        [&](auto& state, std::size_t, std::size_t, const engine::MetricRow& row) {
            visit(state, row.distances, byOutput.at(row.word));
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
            (prior.array() * (-kernels[rate].logTotals.cast<double>().array()).exp()).cast<float>();
    }
    std::vector<std::vector<Fits>> fits;
    for (const WordPairs& pairs : settings) {
        fits.emplace_back(pairs.words.size());
    }
    RETURN_IF_ERROR(visitOutputs(
        space, settings, threads, "Learning", job,
        [&](int) { return engine::AlignedMatrix(1, space.paddedWords()); },
        [&](engine::AlignedMatrix& weights, const float* distances,
            std::span<const PlacedPair> pairs) {
            for (std::size_t rate = 0; rate < kRates; ++rate) {
                // The sum that is otherwise one of cosines: of pi(x) C_r(x, u).
                const double all =
                    engine::exponentialWeights(
                        distances, shares.row(static_cast<std::int64_t>(rate)), space.wordCount(),
                        static_cast<float>(kernels[rate].decay.rate), engine::kLargestExponent,
                        weights.row(0))
                        .cosines;
                const double logAll = std::log(all);
                for (const auto& [setting, pair, word] : pairs) {
                    fits[setting][pair][rate] =
                        std::log(prior[word]) - static_cast<double>(kernels[rate].logTotals[word]) -
                        kernels[rate].decay.rate * static_cast<double>(distances[word]) - logAll;
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
    const double rate = kernels[best].decay.rate;
    if (best == 0 || best == kRates - 1) {
        return rate;
    }
    const double fall = means[best - 1] - 2.0 * means[best] + means[best + 1];
    const double shift = fall < 0.0 ? 0.5 * (means[best - 1] - means[best + 1]) / fall : 0.0;
    return rate * std::pow(kernels[best + 1].decay.rate / rate, shift);
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
    const VectorF logPrior = prior.array().log().cast<float>();
    RETURN_IF_ERROR(visitOutputs(
        space, settings, threads, "Judging guesses", job,
        [&](int) { return VectorF(logPrior.size()); },
        [&](VectorF& scores, const float* distances, std::span<const PlacedPair> pairs) {
            std::size_t scored = settings.size();
            SureGuess guess;
            for (const auto& [setting, pair, word] : pairs) {
                if (setting != scored) {
                    guess = sureGuess(kernels[setting], distances, logPrior, scores);
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
    // Of equal claims the right ones first, so that the others fall behind them: then neighbours
    // that fall are one step.
    std::ranges::sort(claims, {},
                      [](const auto& claim) { return std::pair(claim.first, !claim.second); });
    for (const auto& [claimed, isRight] : claims) {
        m_steps.push_back({claimed, isRight ? 1.0 : 0.0, 1.0});
        while (m_steps.size() > 1 && m_steps[m_steps.size() - 2].mean() >= m_steps.back().mean()) {
            const Step upper = m_steps.back();
            m_steps.pop_back();
            m_steps.back().right += upper.right;
            m_steps.back().claims += upper.claims;
        }
    }
}

double Calibration::operator()(double claimed) const {
    const auto above = std::ranges::upper_bound(m_steps, claimed, {}, &Step::from);
    return above == m_steps.begin() ? above->mean() : std::prev(above)->mean();
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
    const JobContext quiet{job.stop};
    const auto batch = series->batch(epsilons, threads, quiet);
    std::vector<WordPairs> pairs(epsilons.size(), {words, std::vector<Row>(words.size())});
    for (std::size_t first = 0; first < words.size(); first += atOnce) {
        const auto some = partFrom(words, first, atOnce);
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
        job.progress(first + some.size(), words.size(), "Drawing");
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

Result<AttackerView> AttackerView::learn(const engine::SearchSpace& space,
                                         const mechanism::Mechanism& mechanism,
                                         std::span<const double> epsilons, const VectorD& prior,
                                         std::uint64_t seed, int threads, const JobContext& job) {
    ASSIGN_OR_RETURN(const auto prepared,
                     mechanism::PreparedMechanism::create(space.handle(), mechanism));
    ASSIGN_OR_RETURN(auto metric, engine::MetricSpace::create(prepared.metric(), threads));
    AttackerView view{prepared.form(), std::move(metric), prior.array().log().cast<float>(),
                      commonestWords(prior, 1).front()};
    if (const auto* weights = std::get_if<mechanism::SelectionWeights>(&view.form)) {
        std::vector<Decay> decays;
        for (const double epsilon : epsilons) {
            ASSIGN_OR_RETURN(const auto law, weights->truncation.at(epsilon));
            decays.push_back({0.5 * epsilon, law.cap()});
        }
        ASSIGN_OR_RETURN(
            auto kernels,
            DistanceKernel::create(view.space, decays, view.space.wordCount(), threads, job));
        for (DistanceKernel& kernel : kernels) {
            view.settings.push_back({std::move(kernel)});
        }
        return view;
    }
    const auto draw = [&](std::uint32_t role, const JobContext& part) {
        return drawPairs(space, mechanism, epsilons,
                         drawWords(prior, kPairsOfSetting, seed + 1 + role), seed, role, threads,
                         part);
    };
    ASSIGN_OR_RETURN(const auto fitting, draw(0, partOf(job, 0.0, 0.15)));
    ASSIGN_OR_RETURN(const auto judging, draw(1, partOf(job, 0.15, 0.3)));
    ASSIGN_OR_RETURN(view.settings, fitKernels(view.space, fitting, judging, prior, threads,
                                               partOf(job, 0.3, 1.0)));
    return view;
}

Result<std::vector<WordGuess>> AttackerView::guesses(std::size_t setting,
                                                     std::span<const Row> outputs, int threads,
                                                     const JobContext& job) const {
    const AttackerKernel& view = settings[setting];
    std::vector<WordGuess> result(outputs.size());
    RETURN_IF_ERROR(engine::sweepRows(
        distancesOf(space, outputs, threads, "Guessing"), job,
        [&](int) { return VectorF(logPrior.size()); },
        [&](VectorF& scores, std::size_t i, std::size_t, const engine::MetricRow& row) {
            const SureGuess sure = sureGuess(view.kernel, row.distances, logPrior, scores);
            const Row word = view.rule == GuessRule::posterior ? sure.word
                             : view.rule == GuessRule::output  ? row.word
                                                               : commonest;
            result[i] = {
                word, view.calibration ? (*view.calibration)(sure.probability) : sure.probability,
                !view.calibration};
        }));
    return result;
}

}  // namespace epsilens::attack
