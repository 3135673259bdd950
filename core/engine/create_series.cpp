#include "core/engine/create_series.h"

#include <memory>
#include <utility>

#include <fmt/format.h>

#include "core/base/pass_on.h"

namespace epsilens::engine {

Result<NoiseSeriesHandle> createSeries(const SearchSpace& space,
                                       const mechanism::Mechanism& mechanism,
                                       const std::vector<double>& lambdas) {
    if (mechanism.isExact()) {
        return fail(ErrorCode::unsupported, fmt::format("{} draws no noise", mechanism.name()));
    }
    std::vector<mechanism::EllipticalNoise> noises;
    if (mechanism.hasLambda()) {
        const std::shared_ptr<const embedding::PcaBasis> basis(space.handle(),
                                                               &space.handle()->basis);
        for (const double lambda : lambdas) {
            ASSIGN_OR_RETURN(auto noise, mechanism::EllipticalNoise::create(basis, lambda));
            noises.push_back(std::move(noise));
        }
    } else {
        ASSIGN_OR_RETURN(auto form, mechanism.on(space.handle()));
        if (const auto* noise = std::get_if<mechanism::HyperbolicNoise>(&form)) {
            return hyperbolicSeries(space, *noise);
        }
        noises.push_back(std::get<mechanism::EllipticalNoise>(std::move(form)));
    }
    return ellipticalSeries(space, std::move(noises));
}

}  // namespace epsilens::engine
