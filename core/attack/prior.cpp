#include "core/attack/prior.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

#include "core/base/ordered.h"
#include "core/base/random_stream.h"
#include "core/corpus/streams.h"

namespace epsilens::attack {

std::vector<std::int64_t> wordCounts(std::span<const Row> tokens, Row words) {
    std::vector<std::int64_t> counts(static_cast<std::size_t>(words));
    for (const Row row : tokens) {
        if (row >= 0 && row < words) {
            ++counts[static_cast<std::size_t>(row)];
        }
    }
    return counts;
}

VectorD smoothedPrior(std::span<const std::int64_t> counts) {
    const auto words = static_cast<Eigen::Index>(counts.size());
    const auto total = std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
    VectorD prior(words);
    for (Eigen::Index row = 0; row < words; ++row) {
        prior[row] = (static_cast<double>(counts[static_cast<std::size_t>(row)]) + 1.0) /
                     static_cast<double>(total + words);
    }
    return prior;
}

VectorD uniformPrior(Row words) {
    return VectorD::Constant(words, 1.0 / static_cast<double>(words));
}

std::vector<Row> commonestWords(const VectorD& prior, std::int64_t count) {
    return ordered<Row>(
        static_cast<std::size_t>(prior.size()), [&](Row a, Row b) { return prior[a] > prior[b]; },
        static_cast<std::size_t>(count));
}

std::vector<Row> drawWords(const VectorD& prior, std::int64_t count, std::uint64_t seed) {
    std::vector<double> cumulative(static_cast<std::size_t>(prior.size()));
    std::partial_sum(prior.begin(), prior.end(), cumulative.begin());
    SeededStream stream(StreamKey{seed, corpus::kWordDraws, 0, 0});
    std::vector<Row> words;
    words.reserve(static_cast<std::size_t>(count));
    for (std::int64_t i = 0; i < count; ++i) {
        const double place = stream.uniform() * cumulative.back();
        const auto found = std::ranges::upper_bound(cumulative, place);
        words.push_back(static_cast<Row>(
            std::min<std::ptrdiff_t>(found - cumulative.begin(), prior.size() - 1)));
    }
    return words;
}

}  // namespace epsilens::attack
