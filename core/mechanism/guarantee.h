#pragma once

#include <array>
#include <optional>
#include <string>

#include "core/metric/metric.h"

namespace epsilens::mechanism {

using metric::Metric;
using metric::metricName;

/// What a mechanism at one setting really promises:
///   Pr[M(w) = u] <= exp(bound d(w, w')) Pr[M(w') = u]   for all words w, w', u.
struct Guarantee {
    double epsilon = 0.0;
    double lambda = 0.0;
    std::optional<double> gamma{};  ///< radius beyond which the loss no longer grows (TEM)
    Metric metric = Metric::euclidean;
    std::optional<double> bound{};  ///< factor of the metric; none when nothing is guaranteed
    std::optional<double> cap{};    ///< largest total loss, where there is one
    std::string statement{};        ///< formula, such as "ε·‖·‖_RM"
    std::string scope = "per word occurrence";
    /// Factors of the Euclidean distance that enclose the loss bound (Lemma 3 of Xu et al. 2020
    /// with the true extreme eigenvalues): only the second is a guarantee.
    std::optional<std::array<double, 2>> euclidean{};
};

/// exp(bound * distance): the factor by which seeing the output can change the odds of one word
/// against another, in either direction. Infinite when it exceeds the range of double.
[[nodiscard]] double oddsFactor(double bound, double distance);

}  // namespace epsilens::mechanism
