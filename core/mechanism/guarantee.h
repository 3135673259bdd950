#pragma once

#include <array>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <Eigen/Core>

#include "core/base/error.h"
#include "core/embedding/prepared_embedding.h"
#include "core/mechanism/parameters.h"
#include "core/metric/metric.h"
#include "core/metric/word_metric.h"

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
    double bound = 0.0;           ///< factor of the metric
    std::optional<double> cap{};  ///< largest total loss, where there is one
    std::string statement{};      ///< formula, such as "ε·‖·‖_RM"
    std::string scope = "per word occurrence";
    /// Factors of the Euclidean distance that enclose the loss bound (Lemma 3 of Xu et al. 2020
    /// with the true extreme eigenvalues): only the second is a guarantee.
    std::optional<std::array<double, 2>> euclidean{};
};

/// The largest factor of odds that is still worth naming; above it there is no useful bound.
inline constexpr double kLargestUsefulFactor = 1e6;

/// Largest log ratio that a guarantee admits for two words: bound * distance, but at most the cap.
///
/// distance  of the words in the guarantee's own metric, >= 0
[[nodiscard]] double pairLoss(const Guarantee& guarantee, double distance);

/// Distance within which the odds change by at most the given factor, ln(odds) / bound: infinite
/// when the cap alone holds them there.
///
/// odds  finite, > 1
/// Fails with invalidArgument outside the range.
/// Source: the radius of high protection of Feyisetan, Diethe, Drake 2019, VI-C.
[[nodiscard]] Result<double> protectionRadius(const Guarantee& guarantee, double odds);

/// The guarantee as one sentence with its constant, metric and scope.
///
/// hasStopWords  some words are left as they are: the guarantee is not of them
[[nodiscard]] std::string guaranteeSentence(const Guarantee& guarantee, bool hasStopWords = false);

/// What no mechanism that replaces words one by one protects.
[[nodiscard]] std::span<const std::string_view> notCovered();

/// The guarantee of a mechanism as far as it follows from its parameters: all but the Euclidean
/// factors of a Mahalanobis distance, which depend on the vectors.
///
///   bound  epsilon; epsilon + m for the law eq7
///   cap    epsilon gamma, where there is a gamma and the product is finite
///
/// parameters  those that the mechanism has; beta is without effect
/// metric      of the guarantee
/// epsilon     per unit of the metric, finite, > 0
/// dimensions  m; of the law eq7 only
/// Derivations: elliptical_noise.md, truncated_exponential.md, hyperbolic_noise.md
[[nodiscard]] Guarantee guaranteeOf(const Parameters& parameters, Metric metric, double epsilon,
                                    Eigen::Index dimensions = 0);

/// A mechanism at one setting as its guarantee sees it: enough to tell the odds of any words.
struct GuaranteedSetting {
    Guarantee guarantee{};
    /// Distance of two rows of the vocabulary in the guarantee's own metric.
    std::function<double(embedding::Row first, embedding::Row second)> distance{};
};

/// A guarantee with the metric of the words that it is stated in; keeps the embedding alive.
[[nodiscard]] GuaranteedSetting guaranteedSetting(Guarantee guarantee, metric::WordMetric metric);

}  // namespace epsilens::mechanism
