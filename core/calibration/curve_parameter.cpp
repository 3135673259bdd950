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
    switch (parameter) {
        case CurveParameter::lambda:
            return cell.lambda;
        case CurveParameter::beta:
            return cell.beta.value_or(0.0);
        case CurveParameter::gamma:
            return cell.gamma.value_or(0.0);
        case CurveParameter::none:
            break;
    }
    return 0.0;
}

mechanism::Parameters parametersOf(CurveParameter parameter, double value) {
    mechanism::Parameters parameters;
    switch (parameter) {
        case CurveParameter::lambda:
            parameters.lambda = value;
            break;
        case CurveParameter::beta:
            parameters.beta = value;
            break;
        case CurveParameter::gamma:
            parameters.gamma = value;
            break;
        case CurveParameter::none:
            break;
    }
    return parameters;
}

double parameterValue(const mechanism::Mechanism& mechanism, CurveParameter parameter) {
    switch (parameter) {
        case CurveParameter::lambda:
            return mechanism.lambda();
        case CurveParameter::beta:
            return mechanism.parameters().beta.value_or(mechanism::kDefaultBeta);
        case CurveParameter::gamma:
            return mechanism.parameters().gamma.value_or(0.0);
        case CurveParameter::none:
            break;
    }
    return 0.0;
}

}  // namespace epsilens::calibration
