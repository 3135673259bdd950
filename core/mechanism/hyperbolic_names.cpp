#include <fmt/format.h>

#include "core/mechanism/hyperbolic_noise.h"

namespace epsilens::mechanism {

std::string_view radialLawName(RadialLaw law) {
    switch (law) {
        case RadialLaw::riemannian:
            return "riemannian";
        case RadialLaw::eq7:
            return "eq7";
    }
    return {};
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
    switch (placement) {
        case Placement::mobius:
            return "mobius";
        case Placement::additive:
            return "additive";
    }
    return {};
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
