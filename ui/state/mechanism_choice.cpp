#include "ui/state/mechanism_choice.h"

#include <algorithm>
#include <cmath>

#include <QCoreApplication>

#include "core/mechanism/elliptical_noise.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

namespace {

using mechanism::Kind;

QString tr(const char* text) {
    return QCoreApplication::translate("MechanismChoice", text);
}

bool isElliptical(Kind kind) {
    return kind == Kind::laplace || kind == Kind::mahalanobis;
}

}  // namespace

MechanismChoice MechanismChoice::normalised() const {
    MechanismChoice result;
    result.kind = kind;
    if (kind == Kind::tem) {
        result.metric = metric;
        result.gamma = gamma;
        result.beta = gamma ? kDefaultBeta : beta;
    }
    if (kind == Kind::hyperbolic) {
        result.law = law;
        result.placement = placement;
    }
    result.lambda = hasLambda() ? lambda : 0.0;
    return result;
}

bool MechanismChoice::hasPaths() const {
    return kind != Kind::tem &&
           (kind != Kind::hyperbolic || placement == mechanism::Placement::mobius);
}

bool MechanismChoice::isRiemannian() const {
    return kind == Kind::hyperbolic && law == mechanism::RadialLaw::riemannian;
}

double MechanismChoice::epsilonBound(Eigen::Index dimensions) const {
    return isRiemannian() ? numeric::epsilonBound(law, dimensions) : 0.0;
}

bool MechanismChoice::sharesUnitWith(const MechanismChoice& other) const {
    if (isElliptical(kind) && isElliptical(other.kind)) {
        return true;
    }
    return kind == other.kind && metric == other.metric && law == other.law;
}

calibration::CalibrationOptions optionsOf(const MechanismChoice& choice) {
    calibration::CalibrationOptions options;
    options.mechanism = choice.kind;
    options.lambdas = {choice.lambda};
    options.metric = choice.metric;
    if (choice.gamma) {
        options.gammas = {*choice.gamma};
    }
    options.betas = {choice.beta};
    options.law = choice.law;
    options.placement = choice.placement;
    return options;
}

double parameterDistance(const calibration::Cell& cell, const MechanismChoice& choice) {
    double distance = std::fabs(cell.lambda - choice.lambda);
    if (choice.gamma && cell.gamma) {
        distance += std::fabs(*cell.gamma - *choice.gamma);
    } else if (!choice.gamma && cell.beta) {
        distance += std::fabs(std::log(*cell.beta / choice.beta));
    }
    return distance;
}

QString metricRefusal(const embedding::EmbeddingHandle& embedding, metric::Metric metric) {
    const auto norms = embedding->squaredNorms.array();
    if (metric == metric::Metric::angular) {
        const auto zero = (norms == 0.0).count();
        return zero > 0 ? tr("%1 rows are zero and have no direction").arg(counted(zero))
                        : QString();
    }
    if (metric == metric::Metric::poincare) {
        const auto outside = (!(norms < 1.0)).count();
        return outside > 0 ? tr("%1 rows have norm ≥ 1").arg(counted(outside)) : QString();
    }
    if (metric == metric::Metric::mahalanobis) {
        return mechanismRefusal(embedding, Kind::mahalanobis);
    }
    return {};
}

QString mechanismRefusal(const embedding::EmbeddingHandle& embedding, Kind kind) {
    if (kind == Kind::hyperbolic) {
        return metricRefusal(embedding, metric::Metric::poincare);
    }
    if (kind == Kind::mahalanobis) {
        const std::shared_ptr<const embedding::PcaBasis> basis(embedding, &embedding->basis);
        const auto noise = mechanism::EllipticalNoise::create(
            basis, std::min(0.5, mechanism::largestUsableLambda(*basis)));
        return noise ? QString() : toQString(noise.error().message);
    }
    return {};
}

MechanismChoice runnableOn(const embedding::EmbeddingHandle& embedding, MechanismChoice choice) {
    if (!embedding) {
        return choice;
    }
    if (!metricRefusal(embedding, choice.metric).isEmpty()) {
        choice.metric = metric::Metric::euclidean;
    }
    for (const Kind kind : {Kind::mahalanobis, Kind::laplace}) {
        if (!mechanismRefusal(embedding, choice.kind).isEmpty()) {
            choice.kind = kind;
        }
    }
    return choice;
}

QString mechanismName(Kind kind) {
    switch (kind) {
        case Kind::laplace:
            return tr("Multivariate Laplace");
        case Kind::mahalanobis:
            return tr("Regularized Mahalanobis");
        case Kind::tem:
            return tr("Truncated exponential (TEM)");
        case Kind::hyperbolic:
            return tr("Hyperbolic");
    }
    return {};
}

QString metricTitle(metric::Metric metric) {
    switch (metric) {
        case metric::Metric::euclidean:
            return tr("Euclidean");
        case metric::Metric::mahalanobis:
            return tr("Mahalanobis (λ)");
        case metric::Metric::angular:
            return tr("angular");
        case metric::Metric::poincare:
            return tr("Poincaré");
    }
    return {};
}

QString choiceTitle(const MechanismChoice& choice) {
    const QString lambda = QString::number(choice.lambda, 'f', 2);
    switch (choice.kind) {
        case Kind::laplace:
            return tr("Laplace");
        case Kind::mahalanobis:
            return tr("Mahalanobis λ %1").arg(lambda);
        case Kind::tem: {
            const QString metric = choice.hasLambda() ? tr("Mahalanobis λ %1").arg(lambda)
                                                      : metricTitle(choice.metric);
            return choice.gamma ? tr("TEM %1 γ %2").arg(metric, significant(*choice.gamma, 3))
                                : tr("TEM %1 β %2").arg(metric, shortest(choice.beta));
        }
        case Kind::hyperbolic:
            return choice.placement == mechanism::Placement::mobius
                       ? tr("hyperbolic %1, Möbius")
                             .arg(toQString(mechanism::radialLawName(choice.law)))
                       : tr("hyperbolic %1, additive")
                             .arg(toQString(mechanism::radialLawName(choice.law)));
    }
    return {};
}

}  // namespace epsilens::ui
