#include "core/calibration/word_comparison.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <functional>
#include <limits>
#include <mutex>

#include <fmt/format.h>

#include "core/base/parallel.h"

namespace epsilens::calibration {
namespace {

std::size_t positionsOf(std::span<const CountedOutputs> words) {
    std::int32_t largest = -1;
    for (const CountedOutputs& outputs : words) {
        largest = std::max(largest, outputs.back().position);
    }
    return static_cast<std::size_t>(largest) + 1;
}

// The least of a number per output, over the outputs of each word.
std::vector<std::int32_t> leastOverOutputs(std::span<const CountedOutputs> words,
                                           const std::vector<std::int32_t>& numbers) {
    std::vector<std::int32_t> least;
    for (const CountedOutputs& outputs : words) {
        std::int32_t value = std::numeric_limits<std::int32_t>::max();
        for (const CountedOutput& output : outputs) {
            value = std::min(value, numbers[static_cast<std::size_t>(output.position)]);
        }
        least.push_back(value);
    }
    return least;
}

// Who gave an output, and how often.
struct Giver {
    std::size_t word = 0;
    std::int32_t count = 0;
};

std::vector<std::vector<Giver>> giversOfOutputs(std::span<const CountedOutputs> words) {
    std::vector<std::vector<Giver>> givers(positionsOf(words));
    for (std::size_t word = 0; word < words.size(); ++word) {
        for (const CountedOutput& output : words[word]) {
            givers[static_cast<std::size_t>(output.position)].push_back({word, output.count});
        }
    }
    return givers;
}

}  // namespace

CountedOutputs countOutputs(std::span<const std::int32_t> positions) {
    std::vector<std::int32_t> sorted(positions.begin(), positions.end());
    std::sort(sorted.begin(), sorted.end());
    CountedOutputs outputs;
    for (const std::int32_t position : sorted) {
        if (outputs.empty() || outputs.back().position != position) {
            outputs.push_back({position, 0});
        }
        ++outputs.back().count;
    }
    outputs.shrink_to_fit();
    return outputs;
}

std::vector<std::int32_t> sharedOutputs(std::span<const CountedOutputs> words) {
    std::vector<std::int32_t> givers(positionsOf(words));
    for (const CountedOutputs& outputs : words) {
        for (const CountedOutput& output : outputs) {
            ++givers[static_cast<std::size_t>(output.position)];
        }
    }
    return leastOverOutputs(words, givers);
}

std::vector<WordDeniability> sampledDeniability(std::span<const CountedOutputs> words, double odds,
                                                std::int32_t leastCount) {
    const double length = std::log(odds) + kLogTolerance;
    std::vector<double> sums(words.size());
    std::vector<std::int64_t> draws(words.size());
    for (std::vector<Giver>& givers : giversOfOutputs(words)) {
        std::sort(givers.begin(), givers.end(),
                  [](const Giver& a, const Giver& b) { return a.count < b.count; });
        std::vector<double> logarithms;
        logarithms.reserve(givers.size());
        for (const Giver& giver : givers) {
            logarithms.push_back(std::log(static_cast<double>(giver.count)));
        }
        const std::vector<std::int32_t> sizes = largestSets(logarithms, length);
        for (std::size_t i = 0; i < givers.size(); ++i) {
            if (givers[i].count >= leastCount) {
                sums[givers[i].word] += static_cast<double>(givers[i].count) * sizes[i];
                draws[givers[i].word] += givers[i].count;
            }
        }
    }
    std::vector<WordDeniability> result(words.size());
    for (std::size_t word = 0; word < words.size(); ++word) {
        std::int64_t all = 0;
        for (const CountedOutput& output : words[word]) {
            all += output.count;
        }
        const auto counted = static_cast<double>(draws[word]);
        result[word].share = counted / static_cast<double>(all);
        if (draws[word] > 0) {
            result[word].size = sums[word] / counted;
        }
    }
    return result;
}

std::vector<std::int32_t> largestSets(std::span<const double> sorted, double length) {
    const std::size_t count = sorted.size();
    std::vector<std::int32_t> reached(count);  // values from each one on, up to it plus the length
    for (std::size_t first = 0, last = 0; first < count; ++first) {
        while (last < count && sorted[last] <= sorted[first] + length) {
            ++last;
        }
        reached[first] = static_cast<std::int32_t>(last - first);
    }
    // The best interval begins at a value that reaches this one: a maximum over a sliding window.
    std::vector<std::int32_t> sizes(count);
    std::deque<std::size_t> best;
    for (std::size_t i = 0; i < count; ++i) {
        while (!best.empty() && reached[best.back()] <= reached[i]) {
            best.pop_back();
        }
        best.push_back(i);
        while (sorted[i] > sorted[best.front()] + length) {
            best.pop_front();
        }
        sizes[i] = reached[best.front()];
    }
    return sizes;
}

namespace {

using engine::Row;

// Partial sums: a fixed number, so that they are added in an order without threads.
constexpr std::int64_t kChunks = 64;

class Deniability {
public:
    Deniability(const engine::MetricSpace& space, const mechanism::TruncatedExponential& mechanism,
                std::span<const Row> words, double odds, int threads, const JobContext& job)
        : m_space(space),
          m_mechanism(mechanism),
          m_words(words),
          m_length(std::log(odds) + kLogTolerance),
          m_threads(threads),
          m_job(job),
          m_logTotals(static_cast<std::size_t>(space.wordCount())) {}

