#pragma once

#include "core/mechanism/mechanism.h"

namespace epsilens::ui {

/// Which mechanism is chosen, and the last value of every parameter: what the chosen one does not
/// have is kept for when another is chosen.
struct MechanismSettings {
    mechanism::Mechanism kind{};  ///< which one; has default parameters, those in use are below
    /// All are there.
    mechanism::Parameters parameters{.lambda = mechanism::kDefaultLambda,
                                     .metric = metric::Metric::euclidean,
                                     .gamma = 1.0,
                                     .beta = mechanism::kDefaultBeta,
                                     .law = mechanism::RadialLaw::riemannian};
    bool gammaGiven = false;  ///< else the radius follows from beta

    [[nodiscard]] bool operator==(const MechanismSettings&) const = default;
    [[nodiscard]] mechanism::Mechanism chosen() const { return recalled(kind); }
    /// A mechanism with the last values of those parameters that it has.
    [[nodiscard]] mechanism::Mechanism recalled(const mechanism::Mechanism& of) const;
    /// Other values of those parameters that are given.
    void remember(const mechanism::Parameters& given);
    /// Chooses a mechanism with its parameters.
    void take(const mechanism::Mechanism& mechanism);
};

}  // namespace epsilens::ui
