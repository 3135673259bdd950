#include "ui/curves/curve_parameter.h"

#include <QCoreApplication>

#include "ui/curves/grid_text.h"

namespace epsilens::ui {

CurveParameter parameterOf(const MechanismChoice& choice) {
    switch (choice.kind) {
        case mechanism::Kind::laplace:
        case mechanism::Kind::mahalanobis:
            return CurveParameter::lambda;
        case mechanism::Kind::tem:
            return choice.gamma ? CurveParameter::gamma : CurveParameter::beta;
        case mechanism::Kind::hyperbolic:
            break;
    }
    return CurveParameter::none;
}

CurveParameter parameterOf(const calibration::CalibrationOptions& options) {
    MechanismChoice choice;
    choice.kind = options.mechanism;
    if (!options.gammas.empty()) {
        choice.gamma = options.gammas.front();
    }
    return parameterOf(choice);
}

double parameterValue(const calibration::Cell& cell, CurveParameter parameter) {
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

double parameterValue(const MechanismChoice& choice, CurveParameter parameter) {
    switch (parameter) {
        case CurveParameter::lambda:
            return choice.lambda;
        case CurveParameter::beta:
            return choice.beta;
        case CurveParameter::gamma:
            return choice.gamma.value_or(0.0);
        case CurveParameter::none:
            break;
    }
    return 0.0;
}

QString parameterSymbol(CurveParameter parameter) {
    switch (parameter) {
        case CurveParameter::lambda:
            return QStringLiteral("λ");
        case CurveParameter::beta:
            return QStringLiteral("β");
        case CurveParameter::gamma:
            return QStringLiteral("γ");
        case CurveParameter::none:
            break;
    }
    return {};
}

QString parameterKey(CurveParameter parameter) {
    switch (parameter) {
        case CurveParameter::lambda:
            return QStringLiteral("lambda");
        case CurveParameter::beta:
            return QStringLiteral("beta");
        case CurveParameter::gamma:
            return QStringLiteral("gamma");
        case CurveParameter::none:
            break;
    }
    return QStringLiteral("curve");
}

QString curveName(CurveParameter parameter, double value) {
    return parameter == CurveParameter::none
               ? QCoreApplication::translate("CurveParameter", "all words")
               : QStringLiteral("%1 %2").arg(parameterSymbol(parameter), brief(value));
}

}  // namespace epsilens::ui