    Result<std::vector<double>> run() {
        forAllWords([&](std::int64_t, Row word) { addTotal(word); });
        std::vector<std::vector<double>> sums(kChunks, std::vector<double>(m_words.size()));
        forAllWords([&](std::int64_t chunk, Row output) {
            addOutput(output, sums[static_cast<std::size_t>(chunk)]);
        });
        if (m_job.stopRequested()) {
            return fail(ErrorCode::cancelled, "cancelled");
        }
        std::vector<double> result(m_words.size());
        for (const std::vector<double>& part : sums) {
            std::transform(result.begin(), result.end(), part.begin(), result.begin(),
                           std::plus<>());
        }
        return result;
    }

private:
    // Calls use(chunk, word) for every word of the vocabulary, in parallel over chunks.
    template <typename Use>
    void forAllWords(Use use) {
        const std::int64_t count = m_space.wordCount();
        parallelFor(kChunks, m_threads, [&](std::int64_t chunk) {
            const std::int64_t end = count * (chunk + 1) / kChunks;
            for (std::int64_t word = count * chunk / kChunks; word < end && !m_job.stopRequested();
                 ++word) {
                use(chunk, static_cast<Row>(word));
            }
            const std::scoped_lock lock(m_mutex);
            m_job.progress(static_cast<double>(++m_finished) / (2.0 * kChunks), "Deniability");
        });
    }

    // -ln of the weights of all words for one; distances in float64, as sizes of sets jump.
    [[nodiscard]] std::vector<double> exponents(Row word) const {
        std::vector<double> result;
        result.reserve(static_cast<std::size_t>(m_space.wordCount()));
        for (Row other = 0; other < m_space.wordCount(); ++other) {
            result.push_back(m_mechanism.exponent(m_space.distance(word, other)));
        }
        return result;
    }

    void addTotal(Row word) {
        double total = 0.0;
        for (const double exponent : exponents(word)) {
            total += std::exp(-exponent);
        }
        m_logTotals[static_cast<std::size_t>(word)] = std::log(total);
    }

    // By symmetry the distances of an output are those to all words that may have led to it.
    void addOutput(Row output, std::vector<double>& sums) const {
        std::vector<double> logarithms = exponents(output);
        for (std::size_t word = 0; word < logarithms.size(); ++word) {
            logarithms[word] = -logarithms[word] - m_logTotals[word];
        }
        std::vector<double> sorted = logarithms;
        std::sort(sorted.begin(), sorted.end());
        const std::vector<std::int32_t> sizes = largestSets(sorted, m_length);
        for (std::size_t i = 0; i < m_words.size(); ++i) {
            const double logarithm = logarithms[static_cast<std::size_t>(m_words[i])];
            const auto place = std::lower_bound(sorted.begin(), sorted.end(), logarithm);
            const auto size = sizes[static_cast<std::size_t>(place - sorted.begin())];
            sums[i] += std::exp(logarithm) * static_cast<double>(size);
        }
    }

    const engine::MetricSpace& m_space;
    const mechanism::TruncatedExponential& m_mechanism;
    std::span<const Row> m_words;
    double m_length;
    int m_threads;
    const JobContext& m_job;
    std::vector<double> m_logTotals;
    std::mutex m_mutex{};
    std::int64_t m_finished = 0;
};

}  // namespace

Result<std::vector<double>> exactDeniability(const engine::MetricSpace& space,
                                             const mechanism::TruncatedExponential& mechanism,
                                             std::span<const Row> words, double odds, int threads,
                                             const JobContext& job) {
    if (!(odds >= 1.0 && std::isfinite(odds))) {
        return fail(ErrorCode::invalidArgument,
                    fmt::format("odds {} is outside its range, finite and at least 1", odds));
    }
    return Deniability(space, mechanism, words, odds, threads, job).run();
}

}  // namespace epsilens::calibration
