#pragma once

#include <optional>
#include <string_view>

#include "core/base/error.h"
#include "core/metric/metric.h"
#include "core/numeric/hyperbolic_radius.h"

namespace epsilens::mechanism {

using metric::Metric;
using numeric::RadialLaw;

/// Shape of the noise where one is needed and none is given.
inline constexpr double kDefaultLambda = 0.5;
/// Probability that an output lies beyond TEM's radius where neither is given.
inline constexpr double kDefaultBeta = 0.001;

/// What arithmetic in float64 does to the guarantee of noise in a vector space; see release.md.
inline constexpr std::string_view kRoundingOfNoise =
    "the bound holds up to a small additive probability from rounding of numbers, which grows as "
    "epsilon falls";

/// Names of --noise: "riemannian", "eq7".
[[nodiscard]] std::string_view radialLawName(RadialLaw law);
/// Fails with invalidArgument; the message lists the names.
[[nodiscard]] Result<RadialLaw> parseRadialLaw(std::string_view name);

/// All parameters that mechanisms have besides epsilon, as files and command lines name them. Each
/// mechanism has some of them.
struct Parameters {
    std::optional<double> lambda{};  ///< shape of a Mahalanobis distance
    std::optional<Metric> metric{};  ///< where it can be chosen
    std::optional<double> gamma{};   ///< radius of TEM
    std::optional<double> beta{};    ///< error probability of TEM, from which gamma follows
    std::optional<RadialLaw> law{};

    [[nodiscard]] bool operator==(const Parameters&) const = default;
};

}  // namespace epsilens::mechanism
