#pragma once

#include <functional>

#include "core/embedding/prepared_embedding.h"
#include "core/mechanism/elliptical_noise.h"
#include "core/mechanism/guarantee.h"

namespace epsilens::mechanism {

/// A mechanism at one setting as its guarantee sees it: enough to tell the odds of any words.
struct GuaranteedSetting {
    Guarantee guarantee{};
    /// Distance of two rows of the vocabulary in the guarantee's own metric.
    std::function<double(embedding::Row first, embedding::Row second)> distance{};
};

/// Of multivariate Laplace and regularized Mahalanobis noise; keeps the embedding alive.
///
/// epsilon  finite, > 0, per unit of the metric
[[nodiscard]] GuaranteedSetting guaranteedSetting(embedding::EmbeddingHandle embedding,
                                                  const EllipticalNoise& noise, double epsilon);

}  // namespace epsilens::mechanism
