#pragma once

#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/embedding/prepared_embedding.h"
#include "core/mechanism/form.h"
#include "core/mechanism/parameters.h"

namespace epsilens::mechanism {

/// Noise that follows the shape of the vocabulary.
/// Source: Xu et al. 2020. Its members are those that Mechanism documents.
struct Mahalanobis {
    static constexpr std::string_view kName = "mahalanobis";
    static constexpr std::string_view kTitle = "Regularized Mahalanobis";
    static constexpr bool kIsExact = false;
    static constexpr std::string_view kRounding = kRoundingOfNoise;

    double lambda = kDefaultLambda;  ///< in [0, 1]; 0 is multivariate Laplace

    [[nodiscard]] bool operator==(const Mahalanobis&) const = default;

    [[nodiscard]] std::string formula() const;
    [[nodiscard]] Parameters parameters() const { return {.lambda = lambda}; }
    void take(const Parameters& parameters) { lambda = parameters.lambda.value_or(lambda); }
    [[nodiscard]] Metric metric() const { return Metric::mahalanobis; }
    [[nodiscard]] double epsilonBound(Eigen::Index /*dimensions*/) const { return 0.0; }
    [[nodiscard]] Result<Form> on(const embedding::EmbeddingHandle& embedding) const;
};

}  // namespace epsilens::mechanism
