#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "core/base/error.h"
#include "core/embedding/prepared_embedding.h"
#include "core/mechanism/elliptical_noise.h"
#include "core/mechanism/hyperbolic_noise.h"
#include "core/mechanism/parameters.h"
#include "core/mechanism/truncated_exponential.h"
#include "core/metric/word_metric.h"

namespace epsilens::mechanism {

/// Weights exp(-epsilon min(d, gamma) / 2) over all words, the law of a selection mechanism.
struct SelectionWeights {
    metric::WordMetric metric;
    Truncation truncation;
};

/// What a mechanism does on an embedding. Searches, draws and views are written for these forms;
/// a new mechanism with one of them needs no other code.
///   EllipticalNoise   nearest word, in Euclidean distance, to the word's vector plus noise
///   HyperbolicNoise   nearest word, in Poincaré distance, to a noisy point of the ball
///   SelectionWeights  every word by its weight; no noise
using Form = std::variant<EllipticalNoise, HyperbolicNoise, SelectionWeights>;

// Mechanism documents the members of the following.

/// Multivariate Laplace noise, the same in all directions.
/// Source: Feyisetan et al. 2020.
struct Laplace {
    static constexpr std::string_view kName = "laplace";
    static constexpr std::string_view kTitle = "Multivariate Laplace";
    static constexpr bool kIsExact = false;
    static constexpr std::string_view kRounding = kRoundingOfNoise;

    [[nodiscard]] std::string formula() const;
    [[nodiscard]] Parameters parameters() const { return {}; }
    void take(const Parameters& /*parameters*/) {}
    [[nodiscard]] Metric metric() const { return Metric::euclidean; }
    [[nodiscard]] Result<Form> on(const embedding::EmbeddingHandle& embedding) const;
};

/// Noise that follows the shape of the vocabulary.
/// Source: Xu et al. 2020.
struct Mahalanobis {
    static constexpr std::string_view kName = "mahalanobis";
    static constexpr std::string_view kTitle = "Regularized Mahalanobis";
    static constexpr bool kIsExact = false;
    static constexpr std::string_view kRounding = kRoundingOfNoise;

    double lambda = kDefaultLambda;  ///< in [0, 1]; 0 is multivariate Laplace

    [[nodiscard]] std::string formula() const;
    [[nodiscard]] Parameters parameters() const { return {.lambda = lambda}; }
    void take(const Parameters& parameters) { lambda = parameters.lambda.value_or(lambda); }
    [[nodiscard]] Metric metric() const { return Metric::mahalanobis; }
    [[nodiscard]] Result<Form> on(const embedding::EmbeddingHandle& embedding) const;
};

/// Noise in hyperbolic space, for Poincaré embeddings.
/// Source: Feyisetan, Diethe, Drake 2019.
struct Hyperbolic {
    static constexpr std::string_view kName = "hyperbolic";
    static constexpr std::string_view kTitle = "Hyperbolic";
    static constexpr bool kIsExact = false;
    static constexpr std::string_view kRounding =
        "the bound holds up to a small additive probability from rounding of numbers, which grows "
        "as epsilon falls and is in part an estimate";

    RadialLaw law = RadialLaw::riemannian;

    [[nodiscard]] std::string formula() const;
    [[nodiscard]] Parameters parameters() const { return {.law = law}; }
    void take(const Parameters& parameters);
    [[nodiscard]] Metric metric() const { return Metric::poincare; }
    [[nodiscard]] Result<Form> on(const embedding::EmbeddingHandle& embedding) const;
};

/// The truncated exponential mechanism.
/// Source: Carvalho et al. 2021.
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

    [[nodiscard]] std::string formula() const;
    [[nodiscard]] Parameters parameters() const;
    void take(const Parameters& parameters);
    [[nodiscard]] Metric metric() const { return distance; }
    [[nodiscard]] Result<Form> on(const embedding::EmbeddingHandle& embedding) const;
};

/// The exponential mechanism over the whole vocabulary: TEM without a radius.
/// Source: Yue et al. 2021 (SanText), equation 2, for the Euclidean metric; McSherry and Talwar
/// 2007. Derivation: exponential.md.
struct Exponential {
    static constexpr std::string_view kName = "exponential";
    static constexpr std::string_view kTitle = "Exponential (SanText)";
    static constexpr bool kIsExact = true;
    static constexpr std::string_view kRounding =
        "rounding of numbers adds at most 1e-11 (1 + epsilon d) to the loss of a word, where d is "
        "the largest distance of two words, and at most 1e-29 to the probability";

    Metric distance = Metric::euclidean;
    double lambda = kDefaultLambda;  ///< in [0, 1]; of the Mahalanobis metric only

    [[nodiscard]] std::string formula() const;
    [[nodiscard]] Parameters parameters() const;
    void take(const Parameters& parameters);
    [[nodiscard]] Metric metric() const { return distance; }
    [[nodiscard]] Result<Form> on(const embedding::EmbeddingHandle& embedding) const;
};

}  // namespace epsilens::mechanism
