#include "ui/state/mechanism_view.h"

#include <cmath>
#include <string>

#include <QCoreApplication>

#include "core/mechanism/prepared_mechanism.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

namespace {

constexpr int kPinnedEpsilonDigits = 3;

QString tr(const char* text) {
    return QCoreApplication::translate("MechanismView", text);
}

}  // namespace

bool isElliptical(const mechanism::Mechanism& mechanism) {
    return mechanism.sharesUnitWith(mechanism::Mahalanobis());
}

std::optional<double> gammaAt(const embedding::EmbeddingHandle& embedding,
                              const mechanism::Setting& setting) {
    if (!setting.mechanism.hasRadius()) {
        return std::nullopt;
    }
    const auto prepared = mechanism::PreparedMechanism::create(embedding, setting.mechanism);
    return prepared ? prepared->gammaAt(setting.epsilon) : std::nullopt;
}

QString refusalText(const MetricRefusal& refusal) {
    switch (refusal.cause) {
        case MetricRefusal::Cause::zeroRows:
            return tr("%1 rows are zero and have no direction").arg(counted(refusal.rows));
        case MetricRefusal::Cause::rowsOutsideBall:
            return tr("%1 rows have norm ≥ 1").arg(counted(refusal.rows));
        case MetricRefusal::Cause::other:
            break;
    }
    return toQString(refusal.message);
}

QString mechanismTitle(const mechanism::Mechanism& mechanism) {
    return tr(std::string(mechanism.title()).c_str());
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

QString shortTitle(const mechanism::Mechanism& mechanism) {
    const mechanism::Parameters own = mechanism.parameters();
    if (own.law) {
        return tr("hyperbolic %1").arg(toQString(mechanism::radialLawName(*own.law)));
    }
    const QString metric = own.lambda
                               ? tr("Mahalanobis λ %1").arg(QString::number(*own.lambda, 'f', 2))
                               : metricTitle(mechanism.metric());
    if (own.gamma) {
        return tr("TEM %1 γ %2").arg(metric, significant(*own.gamma, 3));
    }
    if (own.beta) {
        return tr("TEM %1 β %2").arg(metric, shortest(*own.beta));
    }
    if (own.metric) {
        return tr("exponential %1").arg(metric);
    }
    return own.lambda ? metric : tr("Laplace");
}

QString pinTitle(const mechanism::Setting& pin) {
    return tr("%1, ε %2")
        .arg(shortTitle(pin.mechanism), significant(pin.epsilon, kPinnedEpsilonDigits));
}

}  // namespace epsilens::ui
