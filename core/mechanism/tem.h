#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/embedding/prepared_embedding.h"
#include "core/mechanism/form.h"
#include "core/mechanism/parameters.h"

namespace epsilens::mechanism {

/// The truncated exponential mechanism.
/// Source: Carvalho et al. 2021. Its members are those that Mechanism documents.
struct Tem {
    static constexpr std::string_view kName = "tem";
    static constexpr std::string_view kTitle = "Truncated exponential (TEM)";
    static constexpr bool kIsExact = true;
    static constexpr std::string_view kRounding =
        "rounding of numbers adds at most 1e-11 (1 + epsilon gamma) to the loss of a word, and "
        "at most 1e-29 to the probability";

    Metric distance = Metric::euclidean;
    double lambda = kDefaultLambda;  ///< in [0, 1]; of the Mahalanobis metric only
    std::optional<double> gamma{};   ///< radius, finite, >= 0; nothing: it follows from beta
    double beta = kDefaultBeta;      ///< in (0, 1); without effect where gamma is given

    /// Parameters without effect do not count.
    [[nodiscard]] bool operator==(const Tem& other) const;

    [[nodiscard]] std::string formula() const;
    [[nodiscard]] Parameters parameters() const;
    void take(const Parameters& parameters);
    [[nodiscard]] Metric metric() const { return distance; }
    [[nodiscard]] double epsilonBound(Eigen::Index /*dimensions*/) const { return 0.0; }
    [[nodiscard]] Result<Form> on(const embedding::EmbeddingHandle& embedding) const;
};

}  // namespace epsilens::mechanism
