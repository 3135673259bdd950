#pragma once

#include <functional>
#include <vector>

namespace epsilens::test {

/// Of each statistical check of a sampler; the seeds are fixed.
inline constexpr double kFalseAlarmRate = 1e-6;

/// Kolmogorov-Smirnov distance between a sample and a continuous distribution function.
[[nodiscard]] double ksDistance(std::vector<double> sample,
                                const std::function<double(double)>& distribution);

/// Distance that a true hypothesis exceeds with probability `falseAlarmRate`, from the leading term
/// of the Kolmogorov distribution: sqrt(-ln(rate / 2) / (2 n)). Conservative for finite n.
[[nodiscard]] double ksCritical(std::size_t sampleSize, double falseAlarmRate);

/// Two-sided normal quantile: the z with P(|N| > z) = falseAlarmRate.
[[nodiscard]] double normalCritical(double falseAlarmRate);

}  // namespace epsilens::test
