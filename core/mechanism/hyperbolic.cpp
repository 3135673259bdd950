#include "core/mechanism/hyperbolic.h"

#include <fmt/format.h>

#include "core/base/pass_on.h"

namespace epsilens::mechanism {

std::string Hyperbolic::formula() const {
    const std::string_view density = law == RadialLaw::eq7
                                         ? "tanh^(m−1)(r/2) · sech²(r/2) · exp(−εr)"
                                         : "sinh^(m−1)(r) · exp(−εr), which needs ε > m − 1";
    return fmt::format(
        "M(w) = the word nearest, in Poincaré distance, to the point at hyperbolic distance r from "
        "φ(w) in the direction X; X is uniform on the unit sphere of dimension m, and r ≥ 0 has a "
        "density proportional to {} (law {})",
        density, radialLawName(law));
}

void Hyperbolic::take(const Parameters& parameters) {
    law = parameters.law.value_or(law);
}

Result<Form> Hyperbolic::on(const embedding::EmbeddingHandle& embedding) const {
    ASSIGN_OR_RETURN(const auto noise, HyperbolicNoise::create(*embedding, law));
    return noise;
}

}  // namespace epsilens::mechanism
