#include "core/calibration/word_comparison.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>

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

}  // namespace epsilens::calibration
