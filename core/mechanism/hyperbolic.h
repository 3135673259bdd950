#pragma once

#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/embedding/prepared_embedding.h"
#include "core/mechanism/form.h"
#include "core/mechanism/parameters.h"

namespace epsilens::mechanism {

/// Noise in hyperbolic space, for Poincaré embeddings.
/// Source: Feyisetan, Diethe, Drake 2019. Its members are those that Mechanism documents.
struct Hyperbolic {
    static constexpr std::string_view kName = "hyperbolic";
    static constexpr std::string_view kTitle = "Hyperbolic";
    static constexpr bool kIsExact = false;
    static constexpr std::string_view kRounding =
        "the bound holds up to a small additive probability from rounding of numbers, which grows "
        "as epsilon falls and is in part an estimate";

    RadialLaw law = RadialLaw::riemannian;

    [[nodiscard]] bool operator==(const Hyperbolic&) const = default;

    [[nodiscard]] std::string formula() const;
    [[nodiscard]] Parameters parameters() const { return {.law = law}; }
    void take(const Parameters& parameters);
    [[nodiscard]] Metric metric() const { return Metric::poincare; }
    [[nodiscard]] double epsilonBound(Eigen::Index dimensions) const {
        return numeric::epsilonBound(law, dimensions);
    }
    [[nodiscard]] Result<Form> on(const embedding::EmbeddingHandle& embedding) const;
};

}  // namespace epsilens::mechanism
