#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/crew.h"
#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/calibration/options.h"
#include "core/calibration/summary.h"
#include "core/engine/search_space.h"
#include "core/mechanism/mechanism.h"

namespace epsilens::calibration {

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

/// g-deniability over the words of a run: estimated from independent draws, exact for TEM.
struct Deniability {
    double odds = 0.0;       ///< g
    Summary sizes{};         ///< of the sets, over the words that have a value
    std::int64_t words = 0;  ///< that have one: sampled, those with an output seen often enough
    double share = 0.0;      ///< mean share of these words' outputs that were seen often enough
};

/// One (epsilon, lambda), for TEM one (epsilon, lambda, gamma or beta).
struct CellSetting {
    double epsilon = 0.0;
    double lambda = 0.0;
    std::optional<double> gamma{};  ///< radius of TEM
    std::optional<double> beta{};   ///< error probability from which it follows, if it does
};

/// Results of one setting. Sampled by the noise mechanisms; expectations, exact up to
/// relativeError, for TEM.
struct Cell : CellSetting {
    Summary nw{};              ///< N_w, counts out of R
    Summary sw{};              ///< S_w, counts out of R
    Summary minEntropy{};      ///< H_inf in bits; plug-in where sampled
    Summary shannonEntropy{};  ///< in bits; plug-in where sampled
    Summary hartleyEntropy{};  ///< H_0 = log2 S_w in bits
    /// K_w: least number of words of the run that share an output of w; only with independent
    /// draws.
    std::optional<Summary> kw{};
    std::optional<Deniability> deniability{};
    /// Only where asked for; never where results are exact.
    std::optional<WorstWords> worst{};
    /// Mean Good-Turing coverage 1 - f1/R of sampled outputs.
    std::optional<double> coverage{};
    double kept = 0.0;  ///< shares of all outputs
    double near = 0.0;
    double far = 0.0;
    /// E d(w, M(w)), in the metric of TEM, Euclidean for the noise mechanisms.
    double meanDistance = 0.0;
    std::optional<double> meanCosine{};  ///< over outputs where both vectors are non-zero
    /// Bound on the relative rounding error of any word's N_w and S_w, where they are exact.
    std::optional<double> relativeError{};
};

/// Per-word values, words x cells, row-major by word in the order of `words`.
struct WordTable {
    std::vector<Row> words{};
    std::size_t cells = 0;
    std::vector<double> nw{};  ///< whole numbers where they are sampled
    std::vector<double> sw{};
    std::vector<float> near{};  ///< share of outputs among the K nearest neighbours, in [0, 1]
    /// words x (cells / epsilons): median over draws of the critical epsilon, for TEM the epsilon
    /// at which p(w|w) = 1/2; empty unless asked for.
    std::vector<float> criticalEpsilonMedian{};
};

/// What a run was asked for, how much of it was done, and its results.
struct CalibrationSummary {
    /// As it was asked for; unused parameters and values are left out.
    mechanism::Grid grid{};
    std::int64_t words = 0;  ///< finished words
    std::int64_t wordsAsked = 0;
    int draws = 0;
    std::uint64_t seed = 0;
    int threads = 0;
    int nearNeighbours = 0;
    std::int64_t blockSize = 0;     ///< words that share draws; 0 for tem, which draws nothing
    bool independentDraws = false;  ///< every word had draws of its own, because it was asked for
    std::int64_t substitutions = 0;
    bool partial = false;  ///< cancelled before all words were done
    double seconds = 0.0;
    /// lambda-major: all epsilons of the first lambda (and of its first gamma or beta) first
    std::vector<Cell> cells{};
    std::vector<mechanism::Guarantee> guarantees{};  ///< one per cell, same order
    WordTable perWord{};

    /// Whether cells hold expectations from the output law instead of sampled outputs.
    [[nodiscard]] bool isExact() const { return grid.mechanism.isExact(); }
};

/// Runs the grid. A cancelled run with at least one finished block returns a partial summary; with
/// none it fails with cancelled. Fails as validate does, and with resourceLimit when the results
/// need more memory than is free.
///
/// crew  processes that share the blocks of words, all of which have the results: those of one
///       process alone, bit by bit, but for seconds and threads; null: this one alone
[[nodiscard]] Result<CalibrationSummary> calibrate(const engine::SearchSpace& space,
                                                   const CalibrationOptions& options,
                                                   const JobContext& job = {},
                                                   Crew* crew = nullptr);

/// About how many bytes the results of a run take, and what grows with its draws.
///
/// words  number of words measured
[[nodiscard]] double resultBytes(const CalibrationOptions& options, std::int64_t words);

}  // namespace epsilens::calibration
