#pragma once

#include <array>
#include <optional>
#include <span>

namespace epsilens::calibration {

/// Half the width of a 95% interval of a normal distribution, in standard deviations.
inline constexpr double kNormal95 = 1.96;

/// A statistic over the words of a run.
struct Summary {
    double mean = 0.0;
    double sd = 0.0;                 ///< divisor n
    std::optional<double> sdTrue{};  ///< standard deviation without sampling noise (N_w only)
    std::optional<std::array<double, 2>> ci95{};  ///< of the mean; none for n = 1 or R = 1
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

/// Mean, sd, percentiles and extremes of one or more finite values. Leaves sdTrue and ci95 empty.
[[nodiscard]] Summary summarize(std::span<const float> values);
[[nodiscard]] Summary summarize(std::span<const double> values);

}  // namespace epsilens::calibration
