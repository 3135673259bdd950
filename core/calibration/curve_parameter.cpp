#include "core/calibration/curve_parameter.h"

namespace epsilens::calibration {

CurveParameter parameterOf(const mechanism::Mechanism& mechanism) {
    if (mechanism.hasRadius()) {
        return mechanism.parameters().gamma ? CurveParameter::gamma : CurveParameter::beta;
    }
    return mechanism.hasLambda() || mechanism.sharesUnitWith(mechanism::Mahalanobis())
               ? CurveParameter::lambda
               : CurveParameter::none;
}

mechanism::Mechanism familyOf(const mechanism::Grid& grid) {
    const auto mechanisms = grid.mechanisms();
    return mechanisms.empty() ? grid.mechanism : mechanisms.front();
}

bool isSameFamily(const mechanism::Mechanism& a, const mechanism::Mechanism& b) {
    const CurveParameter parameter = parameterOf(a);
    return a.sharesUnitWith(b) && parameter == parameterOf(b) &&
           (parameter == CurveParameter::lambda || a.lambda() == b.lambda());
}

double parameterValue(const Cell& cell, CurveParameter parameter) {
    return parameter == CurveParameter::lambda  ? cell.lambda
           : parameter == CurveParameter::beta  ? cell.beta.value_or(0.0)
           : parameter == CurveParameter::gamma ? cell.gamma.value_or(0.0)
                                                : 0.0;
}

mechanism::Parameters parametersOf(CurveParameter parameter, double value) {
    mechanism::Parameters parameters;
    if (parameter == CurveParameter::lambda) {
        parameters.lambda = value;
    } else if (parameter == CurveParameter::beta) {
        parameters.beta = value;
    } else if (parameter == CurveParameter::gamma) {
        parameters.gamma = value;
    }
    return parameters;
}

double parameterValue(const mechanism::Mechanism& mechanism, CurveParameter parameter) {
    const mechanism::Parameters parameters = mechanism.parameters();
    return parameter == CurveParameter::lambda  ? mechanism.lambda()
           : parameter == CurveParameter::beta  ? parameters.beta.value_or(mechanism::kDefaultBeta)
           : parameter == CurveParameter::gamma ? parameters.gamma.value_or(0.0)
                                                : 0.0;
}

}  // namespace epsilens::calibration
