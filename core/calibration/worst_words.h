#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/job_context.h"
#include "core/calibration/options.h"
#include "core/engine/noise_series.h"

namespace epsilens::calibration {

struct CalibrationSummary;

inline constexpr int kRerunDraws = 10'000;
inline constexpr std::size_t kRerunWords = 20;

/// A word that was kept most often in a run, counted again.
struct RerunWord {
    Row row = 0;
    std::string word{};
    double nw = 0.0;        ///< N_w of the run, out of its R
    std::int64_t kept = 0;  ///< of the fresh draws
};

/// The words of one cell with the largest N_w, each with fresh draws: the largest of many sampled
/// counts is too large on average, a second count of the same words is not.
struct WorstWords {
    int draws = 0;                   ///< fresh ones of each word
    std::vector<RerunWord> words{};  ///< falling N_w of the run, ties by lower row

    /// Largest share of the fresh draws that kept a word; 0 without words.
    [[nodiscard]] double largestShare() const;
};

/// Counts the kRerunWords words of largest N_w of every cell again, with kRerunDraws draws that no
/// run uses. A stopped job leaves the cells without and marks the summary partial.
///
/// series   with the variants of the summary, one per lambda
/// options  of the run that made the summary
void rerunWorstWords(const engine::NoiseSeries& series, const CalibrationOptions& options,
                     CalibrationSummary& summary, const JobContext& job);

}  // namespace epsilens::calibration
