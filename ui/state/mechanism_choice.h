#pragma once

#include <optional>

#include <QString>

#include "core/calibration/calibrate.h"
#include "core/calibration/options.h"
#include "core/embedding/prepared_embedding.h"
#include "core/mechanism/hyperbolic_noise.h"
#include "core/mechanism/kind.h"
#include "core/metric/metric.h"

namespace epsilens::ui {

/// A mechanism with all its parameters but epsilon. Two choices are equal when they are the same
/// mechanism: parameters that the kind has not are at their defaults.
struct MechanismChoice {
    static constexpr double kDefaultBeta = calibration::kDefaultBeta;

    mechanism::Kind kind = mechanism::Kind::laplace;
    double lambda = 0.0;                                ///< where there is a Mahalanobis distance
    metric::Metric metric = metric::Metric::euclidean;  ///< of tem
    std::optional<double> gamma{};                      ///< of tem; nothing: it follows from beta
    double beta = kDefaultBeta;                         ///< of tem
    mechanism::RadialLaw law = mechanism::RadialLaw::riemannian;    ///< of hyperbolic
    mechanism::Placement placement = mechanism::Placement::mobius;  ///< of hyperbolic

    [[nodiscard]] bool operator==(const MechanismChoice&) const = default;
    /// The choice without what its kind does not have.
    [[nodiscard]] MechanismChoice normalised() const;
    [[nodiscard]] bool hasLambda() const { return mechanism::hasLambda(kind, metric); }
    /// Whether draws are exact functions of epsilon.
    [[nodiscard]] bool hasPaths() const;
    /// Whether probabilities are known without drawing.
    [[nodiscard]] bool isExact() const { return kind == mechanism::Kind::tem; }
    [[nodiscard]] bool isRiemannian() const;
    /// The metric of the guarantee, in which near and far are told apart too for the mechanisms
    /// that do not project by the Euclidean distance.
    [[nodiscard]] metric::Metric guaranteeMetric() const {
        return mechanism::metricOf(kind, metric);
    }
    /// epsilon must exceed this: m - 1 for riemannian noise, else 0.
    [[nodiscard]] double epsilonBound(Eigen::Index dimensions) const;
    /// Whether values of epsilon can be compared with those of another choice.
    [[nodiscard]] bool sharesUnitWith(const MechanismChoice& other) const;
};

/// Options of a calibration at this one choice; its epsilons stay empty.
[[nodiscard]] calibration::CalibrationOptions optionsOf(const MechanismChoice& choice);

/// How far the parameters of a calibrated setting are from those of a choice, epsilon left out; 0
/// when they are the same. For finding the nearest setting of one run.
[[nodiscard]] double parameterDistance(const calibration::Cell& cell,
                                       const MechanismChoice& choice);

/// "12,041 rows have norm ≥ 1": why a metric cannot be used on an embedding; empty if it can.
[[nodiscard]] QString metricRefusal(const embedding::EmbeddingHandle& embedding,
                                    metric::Metric metric);
/// Why a mechanism cannot run on an embedding whatever its parameters; empty if it can.
[[nodiscard]] QString mechanismRefusal(const embedding::EmbeddingHandle& embedding,
                                       mechanism::Kind kind);

/// The choice with a metric and a mechanism that can run on the embedding in the place of those
/// that cannot.
///
/// embedding  may be null, on which nothing is refused
[[nodiscard]] MechanismChoice runnableOn(const embedding::EmbeddingHandle& embedding,
                                         MechanismChoice choice);

/// "Multivariate Laplace", "Truncated exponential (TEM)", …; translated.
[[nodiscard]] QString mechanismName(mechanism::Kind kind);
/// "Euclidean", "Mahalanobis (λ)", "angular", "Poincaré"; translated.
[[nodiscard]] QString metricTitle(metric::Metric metric);
/// The choice in a few words: "Mahalanobis λ 0.50", "TEM Euclidean β 0.001", "hyperbolic eq7,
/// additive".
[[nodiscard]] QString choiceTitle(const MechanismChoice& choice);

}  // namespace epsilens::ui
