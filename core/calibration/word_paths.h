#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/calibration/options.h"
#include "core/engine/draw_path.h"
#include "core/engine/noise_series.h"

namespace epsilens::calibration {

/// What R draws return for one word, as exact functions of t = 1/epsilon (engine::DrawPath), stored
/// one draw after the other.
struct WordPaths {
    std::vector<std::uint32_t> ends{};      ///< R: where the breaks of each draw end
    std::vector<double> breaks{};           ///< in t, rising within a draw
    std::vector<std::int32_t> positions{};  ///< outputs: each draw has one more than breaks
    /// Rising: the t from which on a draw no longer returns the word; 0 if it never does.
    std::vector<double> leaving{};
    std::vector<Row> neighbours{};  ///< that count as near

    /// Appends a draw.
    void add(const engine::DrawPath& path, Row word, const engine::SearchSpace& space);
    /// The output of every draw at an epsilon; `outputs` has R entries.
    void outputsAt(double epsilon, std::span<std::int32_t> outputs) const;
    /// Draws that return the word at an epsilon.
    [[nodiscard]] std::int64_t keptAt(double epsilon) const;
    [[nodiscard]] std::size_t bytes() const;
};

/// The paths of all words of a run under the draws that calibrate() takes with the same options.
///
/// series  of one variant, with paths
/// words   rows in the order of the run (shuffledIndices)
/// Fails with cancelled, and with resourceLimit when the paths take more than 4 GiB.
[[nodiscard]] Result<std::vector<WordPaths>> gatherPaths(const engine::NoiseSeries& series,
                                                         const CalibrationOptions& options,
                                                         std::span<const Row> words,
                                                         const JobContext& job);

}  // namespace epsilens::calibration
