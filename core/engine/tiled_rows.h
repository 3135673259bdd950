#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>

#include "core/base/job_context.h"
#include "core/base/parallel.h"
#include "core/engine/aligned_matrix.h"
#include "core/engine/score_kernel.h"
#include "core/engine/search_space.h"

namespace epsilens::engine {

/// Rows of a matrix over all positions, with bounds of their tiles and groups.
struct TiledRows {
    AlignedMatrixOf<double> values{};  ///< rows x paddedPositions()
    AlignedMatrixOf<double> bounds{};  ///< rows x boundCount(): least or largest values

    /// Allocates rows over a space. Memory of the same shape is reused, because new pages cost as
    /// much as filling them.
    void reshape(const SearchSpace& space, std::int64_t rows) {
        if (values.rows() != rows || values.stride() != space.paddedPositions()) {
            *this = {};
            *this = {AlignedMatrixOf<double>(rows, space.paddedPositions()),
                     AlignedMatrixOf<double>(rows, boundCount(space.tiles()))};
        }
    }

    /// Pads every row after its last position and computes its bounds; undefined if stopped.
    ///
    /// bound  leastBounds or largestBounds
    void finish(const SearchSpace& space, double padding, int threads, const JobContext& job,
                void (*bound)(const double*, std::int64_t, double*)) {
        parallelFor(values.rows(), threads, [&](std::int64_t row) {
            if (job.stopRequested()) {
                return;
            }
            double* start = values.row(row);
            std::fill(start + space.positions(), start + values.stride(), padding);
            bound(start, space.tiles(), bounds.row(row));
        });
    }
};

/// Calls body(first, count) in parallel for slabs of positions that cover the space. Their width is
/// fixed, so that matrix products over them do not depend on threads. Ends early if the job is
/// stopped.
inline void forEachSlab(const SearchSpace& space, int threads, const JobContext& job,
                        const std::function<void(std::int64_t, std::int64_t)>& body) {
    constexpr std::int64_t kSlabWidth = 2048;
    const std::int64_t slabs = (space.positions() + kSlabWidth - 1) / kSlabWidth;
    parallelFor(slabs, threads, [&](std::int64_t slab) {
        if (job.stopRequested()) {
            return;
        }
        const std::int64_t first = slab * kSlabWidth;
        body(first, std::min(kSlabWidth, space.positions() - first));
    });
}

}  // namespace epsilens::engine
