#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/calibration/exact_kept.h"
#include "core/calibration/options.h"
#include "core/calibration/word_steps.h"
#include "core/engine/search_space.h"

namespace epsilens::calibration {

/// A count of the draws of each word, N_w or S_w, over the words of a run at every epsilon,
/// exactly: all of its steps are known. Does not need the steps of the words any more.
class ExactCounts {
public:
    /// What is counted; changes by at most 1 with every change of a draw.
    using Count = int (StepTally::*)() const;

    /// words  at least one
    ExactCounts(std::span<const WordSteps> words, const CountLogs& logs, Count count);

    /// Mean, percentiles and extremes over the words at each epsilon, in the order asked for;
    /// intervals stay empty.
    ///
    /// epsilons  each > 0
    [[nodiscard]] std::vector<CurvePoint> at(std::span<const double> epsilons) const;
    /// The epsilons at which the count of some word changes, falling. At the epsilon itself the
    /// count is that of smaller epsilons.
    [[nodiscard]] std::vector<double> changes() const;
    [[nodiscard]] std::size_t bytes() const;

private:
    void apply(std::size_t move, std::vector<std::int64_t>& histogram) const;
    [[nodiscard]] statistics::Summary summaryAfter(std::size_t moves) const;

    std::size_t m_counts;                  ///< that a word can have: R + 1
    std::size_t m_movesPerHistogram;       ///< histograms are kept every so many moves
    std::vector<double> m_t{};             ///< 1 / epsilon of each move, rising
    std::vector<std::uint32_t> m_moves{};  ///< twice the count of a word before, + 1 where it rises
    std::vector<std::int64_t> m_histograms{};  ///< words by count, one histogram after another
};

/// N_w and S_w of one setting of a run.
struct ExactCurve {
    ExactCounts kept;
    ExactCounts distinct;
};
using ExactCurveHandle = std::shared_ptr<const ExactCurve>;

/// Whether N_w and S_w at every epsilon of a run take at most 512 MiB, as far as is known before.
[[nodiscard]] bool exactCountsFit(const engine::SearchSpace& space,
                                  const CalibrationOptions& options);

/// N_w and S_w at every epsilon under the draws of calibrate() with the same options, one curve per
/// lambda. Its epsilons do not matter.
///
/// options  of a mechanism with paths
/// Fails as validate says, with cancelled, and with resourceLimit as gatherSteps.
[[nodiscard]] Result<std::vector<ExactCurveHandle>> measureExactly(
    const engine::SearchSpace& space, const CalibrationOptions& options,
    const JobContext& job = {});

}  // namespace epsilens::calibration
