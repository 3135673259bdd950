#include "core/release/word_blocks.h"

#include <algorithm>

#include "core/base/parallel.h"

namespace epsilens::release {

void forEachBlock(std::size_t words, std::int64_t largest, int threads, const JobContext& job,
                  const std::function<void(std::size_t, std::size_t)>& body) {
    const auto workers = static_cast<std::size_t>(threads > 0 ? threads : defaultThreadCount());
    if (words == 0) {
        return;
    }
    const std::size_t turn = workers * static_cast<std::size_t>(largest);
    const std::size_t wanted = (words + turn - 1) / turn * workers;
    const std::size_t size = (words + wanted - 1) / wanted;
    const std::size_t blocks = (words + size - 1) / size;
    parallelFor(static_cast<std::int64_t>(blocks), threads, [&](std::int64_t block) {
        if (!job.stopRequested()) {
            const std::size_t first = static_cast<std::size_t>(block) * size;
            body(first, std::min(size, words - first));
        }
    });
}

}  // namespace epsilens::release
