#include "core/engine/create_series.h"

#include "core/engine/elliptical_series.h"
#include "core/engine/hyperbolic_series.h"

namespace epsilens::engine {

Result<NoiseSeriesHandle> createSeries(const SearchSpace& space, const NoiseChoice& choice) {
    switch (choice.kind) {
        case mechanism::Kind::laplace:
            return EllipticalSeries::spherical(space);
        case mechanism::Kind::mahalanobis:
            return EllipticalSeries::create(space, choice.lambdas);
        case mechanism::Kind::hyperbolic:
            return HyperbolicSeries::create(space, choice.law, choice.placement);
        case mechanism::Kind::tem:
            break;
    }
    return fail(ErrorCode::unsupported, "tem draws no noise");
}

}  // namespace epsilens::engine
