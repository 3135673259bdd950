#include "core/calibration/word_blocks.h"

namespace epsilens::calibration {

std::int64_t blockSize(std::int64_t words, const Sampling& options) {
    if (options.independentDraws) {
        return 1;
    }
    return std::min(words, options.blockSize > 0
                               ? options.blockSize
                               : std::clamp<std::int64_t>((words + 19) / 20, 64, 1024));
}

std::int64_t blockCount(std::int64_t words, const Sampling& options) {
    const std::int64_t size = blockSize(words, options);
    return (words + size - 1) / size;
}

}  // namespace epsilens::calibration
