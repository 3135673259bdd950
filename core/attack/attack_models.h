#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "core/base/eigen.h"
#include "core/base/error.h"
#include "core/base/job_context.h"

namespace epsilens::attack {

/// A model of two classes, 1 and 0, on few features: cases x features, finite.
/// Returns the logarithm of the odds for class 1, for each case.
using Scorer = std::function<VectorD(const RowMatrixD& features)>;

/// Logistic regression, Pr[1 | x] = 1 / (1 + e^{-(w.x + b)}). Minimises
/// sum_i ln(1 + e^{-y_i (w.x_i + b)}) + penalty/2 ||w||^2 over standardised features, by Newton's
/// method with halved steps.
///
/// labels   1 or 0, one for each case, both occurring
/// penalty  > 0
[[nodiscard]] Scorer fitLogistic(const RowMatrixD& features, std::span<const std::uint8_t> labels,
                                 double penalty = 1.0);

/// A perceptron with two hidden layers of 64 rectified units, trained by Adam on the logistic loss,
/// 20 epochs in batches of 64, from weights drawn by He's rule. Its features are standardised.
///
/// labels  as fitLogistic
/// Fails with cancelled.
/// Source: the attack model of Carvalho et al. 2021, appendix C; Kingma and Ba 2015, algorithm 1;
/// He et al. 2015, equation 10
[[nodiscard]] Result<Scorer> fitPerceptron(const RowMatrixD& features,
                                           std::span<const std::uint8_t> labels, std::uint64_t seed,
                                           const JobContext& job = {});

}  // namespace epsilens::attack
