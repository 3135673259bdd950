#include "core/mechanism/exponential.h"

#include <utility>

#include "core/base/pass_on.h"

namespace epsilens::mechanism {

bool Exponential::operator==(const Exponential& other) const {
    return parameters() == other.parameters();
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
