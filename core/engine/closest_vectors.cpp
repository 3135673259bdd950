#include "core/engine/closest_vectors.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <utility>

#include "core/base/parallel.h"
#include "core/engine/aligned_matrix.h"
#include "core/engine/exact_scores.h"
#include "core/engine/pair_filter.h"
#include "core/engine/score_kernel.h"
#include "core/numeric/matrix_product.h"

namespace epsilens::engine {
namespace {

// Vectors per block: two blocks and their products stay in the cache of a core.
constexpr std::int64_t kBlock = 512;

constexpr float kInfinity = std::numeric_limits<float>::infinity();

struct Closest {
    double squared = std::numeric_limits<double>::infinity();
    std::int32_t position = -1;
};

/// The pairs of two blocks, the first not behind the second.
struct BlockPair {
    std::int64_t first = 0;
    std::int64_t second = 0;
};

/// Vectors found nearer than before by one task.
struct Improvement {
    std::int32_t of = 0;
    Closest found{};
};

class ClosestSearch {
public:
    explicit ClosestSearch(const SearchSpace& space)
        : m_space(space),
          m_blocks((space.positions() + kBlock - 1) / kBlock),
          m_padded(2, m_blocks * kBlock),
          m_closest(static_cast<std::size_t>(space.positions())),
          m_locks(static_cast<std::size_t>(m_blocks)) {
        std::fill(norms(), norms() + m_padded.stride(), kInfinity);
        std::fill(limits(), limits() + m_padded.stride(), kInfinity);
        // By so much that no computed square exceeds the exact one.
        const double lowered = 1.0 - squaredDistanceErrorPerNorms(space.vectors().cols());
        for (Eigen::Index i = 0; i < space.positions(); ++i) {
            norms()[i] = static_cast<float>(lowered * space.squaredNorms()[i]);
        }
    }

    /// Neighbours in the order of the tiles, so that there are limits to start from.
    void seed(int threads, const JobContext& job) {
        const std::int64_t tasks = (m_space.positions() + kTileWidth - 1) / kTileWidth;
        parallelFor(tasks, threads, [&](std::int64_t task) {
            const std::int64_t end =
                std::min<std::int64_t>((task + 1) * kTileWidth, m_space.positions());
            for (std::int64_t a = task * kTileWidth; a < end && !job.stopRequested(); ++a) {
                for (std::int64_t b = a + 1; b < end; ++b) {
                    const double squared = squaredDistanceOf(a, b);
                    improve(a, {squared, static_cast<std::int32_t>(b)});
                    improve(b, {squared, static_cast<std::int32_t>(a)});
                }
            }
        });
    }

    /// All pairs of blocks, near ones in the order of the tiles first: they tighten the limits
    /// most.
    [[nodiscard]] std::vector<BlockPair> blockPairs() const {
        std::vector<BlockPair> pairs;
        for (std::int64_t apart = 0; apart < m_blocks; ++apart) {
            for (std::int64_t first = 0; first + apart < m_blocks; ++first) {
                pairs.push_back({first, first + apart});
            }
        }
        return pairs;
    }

    /// May be called for several pairs at once.
    void compare(const BlockPair& pair) {
        const AlignedMatrix firstLimits = copyLimits(pair.first);
        AlignedMatrix secondLimits = copyLimits(pair.second);
        const AlignedMatrix products = productsOf(pair);
        const PairRow others{norms() + pair.second * kBlock, secondLimits.row(0), kBlock};
        std::vector<std::int32_t> near(static_cast<std::size_t>(kBlock + kPairPadding));
        std::vector<Improvement> improvements;
        for (std::int64_t i = 0; i < products.rows(); ++i) {
            const std::int64_t a = pair.first * kBlock + i;
            float limit = firstLimits.row(0)[i];
            const std::int64_t count =
                collectNear(norms()[a], limit, others, products.row(i), near.data());
            for (std::int64_t k = 0; k < count; ++k) {
                const std::int32_t j = near[static_cast<std::size_t>(k)];
                const std::int64_t b = pair.second * kBlock + j;
                if (b <= a) {
                    continue;
                }
                const double squared = squaredDistanceOf(a, b);
                note(a, b, squared, limit, improvements);
                note(b, a, squared, secondLimits.row(0)[j], improvements);
            }
        }
        merge(pair, improvements);
    }

    [[nodiscard]] ClosestVectors result() const {
        ClosestVectors closest;
        for (const Closest& one : m_closest) {
            closest.distances.push_back(std::sqrt(one.squared));
            closest.positions.push_back(one.position);
        }
        return closest;
    }

private:
    [[nodiscard]] float* norms() { return m_padded.row(0); }
    [[nodiscard]] float* limits() { return m_padded.row(1); }
    [[nodiscard]] std::mutex& lockOf(std::int64_t block) {
        return m_locks[static_cast<std::size_t>(block)];
    }

