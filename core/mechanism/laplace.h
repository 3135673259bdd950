#pragma once

#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/embedding/prepared_embedding.h"
#include "core/mechanism/form.h"
#include "core/mechanism/parameters.h"

namespace epsilens::mechanism {

/// Multivariate Laplace noise, the same in all directions.
/// Source: Feyisetan et al. 2020. Its members are those that Mechanism documents.
struct Laplace {
    static constexpr std::string_view kName = "laplace";
    static constexpr std::string_view kTitle = "Multivariate Laplace";
    static constexpr bool kIsExact = false;
    static constexpr std::string_view kRounding = kRoundingOfNoise;

    [[nodiscard]] bool operator==(const Laplace&) const = default;

    [[nodiscard]] std::string formula() const;
    [[nodiscard]] Parameters parameters() const { return {}; }
    void take(const Parameters& /*parameters*/) {}
    [[nodiscard]] Metric metric() const { return Metric::euclidean; }
    [[nodiscard]] double epsilonBound(Eigen::Index /*dimensions*/) const { return 0.0; }
    [[nodiscard]] Result<Form> on(const embedding::EmbeddingHandle& embedding) const;
};

}  // namespace epsilens::mechanism
