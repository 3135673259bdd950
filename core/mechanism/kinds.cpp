#include "core/mechanism/kinds.h"

#include <utility>

#include <fmt/format.h>

namespace epsilens::mechanism {

std::string Laplace::formula() const {
    return "M(w) = the word nearest to φ(w) + (Y/ε) X, with X uniform on the unit sphere and Y "
           "from the gamma law of shape m and scale 1";
}

Result<Form> Laplace::on(const embedding::EmbeddingHandle& embedding) const {
    return EllipticalNoise::spherical({embedding, &embedding->basis});
}

std::string Mahalanobis::formula() const {
    return "M(w) = the word nearest to φ(w) + (Y/ε) A^(1/2) X, with A = λΣ + (1 − λ)I, Σ the "
           "covariance of the vectors scaled to trace m, X uniform on the unit sphere and Y from "
           "the gamma law of shape m and scale 1";
}

Result<Form> Mahalanobis::on(const embedding::EmbeddingHandle& embedding) const {
    ASSIGN_OR_RETURN(auto noise, EllipticalNoise::create({embedding, &embedding->basis}, lambda));
    return noise;
}

std::string Hyperbolic::formula() const {
    const std::string_view density = law == RadialLaw::eq7
                                         ? "tanh^(m−1)(r/2) · sech²(r/2) · exp(−εr)"
                                         : "sinh^(m−1)(r) · exp(−εr), which needs ε > m − 1";
    return fmt::format(
        "M(w) = the word nearest, in Poincaré distance, to the point at hyperbolic distance r from "
        "φ(w) in the direction X; X is uniform on the unit sphere of dimension m, and r ≥ 0 has a "
        "density proportional to {} (law {})",
        density, radialLawName(law));
}

void Hyperbolic::take(const Parameters& parameters) {
    law = parameters.law.value_or(law);
}

Result<Form> Hyperbolic::on(const embedding::EmbeddingHandle& embedding) const {
    ASSIGN_OR_RETURN(const auto noise, HyperbolicNoise::create(*embedding, law));
    return noise;
}

std::string Tem::formula() const {
    return "Pr[M(w) = u] is proportional to exp(−ε min(d(w, u), γ) / 2) over all words u";
}

Parameters Tem::parameters() const {
    Parameters parameters{.metric = distance, .gamma = gamma};
    if (distance == Metric::mahalanobis) {
        parameters.lambda = lambda;
    }
    if (!gamma) {
        parameters.beta = beta;
    }
    return parameters;
}

void Tem::take(const Parameters& parameters) {
    distance = parameters.metric.value_or(distance);
    lambda = parameters.lambda.value_or(lambda);
    if (parameters.gamma) {
        gamma = parameters.gamma;
    } else if (parameters.beta) {
        gamma.reset();
        beta = *parameters.beta;
    }
}

Result<Form> Tem::on(const embedding::EmbeddingHandle& embedding) const {
    if (embedding->wordCount() < 2) {
        return fail(ErrorCode::unsupported, "TEM needs at least 2 words, the vocabulary has 1");
    }
    ASSIGN_OR_RETURN(auto metric, metric::WordMetric::create(embedding, distance, lambda));
    ASSIGN_OR_RETURN(const auto truncation,
                     gamma ? Truncation::byRadius(*gamma)
                           : Truncation::byErrorProbability(beta, embedding->wordCount()));
    return SelectionWeights{std::move(metric), truncation};
}

std::string Exponential::formula() const {
    return "Pr[M(w) = u] is proportional to exp(−ε d(w, u) / 2) over all words u";
}

Parameters Exponential::parameters() const {
    Parameters parameters{.metric = distance};
    if (distance == Metric::mahalanobis) {
        parameters.lambda = lambda;
    }
    return parameters;
}

void Exponential::take(const Parameters& parameters) {
    distance = parameters.metric.value_or(distance);
    lambda = parameters.lambda.value_or(lambda);
}

Result<Form> Exponential::on(const embedding::EmbeddingHandle& embedding) const {
    if (embedding->wordCount() < 2) {
        return fail(ErrorCode::unsupported,
                    "the exponential mechanism needs at least 2 words, the vocabulary has 1");
    }
    ASSIGN_OR_RETURN(auto metric, metric::WordMetric::create(embedding, distance, lambda));
    return SelectionWeights{std::move(metric), Truncation::none()};
}

}  // namespace epsilens::mechanism
