#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <vector>

#include "core/base/parallel.h"
#include "core/calibration/block_run.h"
#include "core/calibration/calibrate.h"
#include "core/engine/aligned_matrix.h"
#include "core/engine/exponential_kernel.h"
#include "core/engine/score_kernel.h"
#include "core/io/memory_limit.h"
#include "core/numeric/matrix_product.h"
#include "core/statistics/exact_statistics.h"

namespace epsilens::calibration {
namespace {

// Speed of one thread of this machine.
struct Rates {
    double secondsPerMultiplyAdd = 0.0;
    double secondsPerScore = 0.0;
    double secondsPerWeight = 0.0;  ///< of a selection mechanism, with its share of S_w
};

template <typename Work>
double leastSeconds(Work work) {
    double least = 1e9;
    for (int repeat = 0; repeat < 3; ++repeat) {
        const auto start = std::chrono::steady_clock::now();
        work();
        least = std::min(
            least, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    return least;
}

double measureSecondsPerWeight(const engine::AlignedMatrix& distances) {
    constexpr int kRows = 16;
    constexpr int kDraws = 100;
    engine::AlignedMatrix weights(1, distances.stride());
    return leastSeconds([&] {
               for (int row = 0; row < kRows; ++row) {
                   const engine::WeightSums sums = engine::exponentialWeights(
                       distances.row(0), nullptr, distances.stride(), 0.01F, 17.0F, weights.row(0));
                   static_cast<void>(engine::expectedDistinct(weights.row(0), distances.stride(),
                                                              sums.weights, kDraws));
               }
           }) /
           static_cast<double>(kRows * distances.stride());
}

Rates measureRates() {
    constexpr std::int64_t kRows = 64;
    constexpr std::int64_t kColumns = 2048;
    constexpr std::int64_t kInner = 256;
    const std::vector<float> a(kRows * kInner, 0.5F);
    const std::vector<float> b(kColumns * kInner, 0.25F);
    engine::AlignedMatrix product(kRows, kColumns);
    Rates rates;
    rates.secondsPerMultiplyAdd =
        leastSeconds([&] {
            numeric::multiplyTransposed(a.data(), kRows, b.data(), kColumns, kInner, 1.0F,
                                        product.row(0), kColumns);
        }) /
        static_cast<double>(kRows * kColumns * kInner);
    // Bounds too low to pass over a tile, scores too high to keep: every tile is looked into.
    constexpr std::int64_t kTiles = kColumns / engine::kTileWidth;
    engine::AlignedMatrix bounds(1, engine::boundCount(kTiles));
    std::fill(bounds.row(0), bounds.row(0) + bounds.stride(), 0.0F);
    engine::ScoreRows<float> rows;
    rows.a = product.row(0);
    rows.p = product.row(0);
    rows.leastA = bounds.row(0);
    rows.largestP = bounds.row(0);
    rows.tiles = kTiles;
    engine::Candidates<float> found;
    constexpr int kSearches = 64;
    rates.secondsPerScore =
        leastSeconds([&] {
            for (int search = 0; search < kSearches; ++search) {
                engine::searchTiles(rows, engine::ScoreWeights{1.0, 0.5, 0.0}, 0.0F, 0.0F, found);
            }
        }) /
        static_cast<double>(kSearches * kColumns);
    rates.secondsPerWeight = measureSecondsPerWeight(product);
    return rates;
}

const Rates& ratesOfThisMachine() {
    static const Rates rates = measureRates();
    return rates;
}

/// The whole number of a value >= 0; the largest one where it is beyond.
template <typename Integer>
Integer saturated(double value) {
    constexpr Integer kLargest = std::numeric_limits<Integer>::max();
    return value < static_cast<double>(kLargest) ? static_cast<Integer>(value) : kLargest;
}

double threadsUsed(const CalibrationOptions& options) {
    const int threads = options.threads > 0 ? options.threads : defaultThreadCount();
    return std::min(threads, defaultThreadCount());
}

CostEstimate noiseCost(const engine::SearchSpace& space, const CalibrationOptions& options,
                       std::int64_t n) {
    const Rates& rates = ratesOfThisMachine();
    const auto lambdas = static_cast<double>(options.grid.usedLambdas().size());
    const double pairs = static_cast<double>(n) * options.draws * lambdas;
    const double positions = static_cast<double>(space.paddedPositions());
    const double blocks =
        std::ceil(static_cast<double>(n) / static_cast<double>(blockSize(n, options)));
    const double products = (static_cast<double>(n) + blocks * options.draws * lambdas) *
                            positions * static_cast<double>(space.vectors().cols());
    // A critical value takes about four searches at one epsilon each.
    const double searches =
        static_cast<double>(options.grid.epsilons.size()) + (options.criticalEpsilons ? 4.0 : 0.0);
    // Share of scores a search computes, bounds included, on real embeddings.
    constexpr double kLookedInto = 0.05;
    constexpr double kSecondsPerSubstitution = 1.5e-7;  // decision and counting
    double seconds = products * rates.secondsPerMultiplyAdd +
                     pairs * searches * positions * kLookedInto * rates.secondsPerScore +
                     pairs * searches * kSecondsPerSubstitution;
    if (options.rerunWorst) {
        const double cells = lambdas * static_cast<double>(options.grid.epsilons.size());
        const double again =
            cells * kRerunDraws *
            static_cast<double>(std::min<std::int64_t>(n, std::int64_t{kRerunWords}));
        seconds +=
            lambdas * kRerunDraws * positions * static_cast<double>(space.vectors().cols()) *
                rates.secondsPerMultiplyAdd +
            again * (positions * kLookedInto * rates.secondsPerScore + kSecondsPerSubstitution);
    }

    CostEstimate cost;
    cost.words = n;
    cost.substitutions =
        saturated<std::int64_t>(pairs * static_cast<double>(options.grid.epsilons.size()));
    cost.seconds = seconds / threadsUsed(options);
    const double perWord =
        lambdas * (static_cast<double>(options.grid.epsilons.size()) * 9.0 * 4.0 +
                   (options.criticalEpsilons ? 16.0 * options.draws : 0.0));
    // The outputs of a word and the sums of each draw, of two tasks at a time.
    const double cells = lambdas * static_cast<double>(options.grid.epsilons.size());
    constexpr double kBytesPerDraw = 2.0 * (5.0 * sizeof(double) + sizeof(std::int32_t));
    cost.bytes = saturated<std::uint64_t>(
        static_cast<double>(n) * perWord +
        cells * (static_cast<double>(sizeof(Cell)) + options.draws * kBytesPerDraw) +
        (options.independentDraws
             ? static_cast<double>(pairs) * static_cast<double>(options.grid.epsilons.size()) *
                   static_cast<double>(sizeof(statistics::CountedOutput))
             : 0.0));
    return cost;
}

// Two passes over all pairs with distances in float64, and a sort of every column.
double exactDeniabilitySeconds(const embedding::PreparedEmbedding& embedding) {
    constexpr double kMultiplyAddsPerDimension = 20.0;  // of the float32 product, in the same time
    constexpr double kSecondsPerSorted = 1.0e-7;
    const auto words = static_cast<double>(embedding.wordCount());
    return words * words *
           (2.0 * static_cast<double>(embedding.dimensions()) * kMultiplyAddsPerDimension *
                ratesOfThisMachine().secondsPerMultiplyAdd +
            kSecondsPerSorted);
}

CostEstimate temCost(const engine::SearchSpace& space, const CalibrationOptions& options,
                     std::int64_t n) {
    const Rates& rates = ratesOfThisMachine();
    const auto lambdas = static_cast<double>(options.grid.usedLambdas().size());
    const double columns =
        lambdas * static_cast<double>(options.grid.gammas.empty() ? options.grid.betas.size()
                                                                  : options.grid.gammas.size());
    const double cells = columns * static_cast<double>(options.grid.epsilons.size());
    const auto words = static_cast<double>(n);
    const double pairs = words * static_cast<double>(space.embedding().wordCount());
    const bool hasCosinesOfItsOwn =
        options.grid.mechanism.metric() == metric::Metric::mahalanobis ||
        options.grid.mechanism.metric() == metric::Metric::poincare;
    const double products = (lambdas + (hasCosinesOfItsOwn ? 1.0 : 0.0)) * pairs *
                            static_cast<double>(space.embedding().dimensions());
    // A critical value takes about ten sums.
    const double sums = cells + (options.criticalEpsilons ? 10.0 * columns : 0.0);
    // Forming distances, and finding neighbours among them, takes as long as two sums.
    double seconds = products * rates.secondsPerMultiplyAdd +
                     pairs * (sums + 2.0 * lambdas) * rates.secondsPerWeight;
    if (options.deniabilityOdds) {
        seconds += cells * exactDeniabilitySeconds(space.embedding());
    }
    CostEstimate cost;
    cost.words = n;
    cost.seconds = seconds / threadsUsed(options);
    cost.bytes = saturated<std::uint64_t>(
        cells * (static_cast<double>(sizeof(Cell)) +
                 words * static_cast<double>(sizeof(statistics::ExactStatistics))));
    return cost;
}

}  // namespace

Result<CostEstimate> estimateCost(const engine::SearchSpace& space,
                                  const CalibrationOptions& options) {
    if (auto error = validate(options, space.embedding())) {
        return tl::unexpected(*error);
    }
    const auto words = selectWords(options.words, space.embedding().wordCount(), options.seed);
    const auto n = static_cast<std::int64_t>(words->size());
    const CostEstimate cost = options.grid.mechanism.isExact() ? temCost(space, options, n)
                                                               : noiseCost(space, options, n);
    const io::MemoryBudget budget(0);
    if (auto fits = budget.check(static_cast<double>(cost.bytes), "the results",
                                 "ask for fewer words, draws or values in the grid");
        !fits) {
        return tl::unexpected(std::move(fits.error()));
    }
    return cost;
}

}  // namespace epsilens::calibration
