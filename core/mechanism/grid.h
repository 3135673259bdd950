#pragma once

#include <vector>

#include "core/mechanism/mechanism.h"

namespace epsilens::mechanism {

/// A mechanism over values of its parameters.
struct Grid {
    Mechanism mechanism{Laplace{}};
    std::vector<double> epsilons{};           ///< each finite, > 0
    std::vector<double> lambdas{0.0};         ///< each in [0, 1]; unused where it has none
    std::vector<double> gammas{};             ///< radii, each finite, >= 0; unused likewise
    std::vector<double> betas{kDefaultBeta};  ///< the same by error probability, without gammas

    /// Unused values do not count.
    [[nodiscard]] bool operator==(const Grid& other) const;

    /// The lambdas; a single 0 for a mechanism without.
    [[nodiscard]] std::vector<double> usedLambdas() const;
    /// Without the values that are unused.
    [[nodiscard]] Grid used() const;
    /// The mechanism at every lambda and radius, lambda-major; a run has all epsilons of the first
    /// one first.
    [[nodiscard]] std::vector<Mechanism> mechanisms() const;
    /// One mechanism as a grid without epsilons.
    [[nodiscard]] static Grid of(const Mechanism& mechanism);
};

}  // namespace epsilens::mechanism
