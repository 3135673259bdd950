#include "core/calibration/word_order.h"

#include <numeric>
#include <utility>

#include "core/base/random_stream.h"

namespace epsilens::calibration {

std::vector<std::size_t> shuffledIndices(std::size_t count, std::uint64_t seed) {
    std::vector<std::size_t> indices(count);
    std::iota(indices.begin(), indices.end(), std::size_t{0});
    SeededStream stream(StreamKey{seed, StreamPurpose::blockPermutation, 0, 0});
    for (std::size_t last = count; last > 1; --last) {
        std::swap(indices[last - 1], indices[stream.below(last)]);
    }
    return indices;
}

}  // namespace epsilens::calibration
