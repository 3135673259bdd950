#pragma once

#include <cstdint>
#include <span>

namespace epsilens::engine {

/// Sums over a vocabulary of the weights exp(-x), x = min(rate d, cap), of a row of distances.
struct WeightSums {
    double weights = 0.0;    ///< sum of exp(-x)
    double exponents = 0.0;  ///< sum of x exp(-x)
    double distances = 0.0;  ///< sum of d exp(-x)
    double cosines = 0.0;    ///< sum of cos exp(-x); 0 without cosines
    double capped = 0.0;     ///< sum of exp(-x) where x = cap
};

/// Weights with a larger exponent are negligible beside a weight of 1 for any vocabulary; e^-87 is
/// the smallest power that is a normal float32.
inline constexpr float kLargestExponent = 87.0F;

/// Length of a row of `count` distances, cosines or weights: padded to groups of four vectors.
[[nodiscard]] constexpr std::int64_t paddedRowLength(std::int64_t count) {
    constexpr std::int64_t kGroup = 64;
    return (count + kGroup - 1) / kGroup * kGroup;
}

/// Entries that are added up in float32 before float64, and vectors of them at most, whatever the
/// length of a vector.
inline constexpr std::int64_t kFloatSumLength = 256;
inline constexpr std::int64_t kFloatSumVectors = 64;

/// Fills the weights of a row and returns their sums.
///
/// distances  aligned, paddedRowLength(count) entries; those after `count` are ignored
/// cosines    as distances, or null; entries after `count` must be finite
/// rate       >= 0, finite
/// cap        in [0, kLargestExponent]
/// weights    as distances; set to 0 after `count`
/// A weight has the relative error of exp at a float32 x, (3 x + 2) 2^-24 to first order. Sums are
/// formed in float32 over at most kFloatSumLength entries in kFloatSumVectors vectors, whose at
/// most 16 lanes are added one to another, and beyond that in float64.
[[nodiscard]] WeightSums exponentialWeights(const float* distances, const float* cosines,
                                            std::int64_t count, float rate, float cap,
                                            float* weights);

/// The sum of the weights alone, with the same errors: of rows whose weights are not needed.
[[nodiscard]] double exponentialSum(const float* distances, std::int64_t count, float rate,
                                    float cap);

/// Expected number of distinct words in `draws` draws with probabilities weights / total:
///   sum_u 1 - (1 - p_u)^R,
/// by doubling, q_2n = q_n (2 - q_n) and q_(n+1) = q_n + p (1 - q_n), without cancellation.
///
/// weights  as filled by exponentialWeights
/// draws    R >= 1
/// A term has a relative error of at most (4 log2 R + 4) 2^-24.
[[nodiscard]] double expectedDistinct(const float* weights, std::int64_t count, double total,
                                      int draws);

/// Sets powers[i] = exp(-rate values[i]) in float64.
///
/// values  with rate * values >= 0, finite
/// powers  as many
/// The relative error is below 2^-50, beside that of the product, up to exponents of 700; smaller
/// powers have that of denormal numbers and end at 0.
void exponentials(std::span<const double> values, double rate, std::span<double> powers);

}  // namespace epsilens::engine
