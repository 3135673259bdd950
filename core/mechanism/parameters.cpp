#include "core/mechanism/parameters.h"

#include <fmt/format.h>

namespace epsilens::mechanism {

std::string_view radialLawName(RadialLaw law) {
    return law == RadialLaw::riemannian ? "riemannian" : "eq7";
}

Result<RadialLaw> parseRadialLaw(std::string_view name) {
    for (const RadialLaw law : {RadialLaw::riemannian, RadialLaw::eq7}) {
        if (name == radialLawName(law)) {
            return law;
        }
    }
    return fail(ErrorCode::invalidArgument,
                fmt::format("noise \"{}\" is unknown; allowed: riemannian, eq7", name));
}

std::string_view placementName(Placement placement) {
    return placement == Placement::mobius ? "mobius" : "additive";
}

Result<Placement> parsePlacement(std::string_view name) {
    for (const Placement placement : {Placement::mobius, Placement::additive}) {
        if (name == placementName(placement)) {
            return placement;
        }
    }
    return fail(ErrorCode::invalidArgument,
                fmt::format("placement \"{}\" is unknown; allowed: mobius, additive", name));
}

}  // namespace epsilens::mechanism
