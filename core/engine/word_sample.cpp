#include "core/engine/word_sample.h"

#include <algorithm>
#include <unordered_set>

#include "core/base/ordered.h"
#include "core/base/random_stream.h"

namespace epsilens::engine {

using embedding::Row;

std::vector<Row> sampleWords(std::int64_t vocabularySize, std::int64_t count, std::uint64_t seed) {
    if (count >= vocabularySize) {
        return indicesBelow<Row>(vocabularySize);
    }
    // Floyd's algorithm: each subset of the size asked for is equally likely.
    SeededStream stream(StreamKey{seed, StreamPurpose::wordSelection, 0, 0});
    std::unordered_set<Row> chosen;
    for (std::int64_t last = vocabularySize - count; last < vocabularySize; ++last) {
        const auto candidate = static_cast<Row>(stream.below(static_cast<std::uint64_t>(last) + 1));
        chosen.insert(chosen.contains(candidate) ? static_cast<Row>(last) : candidate);
    }
    std::vector<Row> rows(chosen.begin(), chosen.end());
    std::ranges::sort(rows);
    return rows;
}

std::vector<Row> sampleWords(std::span<const Row> eligible, std::int64_t count,
                             std::uint64_t seed) {
    std::vector<Row> rows = sampleWords(std::ssize(eligible), count, seed);
    for (Row& row : rows) {
        row = eligible[static_cast<std::size_t>(row)];
    }
    return rows;
}

}  // namespace epsilens::engine
