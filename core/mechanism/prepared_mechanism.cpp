#include "core/mechanism/prepared_mechanism.h"

#include <cmath>
#include <limits>
#include <utility>

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

/// Epsilons are looked for from the bound of the mechanism plus 1 / kSpan to it plus kSpan.
constexpr double kSpan = 1e9;
constexpr int kHalvings = 60;  ///< of 18 decades: the ends then differ by less than rounding

}  // namespace

Result<PreparedMechanism> PreparedMechanism::create(const embedding::EmbeddingHandle& embedding,
                                                    const Mechanism& mechanism) {
    ASSIGN_OR_RETURN(auto form, mechanism.on(embedding));
    return metric::WordMetric::create(embedding, mechanism.metric(), mechanism.lambda())
        .map([&](metric::WordMetric&& metric) {
            return PreparedMechanism(mechanism, std::move(metric), std::move(form));
        });
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

PromiseReach promiseReach(const PreparedMechanism& mechanism, double distance, double factor) {
    const double loss = std::log(factor);
    const double bound =
        mechanism.mechanism().epsilonBound(mechanism.metric().embedding().dimensions());
    const auto holds = [&](double above) {
        const auto guarantee = mechanism.guarantee(bound + above);
        return guarantee && pairLoss(*guarantee, distance) <= loss;
    };
    double low = 1.0 / kSpan;
    double high = kSpan;
    if (!holds(low)) {
        return {factor, std::nullopt};
    }
    if (holds(high)) {
        return {factor, std::numeric_limits<double>::infinity()};
    }
    for (int i = 0; i < kHalvings; ++i) {
        const double middle = std::sqrt(low * high);
        (holds(middle) ? low : high) = middle;
    }
    return {factor, bound + low};
}

}  // namespace epsilens::mechanism
