#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/error.h"
#include "core/embedding/prepared_embedding.h"
#include "core/mechanism/elliptical_noise.h"
#include "core/mechanism/hyperbolic_noise.h"
#include "core/mechanism/kind.h"
#include "core/metric/metric.h"

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

/// Shape of the noise where one is needed and none was given.
inline constexpr double kDefaultLambda = 0.5;
/// The same for the probability that an output lies beyond the radius of tem.
inline constexpr double kDefaultBeta = 0.001;

/// Values of a grid where none are asked for.
[[nodiscard]] std::vector<double> defaultLambdaGrid();
[[nodiscard]] std::vector<double> defaultBetaGrid();

struct CalibrationOptions {
    mechanism::Kind mechanism = mechanism::Kind::laplace;
    std::vector<double> epsilons{};    ///< each finite, > 0
    std::vector<double> lambdas{0.0};  ///< each in [0, 1]; ignored without a Mahalanobis distance
    metric::Metric metric = metric::Metric::euclidean;  ///< of tem; the others have their own
    std::vector<double> gammas{};                       ///< radii of tem, each finite, >= 0
    /// Without gammas: error probabilities that give them.
    std::vector<double> betas{kDefaultBeta};
    mechanism::RadialLaw law = mechanism::RadialLaw::riemannian;    ///< of hyperbolic
    mechanism::Placement placement = mechanism::Placement::mobius;  ///< of hyperbolic
    WordSelection words{};
    int draws = 100;  ///< R, 1 to 1,000,000
    std::uint64_t seed = 1;
    int nearNeighbours = 100;       ///< K of kept/near/far
    int threads = 0;                ///< 0: all
    bool criticalEpsilons = false;  ///< also compute every draw's critical epsilon
    /// Every word has draws of its own: what it takes to compare words (K_w, deniability), for at
    /// most kMostComparedWords words. Without effect for tem, which draws nothing.
    bool independentDraws = false;
    /// g of deniability, finite, >= 1; of sampled outputs only with independent draws and
    /// R >= kLeastDeniabilityDraws, else a run has none.
    std::optional<double> deniabilityOdds{};
    /// Count the words of largest N_w of every cell again, with fresh draws; see worst_words.h.
    /// Without effect for tem.
    bool rerunWorst = false;
};

inline constexpr std::int64_t kMostComparedWords = 2'000;
inline constexpr int kLeastDeniabilityDraws = 1'000;

/// The lambdas of the grid; a single 0 for a mechanism without.
[[nodiscard]] std::vector<double> lambdasOf(const CalibrationOptions& options);

/// Says what is wrong with options for this embedding, or nothing.
[[nodiscard]] std::optional<Error> validate(const CalibrationOptions& options,
                                            const embedding::PreparedEmbedding& embedding);

/// Default grid: 5 log-spaced epsilons from low / 2 to 2 high, 2 significant digits each.
[[nodiscard]] std::vector<double> defaultEpsilonGrid(double low, double high);

}  // namespace epsilens::calibration