    [[nodiscard]] std::int64_t sizeOf(std::int64_t block) const {
        return std::min(kBlock, m_space.positions() - block * kBlock);
    }

    [[nodiscard]] double squaredDistanceOf(std::int64_t a, std::int64_t b) const {
        return squaredDistance(m_space.vectors().row(a).data(), m_space.vectors().row(b).data(),
                               m_space.vectors().cols());
    }

    /// A float32 squared distance to a vector at most that near is below this.
    [[nodiscard]] float limitFor(double squared) const {
        const double underflow = squaredDistanceErrorBound(m_space.vectors().cols(), 0.0, 0.0);
        return std::nextafter(static_cast<float>(squared + underflow), kInfinity);
    }

    /// Limits of a block as they are now; they only fall, so that old ones are safe.
    [[nodiscard]] AlignedMatrix copyLimits(std::int64_t block) {
        AlignedMatrix copy(1, kBlock);
        const std::lock_guard lock(lockOf(block));
        std::copy(limits() + block * kBlock, limits() + (block + 1) * kBlock, copy.row(0));
        return copy;
    }

    [[nodiscard]] AlignedMatrix productsOf(const BlockPair& pair) const {
        const std::int64_t columns = sizeOf(pair.second);
        AlignedMatrix products(sizeOf(pair.first), kBlock);
        const RowMatrixF& vectors = m_space.vectors();
        numeric::multiplyTransposed(vectors.row(pair.first * kBlock).data(), products.rows(),
                                    vectors.row(pair.second * kBlock).data(), columns,
                                    vectors.cols(), -2.0F, products.row(0), products.stride());
        for (std::int64_t i = 0; i < products.rows(); ++i) {
            std::fill(products.row(i) + columns, products.row(i) + kBlock, 0.0F);
        }
        return products;
    }

    /// Remembers a vector as near as the limit admits, and tightens the limit.
    void note(std::int64_t of, std::int64_t other, double squared, float& limit,
              std::vector<Improvement>& improvements) const {
        const float tightened = limitFor(squared);
        if (tightened <= limit) {
            limit = tightened;
            improvements.push_back(
                {static_cast<std::int32_t>(of), {squared, static_cast<std::int32_t>(other)}});
        }
    }

    void merge(const BlockPair& pair, const std::vector<Improvement>& improvements) {
        for (const std::int64_t block : {pair.first, pair.second}) {
            const std::lock_guard lock(lockOf(block));
            for (const Improvement& improvement : improvements) {
                if (improvement.of / kBlock == block) {
                    improve(improvement.of, improvement.found);
                }
            }
        }
    }

    /// Takes over a nearer vector, or one as near with a lower row.
    void improve(std::int64_t of, const Closest& found) {
        Closest& closest = m_closest[static_cast<std::size_t>(of)];
        if (found.squared < closest.squared ||
            (found.squared == closest.squared &&
             m_space.rowAt(found.position) < m_space.rowAt(closest.position))) {
            closest = found;
            limits()[of] = limitFor(found.squared);
        }
    }

    const SearchSpace& m_space;
    std::int64_t m_blocks;
    AlignedMatrix m_padded;  ///< squared norms and limits, padded to whole blocks
    std::vector<Closest> m_closest;
    std::vector<std::mutex> m_locks;  ///< of the limits and closest vectors of each block
};

/// Progress of tasks that end in any order.
class SharedProgress {
public:
    SharedProgress(const JobContext& job, std::size_t tasks) : m_job(job), m_tasks(tasks) {}

    void finishTask() {
        const std::lock_guard lock(m_lock);
        ++m_done;
        m_job.progress(static_cast<double>(m_done) / static_cast<double>(m_tasks),
                       "Nearest-neighbour distances");
    }

private:
    const JobContext& m_job;
    std::size_t m_tasks;
    std::mutex m_lock{};
    std::size_t m_done = 0;
};

}  // namespace

Result<ClosestVectors> closestVectors(const SearchSpace& space, int threads,
                                      const JobContext& job) {
    if (space.positions() < 2) {
        return fail(ErrorCode::unsupported,
                    "nearest-neighbour distances: all vectors are equal, there is no distance");
    }
    ClosestSearch search(space);
    search.seed(threads, job);
    const std::vector<BlockPair> pairs = search.blockPairs();
    SharedProgress progress(job, pairs.size());
    parallelFor(static_cast<std::int64_t>(pairs.size()), threads, [&](std::int64_t i) {
        if (!job.stopRequested()) {
            search.compare(pairs[static_cast<std::size_t>(i)]);
            progress.finishTask();
        }
    });
    if (job.stopRequested()) {
        return fail(ErrorCode::cancelled, "cancelled");
    }
    return search.result();
}

}  // namespace epsilens::engine
