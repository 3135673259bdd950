#pragma once

#include <array>
#include <optional>
#include <span>

namespace epsilens::calibration {

/// Half the width of a 95% interval of a normal distribution, in standard deviations.
inline constexpr double kNormal95 = 1.96;

/// Low and high end of a 95% interval; nothing where there is none.
using Interval = std::optional<std::array<double, 2>>;

/// A statistic over the words of a run.
struct Summary {
    double mean = 0.0;
    double sd = 0.0;                 ///< divisor n
    std::optional<double> sdTrue{};  ///< standard deviation without sampling noise (N_w only)
    Interval ci95{};                 ///< of the mean; none for n = 1 or R = 1
    double min = 0.0;
    double p1 = 0.0;  ///< percentiles: Hyndman-Fan type 7
    double p5 = 0.0;
    double p25 = 0.0;
    double p50 = 0.0;
    double p75 = 0.0;
    double p95 = 0.0;
    double p99 = 0.0;
    double max = 0.0;

    /// The stored percentile with this number: 1, 5, 25, 50, 75, 95 or 99.
    [[nodiscard]] double percentile(int percent) const;
};

/// What every summary has: mean and sd, then the values of words from the least to the largest.
inline constexpr std::array kSummaryValues{
    &Summary::mean, &Summary::sd,  &Summary::min, &Summary::p1,  &Summary::p5, &Summary::p25,
    &Summary::p50,  &Summary::p75, &Summary::p95, &Summary::p99, &Summary::max};

/// Mean, sd, percentiles and extremes of one or more finite values. Leaves sdTrue and ci95 empty.
[[nodiscard]] Summary summarize(std::span<const float> values);
[[nodiscard]] Summary summarize(std::span<const double> values);

/// Standard errors of means over words whose draws are shared within blocks. Words of one block see
/// the same noise, so their statistics are correlated; blocks are independent.

/// Variance that a block adds to the mean of a per-draw statistic (N_w):
///   (n_g)^2 sum_j (x_gj - x_g)^2 / (R (R - 1)),  x_gj the mean contribution of draw j over the
///   block.
///
/// sums  R sums over the block's words of the contribution of each draw; R >= 2
/// V_mc is the total over blocks divided by n^2.
[[nodiscard]] double contributionVariance(std::span<const double> sums);

/// The same by the jackknife for a statistic of all draws (S_w, entropies):
///   (n_g)^2 (R - 1)/R sum_j (T_g(-j) - mean)^2
///
/// sums  R sums over the block's words of the statistic without draw j; R >= 2
[[nodiscard]] double jackknifeVariance(std::span<const double> sums);

struct MeanError {
    double standardError = 0.0;
    double sdTrue = 0.0;  ///< spread of the true values, without sampling noise
};

/// Error of the mean of N_w / R.
///   s^2 = sum_w (x_w - x)^2 / (n-1),  v = mean_w x_w (1 - x_w) / (R-1),  c = (n V_mc - v) / (n-1)
///   SE^2 = (1-f) max(0, s^2 - v + c) / n + V_mc,   sdTrue = sqrt(max(0, s^2 - v + c))
///
/// shares          N_w / R of each of n >= 2 words
/// sharedVariance  V_mc
/// sampledShare    f = n / V
/// draws           R >= 2
[[nodiscard]] MeanError shareError(std::span<const float> counts, int draws, double sharedVariance,
                                   double sampledShare);

/// Standard error of the mean of a statistic whose V_mc comes from the jackknife:
///   SE^2 = (1-f) s^2 / n + V_mc.   n >= 2
[[nodiscard]] double jackknifeError(std::span<const float> values, double sharedVariance,
                                    double sampledShare);

/// Upper 95% confidence bound of a share that had no hit in `draws` draws: 1 - 0.05^(1/R), about
/// 3/R.
///
/// draws  R >= 1
/// Source: Clopper and Pearson 1934, one-sided.
[[nodiscard]] double largestShareOfNone(int draws);

}  // namespace epsilens::calibration
