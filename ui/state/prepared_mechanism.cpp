#include "ui/state/prepared_mechanism.h"

#include <utility>

#include "core/base/pass_on.h"

namespace epsilens::ui {

Result<mechanism::Truncation> truncationOf(const MechanismChoice& choice, std::int64_t words) {
    return choice.gamma ? mechanism::Truncation::byRadius(*choice.gamma)
                        : mechanism::Truncation::byErrorProbability(choice.beta, words);
}

Result<PreparedMechanism> PreparedMechanism::create(const embedding::EmbeddingHandle& embedding,
                                                    const MechanismChoice& choice) {
    ASSIGN_OR_RETURN(auto metric, metric::WordMetric::create(embedding, choice.guaranteeMetric(),
                                                             choice.lambda));
    PreparedMechanism prepared(choice, std::move(metric));
    if (choice.kind == mechanism::Kind::tem) {
        ASSIGN_OR_RETURN(auto truncation, truncationOf(choice, embedding->wordCount()));
        prepared.m_truncation = truncation;
    } else if (choice.kind == mechanism::Kind::hyperbolic) {
        ASSIGN_OR_RETURN(auto noise, mechanism::HyperbolicNoise::create(*embedding, choice.law,
                                                                        choice.placement));
        prepared.m_hyperbolic = noise;
    } else if (choice.kind == mechanism::Kind::laplace) {
        prepared.m_elliptical =
            mechanism::EllipticalNoise::spherical({embedding, &embedding->basis});
    } else {
        ASSIGN_OR_RETURN(auto noise, mechanism::EllipticalNoise::create(
                                         {embedding, &embedding->basis}, choice.lambda));
        prepared.m_elliptical = std::move(noise);
    }
    return prepared;
}

Result<mechanism::Guarantee> PreparedMechanism::guarantee(double epsilon) const {
    if (m_elliptical) {
        return m_elliptical->guarantee(epsilon);
    }
    if (m_hyperbolic) {
        RETURN_IF_ERROR(m_hyperbolic->radiusAt(epsilon));
        return m_hyperbolic->guarantee(epsilon);
    }
    return m_truncation->at(epsilon).map(
        [this](const mechanism::TruncatedExponential& tem) { return tem.guarantee(m_metric); });
}

std::optional<double> PreparedMechanism::gammaAt(double epsilon) const {
    if (!m_truncation) {
        return std::nullopt;
    }
    const auto tem = m_truncation->at(epsilon);
    return tem ? std::optional(tem->gamma()) : std::nullopt;
}

}  // namespace epsilens::ui
