#include "ui/curves/curve_parameter.h"

#include <QCoreApplication>

#include "ui/plot/plot_style.h"
#include "ui/state/mechanism_view.h"

namespace epsilens::ui {

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
