#include "core/engine/tile_bounds.h"

#include <algorithm>
#include <limits>

#include "core/base/parallel.h"
#include "core/engine/distance_error.h"
#include "core/engine/exponential_kernel.h"
#include "core/engine/score_kernel.h"
#include "core/numeric/matrix_product.h"

namespace epsilens::engine {
namespace {

constexpr float kLargest = std::numeric_limits<float>::max();
constexpr std::int64_t kMostWords = 1024;
constexpr std::int64_t kMostBytes = std::int64_t{32} << 20;
/// Rows of the vocabulary whose products with all words are formed at once: they stay in the cache.
constexpr std::int64_t kRowsPerSlab = 512;
/// Tasks for each thread, whose slabs follow one another in the same memory.
constexpr std::int64_t kTasksPerThread = 2;
constexpr std::int64_t kWordsPerTask = 64;

/// The error of a computed distance falls as the distance rises (for angles up to refineAbove()),
/// so the least one that is not formed anew bounds that of all; what lies below may be 0.
void takeOffError(const DistanceError& error, std::span<float> bounds) {
    const double near = error.refineBelow();
    const double far = std::min(error.refineAbove(), static_cast<double>(kLargest));
    double least = far;
    for (const float bound : bounds) {
        const auto distance = static_cast<double>(bound);
        least = distance >= near ? std::min(least, distance) : least;
    }
    const double off = error.ofProducts(least, far);
    for (float& bound : bounds) {
        // Rounding to float32 comes on top of that of the distance.
        const double distance = std::min(static_cast<double>(bound), far);
        const double lowered = distance * (1.0 - 4.0 * kDistanceRounding) - off;
        bound = distance >= near ? static_cast<float>(std::max(0.0, lowered)) : 0.0F;
    }
}

/// Calls body(first, count) for parts of `size` of a range, in parallel.
template <typename Body>
void forEachPart(std::int64_t count, std::int64_t size, int threads, const Body& body) {
    parallelFor((count + size - 1) / size, threads,
                [&](std::int64_t part) { body(part * size, std::min(size, count - part * size)); });
}

}  // namespace

std::int64_t TileBounds::wordsAtOnce(const MetricSpace& space) {
    const std::int64_t rowBytes =
        paddedRowLength(tileCount(space.wordCount())) * static_cast<std::int64_t>(sizeof(float));
    return std::clamp<std::int64_t>(kMostBytes / rowBytes, 1, kMostWords);
}

TileBounds::TileBounds(const MetricSpace& space, std::span<const Row> words, int threads)
    : m_bounds(std::ssize(words), paddedRowLength(tileCount(space.wordCount()))) {
    const RowMatrixF factors = space.productFactors(words);
    const std::int64_t count = space.wordCount();
    const std::int64_t slabs = (count + kRowsPerSlab - 1) / kRowsPerSlab;
    const std::int64_t tasks = kTasksPerThread * (threads > 0 ? threads : defaultThreadCount());
    const std::int64_t part = kRowsPerSlab * ((slabs + tasks - 1) / tasks);
    forEachPart(count, part, threads, [&](std::int64_t begin, std::int64_t size) {
        addSlabs(space, words, factors, begin, begin + size);
    });
    takeOffErrors(space, words, threads);
}

void TileBounds::addSlabs(const MetricSpace& space, std::span<const Row> words,
                          const RowMatrixF& factors, std::int64_t begin, std::int64_t end) {
    AlignedMatrix products(factors.rows(), kRowsPerSlab);
    AlignedMatrix scratch(1, boundCount(tileCount(kRowsPerSlab)));
    for (std::int64_t first = begin; first < end; first += kRowsPerSlab) {
        const std::int64_t width = std::min(kRowsPerSlab, end - first);
        if (space.metric().metric() != metric::Metric::poincare) {
            numeric::multiplyTransposed(factors.data(), factors.rows(),
                                        space.table().row(first).data(), width, factors.cols(),
                                        1.0F, products.row(0), products.stride());
        }
        for (std::size_t i = 0; i < words.size(); ++i) {
            const auto index = static_cast<std::int64_t>(i);
            float* const distances = products.row(index);
            space.finishDistances(words[i], first, width, distances, nullptr);
            if (words[i] >= first && words[i] < first + width) {
                distances[words[i] - first] = kPaddingA<float>;
            }
            leastBounds(distances, tileCount(width), scratch.row(0));
            std::copy_n(scratch.row(0), tileCount(width), m_bounds.row(index) + first / kTileWidth);
        }
    }
}

void TileBounds::takeOffErrors(const MetricSpace& space, std::span<const Row> words, int threads) {
    const auto tiles = static_cast<std::size_t>(tileCount(space.wordCount()));
    const auto count = std::ssize(words);
    forEachPart(count, kWordsPerTask, threads, [&](std::int64_t begin, std::int64_t size) {
        for (std::int64_t i = begin; i < begin + size; ++i) {
            const DistanceError error(space, words[static_cast<std::size_t>(i)]);
            takeOffError(error, {m_bounds.row(i), tiles});
            std::fill(m_bounds.row(i) + tiles, m_bounds.row(i) + m_bounds.stride(), 0.0F);
        }
    });
}

}  // namespace epsilens::engine
