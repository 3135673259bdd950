#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/engine/noise_series.h"

namespace epsilens::engine {

/// Outputs of several words under several draws as exact functions of epsilon.
///
/// In t = 1/epsilon the squared distances to the noisy point are lines; the output is their lower
/// envelope, constant between breaks. At t -> 0 the output is the word itself (or the lowest row
/// with an identical vector).
class PathTable {
public:
    PathTable(std::vector<Row> words, int draws);

    [[nodiscard]] std::span<const Row> words() const { return m_words; }
    [[nodiscard]] int draws() const { return m_draws; }

    /// The word returned for words()[word] by a draw at epsilon > 0. word in [0, words().size()),
    /// draw in [0, draws()).
    [[nodiscard]] Row output(std::size_t word, int draw, double epsilon) const;
    /// Smallest epsilon from which on the draw returns the word itself: 0 if it always does,
    /// infinite if it never does (because an identical lower row exists).
    [[nodiscard]] double criticalEpsilon(std::size_t word, int draw) const;

    void set(std::size_t word, int draw, DrawPath path);

private:
    [[nodiscard]] const DrawPath& path(std::size_t word, int draw) const;

    std::vector<Row> m_words;
    int m_draws;
    std::vector<DrawPath> m_paths;
};

struct PathOptions {
    std::vector<Row> words{};  ///< one entry per occurrence; distinct words save work
    int draws = 100;           ///< R, shared by all words
    std::uint64_t seed = 1;
    int threads = 0;
};

/// Exact paths of every (word, draw) of a series of one variant. Fails with cancelled.
[[nodiscard]] Result<PathTable> computePaths(const NoiseSeries& series, const PathOptions& options,
                                             const JobContext& job = {});

}  // namespace epsilens::engine
