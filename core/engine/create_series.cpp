#include "core/engine/create_series.h"

#include <fmt/format.h>

#include "core/base/pass_on.h"
#include "core/engine/elliptical_series.h"
#include "core/engine/hyperbolic_series.h"

namespace epsilens::engine {

Result<NoiseSeriesHandle> createSeries(const SearchSpace& space,
                                       const mechanism::Mechanism& mechanism,
                                       const std::vector<double>& lambdas) {
    if (mechanism.isExact()) {
        return fail(ErrorCode::unsupported, fmt::format("{} draws no noise", mechanism.name()));
    }
    if (mechanism.hasLambda()) {
        return EllipticalSeries::create(space, lambdas);
    }
    ASSIGN_OR_RETURN(const auto form, mechanism.on(space.handle()));
    if (const auto* noise = std::get_if<mechanism::HyperbolicNoise>(&form)) {
        return HyperbolicSeries::create(space, noise->law());
    }
    return EllipticalSeries::spherical(space);
}

}  // namespace epsilens::engine
