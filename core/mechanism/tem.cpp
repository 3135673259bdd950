#include "core/mechanism/tem.h"

#include <utility>

#include "core/base/pass_on.h"

namespace epsilens::mechanism {

bool Tem::operator==(const Tem& other) const {
    return parameters() == other.parameters();
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

}  // namespace epsilens::mechanism
