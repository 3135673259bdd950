#include "core/calibration/word_comparison.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <functional>
#include <limits>

#include "core/base/parallel.h"

namespace epsilens::calibration {
namespace {

// Partial sums: a fixed number, so that they are added in an order without threads.
constexpr std::size_t kChunks = 64;

std::size_t rowsOf(std::span<const CountedOutputs> words) {
    engine::Row largest = -1;
    for (const CountedOutputs& outputs : words) {
        largest = std::max(largest, outputs.back().row);
    }
    return static_cast<std::size_t>(largest) + 1;
}

// Who gave an output, and how often.
struct Giver {
    std::size_t word = 0;
    std::int32_t count = 0;
};

}  // namespace

std::vector<std::int32_t> sharedOutputs(std::span<const CountedOutputs> words) {
    std::vector<std::int32_t> givers(rowsOf(words));
    for (const CountedOutputs& outputs : words) {
        for (const CountedOutput& output : outputs) {
            ++givers[static_cast<std::size_t>(output.row)];
        }
    }
    std::vector<std::int32_t> least;
    for (const CountedOutputs& outputs : words) {
        std::int32_t& own = least.emplace_back(std::numeric_limits<std::int32_t>::max());
        for (const CountedOutput& output : outputs) {
            own = std::min(own, givers[static_cast<std::size_t>(output.row)]);
        }
    }
    return least;
}

std::vector<WordDeniability> sampledDeniability(std::span<const CountedOutputs> words,
                                                double odds) {
    // An output counts only if so many draws of w gave it: smaller shares are too uncertain.
    constexpr std::int32_t kLeastCount = 10;
    const double length = std::log(odds) + kLogTolerance;
    std::vector<std::vector<Giver>> giversOf(rowsOf(words));
    std::vector<std::int64_t> all(words.size());
    for (std::size_t word = 0; word < words.size(); ++word) {
        for (const CountedOutput& output : words[word]) {
            giversOf[static_cast<std::size_t>(output.row)].push_back({word, output.count});
            all[word] += output.count;
        }
    }
    std::vector<double> sums(words.size());
    std::vector<std::int64_t> draws(words.size());
    for (std::vector<Giver>& givers : giversOf) {
        std::ranges::sort(givers, [](const Giver& a, const Giver& b) { return a.count < b.count; });
        std::vector<double> logarithms;
        logarithms.reserve(givers.size());
        for (const Giver& giver : givers) {
            logarithms.push_back(std::log(static_cast<double>(giver.count)));
        }
        const std::vector<std::int32_t> sizes = largestSets(logarithms, length);
        for (std::size_t i = 0; i < givers.size(); ++i) {
            if (givers[i].count >= kLeastCount) {
                sums[givers[i].word] += static_cast<double>(givers[i].count) * sizes[i];
                draws[givers[i].word] += givers[i].count;
            }
        }
    }
    std::vector<WordDeniability> result(words.size());
    for (std::size_t word = 0; word < words.size(); ++word) {
        const auto counted = static_cast<double>(draws[word]);
        result[word].share = counted / static_cast<double>(all[word]);
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

Result<std::vector<double>> exactDeniability(const engine::MetricSpace& space,
                                             const mechanism::TruncatedExponential& mechanism,
                                             std::span<const engine::Row> words, double odds,
                                             int threads, const JobContext& job) {
    const double length = std::log(odds) + kLogTolerance;
    const auto count = static_cast<std::size_t>(space.wordCount());
    // Calls use(chunk, word, exponents) for every word of the vocabulary: -ln of the weights of all
    // words for it. Distances in float64, as sizes of sets jump.
    const auto forAllWords = [&](double begin, const auto& use) {
        return inParallel(
            kChunks, threads, "Deniability", partOf(job, begin, begin + 0.5),
            [&](int /*worker*/) { return std::vector<double>(count); },
            [&](std::vector<double>& exponents, std::size_t chunk) {
                for (std::size_t word = count * chunk / kChunks;
                     word < count * (chunk + 1) / kChunks && !job.stopRequested(); ++word) {
                    for (std::size_t other = 0; other < count; ++other) {
                        exponents[other] = mechanism.exponent(space.distance(
                            static_cast<engine::Row>(word), static_cast<engine::Row>(other)));
                    }
                    use(chunk, word, exponents);
                }
            });
    };
    std::vector<double> logTotals(count);
    RETURN_IF_ERROR(forAllWords(
        0.0, [&](std::size_t /*chunk*/, std::size_t word, const std::vector<double>& exponents) {
            double total = 0.0;
            for (const double exponent : exponents) {
                total += std::exp(-exponent);
            }
            logTotals[word] = std::log(total);
        }));
    std::vector<std::vector<double>> sums(kChunks, std::vector<double>(words.size()));
    // By symmetry the distances of an output are those to all words that may have led to it.
    RETURN_IF_ERROR(forAllWords(
        0.5, [&](std::size_t chunk, std::size_t /*output*/, std::vector<double>& logarithms) {
            for (std::size_t word = 0; word < count; ++word) {
                logarithms[word] = -logarithms[word] - logTotals[word];
            }
            std::vector<double> sorted = logarithms;
            std::sort(sorted.begin(), sorted.end());
            const std::vector<std::int32_t> sizes = largestSets(sorted, length);
            for (std::size_t i = 0; i < words.size(); ++i) {
                const double logarithm = logarithms[static_cast<std::size_t>(words[i])];
                const auto place = std::lower_bound(sorted.begin(), sorted.end(), logarithm);
                sums[chunk][i] +=
                    std::exp(logarithm) * sizes[static_cast<std::size_t>(place - sorted.begin())];
            }
        }));
    std::vector<double> result(words.size());
    for (const std::vector<double>& part : sums) {
        std::transform(result.begin(), result.end(), part.begin(), result.begin(), std::plus<>());
    }
    return result;
}

}  // namespace epsilens::calibration
