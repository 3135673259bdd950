#include "core/release/word_replacer.h"

#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "core/base/pass_on.h"
#include "core/engine/metric_space.h"
#include "core/mechanism/truncated_exponential.h"
#include "core/release/noise_replacer.h"
#include "core/release/selection_replacer.h"

namespace epsilens::release {
namespace {

using Replacer = Result<std::unique_ptr<WordReplacer>>;

Replacer createElliptical(engine::SearchSpaceHandle space, const ReleaseMechanism& mechanism) {
    const std::shared_ptr<const embedding::PcaBasis> basis(space->handle(),
                                                           &space->handle()->basis);
    ASSIGN_OR_RETURN(auto noise, mechanism.kind == mechanism::Kind::laplace
                                     ? Result<mechanism::EllipticalNoise>(
                                           mechanism::EllipticalNoise::spherical(basis))
                                     : mechanism::EllipticalNoise::create(basis, mechanism.lambda));
    return std::make_unique<EllipticalReplacer>(std::move(space), std::move(noise),
                                                mechanism.epsilon);
}

Replacer createHyperbolic(engine::SearchSpaceHandle space, const ReleaseMechanism& mechanism) {
    ASSIGN_OR_RETURN(const auto noise, mechanism::HyperbolicNoise::create(
                                           space->embedding(), mechanism.hyperbolic.law,
                                           mechanism.hyperbolic.placement));
    ASSIGN_OR_RETURN(auto radius, noise.radiusAt(mechanism.epsilon));
    return std::make_unique<HyperbolicReplacer>(std::move(space), noise, std::move(radius));
}

Result<mechanism::TruncatedExponential> truncatedExponential(const ReleaseMechanism& mechanism,
                                                             std::int64_t words) {
    ASSIGN_OR_RETURN(const auto truncation,
                     mechanism.gamma
                         ? mechanism::Truncation::byRadius(*mechanism.gamma)
                         : mechanism::Truncation::byErrorProbability(mechanism.beta, words));
    return truncation.at(mechanism.epsilon);
}

Replacer createSelection(const engine::SearchSpace& space, const ReleaseMechanism& mechanism,
                         int threads) {
    ASSIGN_OR_RETURN(const auto law,
                     truncatedExponential(mechanism, space.embedding().wordCount()));
    ASSIGN_OR_RETURN(auto metric, metric::WordMetric::create(space.handle(), mechanism.metric,
                                                             mechanism.lambda));
    ASSIGN_OR_RETURN(auto metricSpace, engine::MetricSpace::create(std::move(metric), threads));
    return std::make_unique<SelectionReplacer>(std::move(metricSpace), law);
}

}  // namespace

Replacer createReplacer(engine::SearchSpaceHandle space, const ReleaseMechanism& mechanism,
                        int threads) {
    if (!(mechanism.epsilon > 0.0 && std::isfinite(mechanism.epsilon))) {
        return fail(
            ErrorCode::invalidArgument,
            fmt::format("epsilon {} is outside its range, finite and above 0", mechanism.epsilon));
    }
    switch (mechanism.kind) {
        case mechanism::Kind::laplace:
        case mechanism::Kind::mahalanobis:
            return createElliptical(std::move(space), mechanism);
        case mechanism::Kind::tem:
            return createSelection(*space, mechanism, threads);
        case mechanism::Kind::hyperbolic:
            return createHyperbolic(std::move(space), mechanism);
    }
    return fail(ErrorCode::internal, "a mechanism without a name");
}

}  // namespace epsilens::release
