#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/engine/noise_series.h"
#include "core/engine/selection_draws.h"

namespace epsilens::engine {

/// Words to search under draws [0, draws) of every variant of a series.
struct DrawSweep {
    std::span<const Row> words{};
    DrawSource source{};
    std::int64_t draws = 0;
    /// Distances of a group of words and projections of a chunk of draws take at most this each,
    /// unless a single one takes more.
    std::int64_t scratchBytes = 0;
    int threads = 0;
    std::string_view stage{};                                             ///< of the progress
    std::int64_t wordsAtOnce = std::numeric_limits<std::int64_t>::max();  ///< most of a group
    /// Draws of one word may be visited in any order and at the same time, so that few words keep
    /// all threads busy.
    bool inAnyOrder = false;
};

/// Called with the search of a word under a draw of a variant, several at a time; those of one word
/// one after the other, by rising draw of a variant.
using VisitDraw = std::function<void(DrawSearch& search, std::int64_t word, std::int64_t variant,
                                     std::int64_t draw)>;
/// Called when words [first, first + count), which are those of the batch, have had all draws.
using VisitGroup =
    std::function<void(const SearchBatch& batch, std::int64_t first, std::int64_t count)>;

/// Searches every word under every draw, group by group, in squares of neighbouring words and
/// draws, which look up the same cache lines.
///
/// batch  of the series
/// Fails with cancelled.
[[nodiscard]] Result<void> sweepDraws(const NoiseSeries& series, SearchBatch& batch,
                                      const DrawSweep& sweep, const JobContext& job,
                                      const VisitDraw& visit, const VisitGroup& finished = {});

/// Outputs of some words under R draws of a series of one variant, at each of the given
/// epsilons. Uses the same draws as computePaths.
///
/// epsilons  each in the range of the mechanism
/// Fails with cancelled.
[[nodiscard]] Result<std::vector<SelectionOutputs>> drawOutputs(const NoiseSeries& series,
                                                                std::span<const Row> words,
                                                                std::span<const double> epsilons,
                                                                const SelectionOptions& options,
                                                                const JobContext& job = {});

/// The outputs of R draws of one word as exact functions of epsilon.
using WordPaths = std::vector<DrawPath>;

/// What the draws return at epsilon > 0.
[[nodiscard]] std::vector<Row> outputsAt(const WordPaths& paths, double epsilon);

/// Exact paths of some words, one entry per occurrence, under R draws of a series of one variant,
/// which all words share. Fails with cancelled.
[[nodiscard]] Result<std::vector<WordPaths>> computePaths(const NoiseSeries& series,
                                                          std::span<const Row> words,
                                                          const SelectionOptions& options,
                                                          const JobContext& job = {});

}  // namespace epsilens::engine
