#include "core/mechanism/hyperbolic.h"

#include <fmt/format.h>

#include "core/base/pass_on.h"

namespace epsilens::mechanism {

std::string Hyperbolic::formula() const {
    const std::string_view density = law == RadialLaw::eq7
                                         ? "tanh^(m−1)(r/2) · sech²(r/2) · exp(−εr)"
                                         : "sinh^(m−1)(r) · exp(−εr), which needs ε > m − 1";
    const std::string_view point =
        placement == Placement::additive
            ? "v = φ(w) + tanh(r/2) X, pulled back to norm 1 − 0.00001 where ‖v‖ ≥ 1"
            : "the point at hyperbolic distance r from φ(w) in the direction X";
    return fmt::format(
        "M(w) = the word nearest, in Poincaré distance, to {}; X is uniform on the unit sphere of "
        "dimension m, and r ≥ 0 has a density proportional to {} (law {}, placement {})",
        point, density, radialLawName(law), placementName(placement));
}

void Hyperbolic::take(const Parameters& parameters) {
    law = parameters.law.value_or(law);
    placement = parameters.placement.value_or(placement);
}

Result<Form> Hyperbolic::on(const embedding::EmbeddingHandle& embedding) const {
    ASSIGN_OR_RETURN(const auto noise, HyperbolicNoise::create(*embedding, law, placement));
    return noise;
}

}  // namespace epsilens::mechanism
