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

}  // namespace epsilens::mechanism
