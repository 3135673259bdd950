#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/embedding/prepared_embedding.h"
#include "core/engine/epsilon_range.h"
#include "core/engine/search_space.h"
#include "core/mechanism/mechanism.h"

namespace epsilens::calibration {

using embedding::Row;

/// The words over which statistics are taken; candidates are always the whole vocabulary.
struct WordSelection {
    enum class Kind { all, random, list };
    Kind kind = Kind::random;
    std::int64_t count = 500;  ///< of random words, drawn without replacement from the seed
    std::vector<Row> rows{};   ///< of a list

    [[nodiscard]] bool operator==(const WordSelection&) const = default;
};

/// Rows of a selection in rising order. Fails with invalidArgument for an empty or impossible one.
[[nodiscard]] Result<std::vector<Row>> selectWords(const WordSelection& selection,
                                                   std::int64_t vocabularySize, std::uint64_t seed);

/// Values of a grid where none are asked for.
[[nodiscard]] std::vector<double> defaultLambdaGrid();
[[nodiscard]] std::vector<double> defaultBetaGrid();

/// The words and draws of a measurement.
struct Sampling {
    WordSelection words{};
    int draws = 100;  ///< R, 1 to 1,000,000
    std::uint64_t seed = 1;
    int nearNeighbours = 100;  ///< K of kept/near/far
    int threads = 0;           ///< 0: all
    /// Every word has draws of its own: what it takes to compare words (K_w, deniability), for at
    /// most kMostComparedWords words. Without effect for tem, which draws nothing.
    bool independentDraws = false;
    /// Words that share their draws: part of the result, so that repeating a run takes it from the
    /// run. 0: by the rule of blockSize(). Without effect for independent draws and for tem.
    std::int64_t blockSize = 0;
};

/// Number of words that share their draws: clamp(n / 20 rounded up, 64, 1024) unless the options
/// set it, at most n, and 1 for independent draws. Part of the result, so it depends on the words
/// of the run alone. Draws of a block are projected on the whole vocabulary, which larger blocks do
/// less often; at least 20 blocks keep the intervals narrow.
[[nodiscard]] std::int64_t blockSize(std::int64_t words, const Sampling& options = {});
[[nodiscard]] std::int64_t blockCount(std::int64_t words, const Sampling& options);

struct CalibrationOptions : Sampling {
    mechanism::Grid grid{};
    /// The epsilons of the grid are dense points of its axis, whose results stand for those between
    /// them, instead of values that somebody chose. Only of mechanisms with paths; changes no
    /// result.
    bool epsilonAxis = false;
    bool criticalEpsilons = false;  ///< also compute the median critical epsilon of words
    /// g of deniability, finite, >= 1; of sampled outputs only with independent draws and
    /// R >= kLeastDeniabilityDraws, else a run has none.
    std::optional<double> deniabilityOdds{};
    /// Count the words of largest N_w of every cell again, with fresh draws; see WorstWords.
    /// Without effect for tem.
    bool rerunWorst = false;
};

inline constexpr std::int64_t kMostComparedWords = 2'000;
inline constexpr int kLeastDeniabilityDraws = 1'000;
/// Most that a measurement keeps, and a search adds to it.
inline constexpr std::uint64_t kMostMeasurementBytes = std::uint64_t{4} << 30;

/// The rows that options measure on this embedding, rising. Fails where it does not admit them.
[[nodiscard]] Result<std::vector<Row>> validate(const CalibrationOptions& options,
                                                const embedding::PreparedEmbedding& embedding);

/// Fails with unsupported where options cannot ask for the whole axis of epsilon.
[[nodiscard]] Result<void> validateAxis(const CalibrationOptions& options);

/// Where the interesting epsilons of a mechanism lie: critical epsilons of 200 random words, over
/// all radii of the options and at that lambda of them which is nearest to kDefaultLambda, so that
/// a grid around the setting of the controls has their range. Epsilons of the options do not
/// matter.
///
/// Riemannian hyperbolic noise exists above m - 1 only and suggests m - 1 + 10. Fails as the
/// mechanism's create.
[[nodiscard]] Result<engine::EpsilonRange> estimateRange(const engine::SearchSpace& space,
                                                         const CalibrationOptions& options,
                                                         const JobContext& job = {});

/// Default grid: 5 log-spaced epsilons from low / 2 to 2 high, 2 significant digits each.
[[nodiscard]] std::vector<double> defaultEpsilonGrid(double low, double high);

/// Epsilons of a grid where none are asked for: defaultEpsilonGrid of the range; for riemannian
/// noise m - 1 + {1, 5, 10, 20, 40}.
[[nodiscard]] std::vector<double> defaultEpsilons(const engine::SearchSpace& space,
                                                  const CalibrationOptions& options,
                                                  const engine::EpsilonRange& range);

/// Number of points of the axis of epsilon: by default, and the range.
inline constexpr int kAxisPoints = 200;
inline constexpr int kFewestAxisPoints = 2;
inline constexpr int kMostAxisPoints = 10'000;

/// Points of the axis of epsilon, in equal steps of log(epsilon - origin): from half the smallest
/// to twice the largest of the default epsilons, both counted from the origin. Six significant
/// digits above the origin each.
///
/// points  kFewestAxisPoints to kMostAxisPoints
[[nodiscard]] std::vector<double> axisEpsilons(const engine::SearchSpace& space,
                                               const CalibrationOptions& options,
                                               const engine::EpsilonRange& range, int points);

}  // namespace epsilens::calibration
