#include "core/experiment/attack/word_guesses.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <mutex>
#include <numeric>
#include <span>
#include <tuple>
#include <utility>

#include "core/base/parallel.h"
#include "core/base/pass_on.h"
#include "core/engine/create_series.h"
#include "core/experiment/attack/distance_visits.h"
#include "core/experiment/attack/exact_channel.h"
#include "core/experiment/attack/in_parallel.h"
#include "core/experiment/attack/share.h"
#include "core/experiment/attack/streams.h"

namespace epsilens::experiment {
namespace {

constexpr std::int64_t kFewestDraws = 4;
constexpr std::int64_t kMostEvenDraws = 128;
constexpr std::int64_t kMostDraws = 4096;
// Guesses that are about as sure are judged together, as many as have this part of all weight.
constexpr int kBins = 50;
// Distances of a group, and projections of the draws that it shares, each take at most this much.
constexpr std::int64_t kScratchBytes = std::int64_t{96} << 20;

using Guesses = std::vector<std::optional<WordGuess>>;

/// Words that are tried equally often, with draws of their own.
struct Group {
    std::vector<Row> words{};
    std::int64_t draws = 0;
};

/// A word came out as an output.
struct Event {
    Row output = 0;
    Row word = 0;
    std::int32_t cluster = 0;  ///< the draw, numbered through all groups
};

/// Words that share draws: fewer of few words, so that there are many groups.
std::int64_t wordsOfGroup(std::int64_t words) {
    return std::clamp<std::int64_t>(words / 64, 64, 512);
}

std::int64_t evenDraws(std::int64_t searches, std::int64_t words) {
    return std::clamp(searches / (2 * words), kFewestDraws, kMostEvenDraws);
}

std::vector<Group> groupsOf(const VectorD& prior, std::int64_t searches, std::size_t mostWords) {
    const std::int64_t fewest = evenDraws(searches, prior.size());
    std::vector<std::pair<std::int64_t, Row>> draws;
    for (Row word = 0; word < static_cast<Row>(prior.size()); ++word) {
        const double wanted = 0.5 * static_cast<double>(searches) * prior[word];
        std::int64_t count = fewest;
        while (count < kMostDraws && static_cast<double>(count) < wanted) {
            count *= 2;
        }
        draws.emplace_back(count, word);
    }
    std::stable_sort(draws.begin(), draws.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<Group> groups;
    for (const auto& [count, word] : draws) {
        if (groups.empty() || groups.back().draws != count ||
            groups.back().words.size() == mostWords) {
            groups.push_back({{}, count});
        }
        groups.back().words.push_back(word);
    }
    return groups;
}

double searchesOf(const Group& group) {
    return static_cast<double>(group.words.size()) * static_cast<double>(group.draws);
}

/// Tries the words of one group after the other.
class Trials {
public:
    /// searches  of all groups
    Trials(const engine::NoiseSeries& series, std::span<const double> epsilon,
           const WordGuessOptions& options, double searches, const JobContext& job)
        : m_series(series),
          m_options(options),
          m_job(job),
          m_searches(searches),
          m_quiet{job.stop, {}},
          m_batch(series.batch(epsilon, options.threads, m_quiet)) {}

    void run(const Group& group, std::uint32_t number) {
        m_batch->setWords(group.words);
        const std::int64_t atOnce = std::clamp<std::int64_t>(
            kScratchBytes / (m_series.rowBytes() * m_series.variants()), 1, group.draws);
        for (std::int64_t first = 0; first < group.draws && !m_quiet.stopRequested();
             first += atOnce) {
            const std::int64_t count = std::min(atOnce, group.draws - first);
            m_batch->setDraws({m_options.seed, kWordGuesses, number}, first, count);
            search(group, count);
        }
    }

    [[nodiscard]] std::vector<Event> takeEvents() { return std::move(m_events); }

private:
    void search(const Group& group, std::int64_t draws) {
        const std::size_t before = m_events.size();
        const auto perWord = static_cast<std::size_t>(draws);
        m_events.resize(before + group.words.size() * perWord);
        parallelFor(static_cast<std::int64_t>(group.words.size()), m_options.threads,
                    [&](std::int64_t word) {
                        const std::unique_ptr<engine::DrawSearch> nearest = m_batch->search();
                        nearest->setWord(word);
                        const auto index = static_cast<std::size_t>(word);
                        Event* event = &m_events[before + index * perWord];
                        std::int32_t position = 0;
                        for (std::int64_t draw = 0; draw < draws && !m_quiet.stopRequested();
                             ++draw, ++event) {
                            nearest->setDraw(0, draw);
                            nearest->nearestAtAll({&position, 1});
                            *event = {m_series.space().rowAt(position), group.words[index],
                                      m_clusters + static_cast<std::int32_t>(draw)};
                        }
                        const std::lock_guard lock(m_reporting);
                        m_done += static_cast<double>(draws);
                        m_job.progress(m_done / m_searches, "Guessing");
                    });
        m_clusters += static_cast<std::int32_t>(draws);
    }

    const engine::NoiseSeries& m_series;
    const WordGuessOptions& m_options;
    const JobContext& m_job;
    double m_searches;
    double m_done = 0.0;
    std::mutex m_reporting{};
    JobContext m_quiet;
    std::unique_ptr<engine::SearchBatch> m_batch;
    std::vector<Event> m_events;
    std::int32_t m_clusters = 0;
};

/// The word with the most weight, the lowest of equal ones.
///
/// events  of one output, by rising word
Row heaviestWord(std::span<const Event> events, const VectorD& weights) {
    Row best = events.front().word;
    double most = 0.0;
    for (std::size_t first = 0; first < events.size();) {
        const Row word = events[first].word;
        std::size_t end = first;
        while (end < events.size() && events[end].word == word) {
            ++end;
        }
        const double weight = static_cast<double>(end - first) * weights[word];
        if (weight > most) {
            most = weight;
            best = word;
        }
        first = end;
    }
    return best;
}

bool isEven(const Event& event) {
    return event.cluster % 2 == 0;
}

/// The guess behind an output, and the draws that judge it.
struct Guess {
    Row output = 0;
    Row word = 0;
    double sureness = 0.0;  ///< orders guesses; no probability
    std::span<const Event> judging{};
    double weight = 0.0;  ///< of the judging draws
};

double weightOf(std::span<const Event> events, const VectorD& weights) {
    return std::accumulate(events.begin(), events.end(), 0.0, [&](double sum, const Event& event) {
        return sum + weights[event.word];
    });
}

/// events   of one output; their order changes
/// weights  of one draw of each word
std::optional<Guess> guessFrom(std::span<Event> events, const VectorD& weights) {
    const auto middle = std::partition(events.begin(), events.end(), isEven);
    const std::span<Event> choosing(events.begin(), middle);
    const std::span<Event> judging(middle, events.end());
    if (choosing.empty()) {
        return std::nullopt;
    }
    std::sort(choosing.begin(), choosing.end(),
              [](const Event& a, const Event& b) { return a.word < b.word; });
    Guess guess{choosing.front().output, heaviestWord(choosing, weights), 0.0, judging, 0.0};
    guess.weight = weightOf(judging, weights);
    const auto hits = static_cast<double>(std::ranges::count(choosing, guess.word, &Event::word));
    // One draw more makes what rests on few draws less sure.
    guess.sureness =
        hits * weights[guess.word] / (weightOf(choosing, weights) + weights[guess.word]);
    return guess;
}

/// How often these guesses are right, each as often as its output comes up.
std::optional<Share> judge(std::span<const Guess> guesses, const VectorD& weights) {
    std::vector<std::pair<Event, bool>> trials;
    for (const Guess& guess : guesses) {
        for (const Event& event : guess.judging) {
            trials.emplace_back(event, event.word == guess.word);
        }
    }
    std::sort(trials.begin(), trials.end(), [](const auto& a, const auto& b) {
        return std::tie(a.first.cluster, a.first.word) < std::tie(b.first.cluster, b.first.word);
    });
    std::vector<float> hits;
    std::vector<float> shares;
    std::vector<std::int32_t> clusters;
    for (const auto& [event, isHit] : trials) {
        hits.push_back(isHit ? 1.0F : 0.0F);
        shares.push_back(static_cast<float>(weights[event.word]));
        clusters.push_back(event.cluster);
    }
    return weightedShareByDocuments(hits, shares, clusters);
}

/// Judges guesses together that are about as sure.
///
/// words  V
Guesses judged(std::vector<Guess> guesses, const VectorD& weights, std::size_t words) {
    std::sort(guesses.begin(), guesses.end(), [](const Guess& a, const Guess& b) {
        return std::tie(a.sureness, a.output) < std::tie(b.sureness, b.output);
    });
    const double least =
        std::accumulate(guesses.begin(), guesses.end(), 0.0,
                        [](double sum, const Guess& guess) { return sum + guess.weight; }) /
        kBins;
    Guesses result(words);
    for (std::size_t first = 0; first < guesses.size();) {
        std::size_t end = first;
        double weight = 0.0;
        do {
            weight += guesses[end++].weight;
        } while (end < guesses.size() && weight < least && guesses[end].weight < least);
        const auto alike = std::span(guesses).subspan(first, end - first);
        if (const auto share = judge(alike, weights)) {
            for (const Guess& guess : alike) {
                result[static_cast<std::size_t>(guess.output)] =
                    WordGuess{guess.word, share->value, share->ci95.value_or(std::array{0.0, 1.0})};
            }
        }
        first = end;
    }
    return result;
}

Result<Guesses> sampledGuesses(const engine::SearchSpace& space, const mechanism::Setting& setting,
                               const VectorD& prior, const WordGuessOptions& options,
                               const JobContext& job) {
    ASSIGN_OR_RETURN(const auto series,
                     engine::createSeries(space, setting.mechanism, {setting.mechanism.lambda()}));
    const std::array epsilon{setting.epsilon};
    const auto mostWords = static_cast<std::size_t>(std::clamp<std::int64_t>(
        kScratchBytes / series->rowBytes(), 1, wordsOfGroup(space.embedding().wordCount())));
    const std::vector<Group> groups = groupsOf(prior, options.searches, mostWords);
    VectorD weights = prior;
    const double searches =
        std::accumulate(groups.begin(), groups.end(), 0.0,
                        [](double sum, const Group& group) { return sum + searchesOf(group); });
    Trials trials(*series, epsilon, options, searches, job);
    for (std::size_t i = 0; i < groups.size(); ++i) {
        trials.run(groups[i], static_cast<std::uint32_t>(i));
        if (job.stopRequested()) {
            return fail(ErrorCode::cancelled, "cancelled");
        }
        for (const Row word : groups[i].words) {
            weights[word] /= static_cast<double>(groups[i].draws);
        }
    }
    std::vector<Event> events = trials.takeEvents();
    std::sort(events.begin(), events.end(),
              [](const Event& a, const Event& b) { return a.output < b.output; });
    std::vector<Guess> guesses;
    for (std::size_t first = 0; first < events.size();) {
        std::size_t end = first;
        while (end < events.size() && events[end].output == events[first].output) {
            ++end;
        }
        if (auto guess = guessFrom(std::span(events).subspan(first, end - first), weights)) {
            guesses.push_back(*guess);
        }
        first = end;
    }
    return judged(std::move(guesses), weights, static_cast<std::size_t>(prior.size()));
}

Result<Guesses> exactGuesses(const engine::SearchSpace& space, const mechanism::Setting& setting,
                             const VectorD& prior, const WordGuessOptions& options,
                             const JobContext& job) {
    ASSIGN_OR_RETURN(auto form, setting.mechanism.on(space.handle()));
    auto& law = std::get<mechanism::SelectionWeights>(form);
    ASSIGN_OR_RETURN(const auto truncated, law.truncation.at(setting.epsilon));
    ASSIGN_OR_RETURN(const auto metric,
                     engine::MetricSpace::create(std::move(law.metric), options.threads));
    ASSIGN_OR_RETURN(const auto channel,
                     ExactChannel::create(metric, {truncated}, options.threads, job));
    const VectorF logPrior = prior.array().log().cast<float>();
    const int workers = workersOf(options.threads);
    std::vector<VectorF> scratch(static_cast<std::size_t>(workers), VectorF(channel.words()));
    std::vector<Row> outputs(static_cast<std::size_t>(channel.words()));
    std::iota(outputs.begin(), outputs.end(), 0);
    Guesses guesses(outputs.size());
    RETURN_IF_ERROR(visitDistances(
        metric, outputs, workers, "Guessing", job,
        [&](std::size_t output, int worker, const engine::MetricRow& row) {
            VectorF& scores = scratch[static_cast<std::size_t>(worker)];
            channel.logColumn(0, row, scores.data());
            scores += logPrior;
            Eigen::Index best = 0;
            const float largest = scores.maxCoeff(&best);
            // Lower terms add nothing to a sum with a term of 1, and exp would make them denormal.
            constexpr float kNegligible = -80.0F;
            const double total =
                (scores.array() - largest).max(kNegligible).exp().cast<double>().sum();
            guesses[output] = WordGuess{static_cast<Row>(best), 1.0 / total, {}};
        }));
    return guesses;
}

}  // namespace

Result<WordGuesses> WordGuesses::learn(const engine::SearchSpace& space,
                                       const mechanism::Setting& setting, const VectorD& prior,
                                       const WordGuessOptions& options, const JobContext& job) {
    ASSIGN_OR_RETURN(auto guesses, setting.mechanism.isExact()
                                       ? exactGuesses(space, setting, prior, options, job)
                                       : sampledGuesses(space, setting, prior, options, job));
    return WordGuesses(std::move(guesses));
}

double WordGuesses::products(const mechanism::Mechanism& mechanism, std::int64_t words,
                             std::int64_t dimensions, const WordGuessOptions& options) {
    const auto count = static_cast<double>(words);
    const auto width = static_cast<double>(dimensions);
    if (mechanism.isExact()) {
        return 2.0 * count * count * width;
    }
    // Words against words, and the draws of each group against words.
    const double draws = static_cast<double>(evenDraws(options.searches, words));
    return count * count * width * (1.0 + 2.0 * draws / static_cast<double>(wordsOfGroup(words)));
}

}  // namespace epsilens::experiment
