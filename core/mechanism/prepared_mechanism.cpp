#include "core/mechanism/prepared_mechanism.h"

#include <utility>

#include "core/base/pass_on.h"

namespace epsilens::mechanism {
namespace {

struct GuaranteeAt {
    double epsilon;

    Result<Guarantee> operator()(const EllipticalNoise& noise) const {
        return noise.guarantee(epsilon);
    }
    Result<Guarantee> operator()(const HyperbolicNoise& noise) const {
        RETURN_IF_ERROR(noise.radiusAt(epsilon));
        return noise.guarantee(epsilon);
    }
    Result<Guarantee> operator()(const SelectionWeights& weights) const {
        ASSIGN_OR_RETURN(const auto law, weights.truncation.at(epsilon));
        return law.guarantee(weights.metric);
    }
};

}  // namespace

Result<PreparedMechanism> PreparedMechanism::create(const embedding::EmbeddingHandle& embedding,
                                                    const Mechanism& mechanism) {
    ASSIGN_OR_RETURN(auto form, mechanism.on(embedding));
    ASSIGN_OR_RETURN(auto metric,
                     metric::WordMetric::create(embedding, mechanism.metric(), mechanism.lambda()));
    return PreparedMechanism(mechanism, std::move(metric), std::move(form));
}

Result<Guarantee> PreparedMechanism::guarantee(double epsilon) const {
    return std::visit(GuaranteeAt{epsilon}, m_form);
}

std::optional<double> PreparedMechanism::gammaAt(double epsilon) const {
    const auto* weights = std::get_if<SelectionWeights>(&m_form);
    if (!weights) {
        return std::nullopt;
    }
    return weights->truncation.at(epsilon)
        .map([&](const TruncatedExponential& law) { return law.guarantee(weights->metric).gamma; })
        .value_or(std::nullopt);
}

}  // namespace epsilens::mechanism
