#include "core/mechanism/guarantee_of.h"

#include <cmath>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace epsilens::mechanism {
namespace {

std::string_view distanceSymbol(Metric metric) {
    switch (metric) {
        case Metric::euclidean:
            return "‖·‖₂";
        case Metric::mahalanobis:
            return "‖·‖_RM";
        case Metric::angular:
            return "∠";
        case Metric::poincare:
            break;
    }
    return "d_H";
}

/// The formula of what is promised.
std::string statementOf(const Parameters& parameters, Metric metric) {
    const std::string_view distance = distanceSymbol(metric);
    if (parameters.gamma || parameters.beta) {
        return fmt::format("ε·min({}, γ)", distance);
    }
    return fmt::format("{}·{}", parameters.law == RadialLaw::eq7 ? "(ε+m)" : "ε", distance);
}

}  // namespace

Guarantee guaranteeOf(const Parameters& parameters, Metric metric, double epsilon,
                      Eigen::Index dimensions) {
    Guarantee result;
    result.epsilon = epsilon;
    result.lambda = parameters.lambda.value_or(0.0);
    result.gamma = parameters.gamma;
    result.metric = metric;
    result.bound =
        parameters.law == RadialLaw::eq7 ? epsilon + static_cast<double>(dimensions) : epsilon;
    if (result.gamma && std::isfinite(epsilon * *result.gamma)) {
        result.cap = epsilon * *result.gamma;
    }
    result.statement = statementOf(parameters, metric);
    if (metric == Metric::euclidean) {
        result.euclidean = {epsilon, epsilon};
    }
    return result;
}

}  // namespace epsilens::mechanism
