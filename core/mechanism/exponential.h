#pragma once

#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/embedding/prepared_embedding.h"
#include "core/mechanism/form.h"
#include "core/mechanism/parameters.h"

namespace epsilens::mechanism {

/// The exponential mechanism over the whole vocabulary: TEM without a radius.
/// Source: Yue et al. 2021 (SanText), equation 2, for the Euclidean metric; McSherry and Talwar
/// 2007. Derivation: exponential.md. Its members are those that Mechanism documents.
struct Exponential {
    static constexpr std::string_view kName = "exponential";
    static constexpr std::string_view kTitle = "Exponential (SanText)";
    static constexpr bool kIsExact = true;
    static constexpr std::string_view kRounding =
        "rounding of numbers adds at most 1e-11 (1 + epsilon d) to the loss of a word, where d is "
        "the largest distance of two words, and at most 1e-29 to the probability";

    Metric distance = Metric::euclidean;
    double lambda = kDefaultLambda;  ///< in [0, 1]; of the Mahalanobis metric only

    /// Parameters without effect do not count.
    [[nodiscard]] bool operator==(const Exponential& other) const;

    [[nodiscard]] std::string formula() const;
    [[nodiscard]] Parameters parameters() const;
    void take(const Parameters& parameters);
    [[nodiscard]] Metric metric() const { return distance; }
    [[nodiscard]] double epsilonBound(Eigen::Index /*dimensions*/) const { return 0.0; }
    [[nodiscard]] Result<Form> on(const embedding::EmbeddingHandle& embedding) const;
};

}  // namespace epsilens::mechanism
