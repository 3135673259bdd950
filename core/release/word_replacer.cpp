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

/// The replacer of each form of a mechanism, at one epsilon.
struct ReplacerOf {
    engine::SearchSpaceHandle space;
    double epsilon;
    int threads;

    Replacer operator()(mechanism::EllipticalNoise& noise) const {
        return std::make_unique<EllipticalReplacer>(space, std::move(noise), epsilon);
    }
    Replacer operator()(mechanism::HyperbolicNoise& noise) const {
        ASSIGN_OR_RETURN(auto radius, noise.radiusAt(epsilon));
        return std::make_unique<HyperbolicReplacer>(space, noise, std::move(radius));
    }
    Replacer operator()(mechanism::SelectionWeights& weights) const {
        ASSIGN_OR_RETURN(const auto law, weights.truncation.at(epsilon));
        ASSIGN_OR_RETURN(auto metricSpace,
                         engine::MetricSpace::create(std::move(weights.metric), threads));
        return std::make_unique<SelectionReplacer>(std::move(metricSpace), law);
    }
};

}  // namespace

Replacer createReplacer(engine::SearchSpaceHandle space, const mechanism::Setting& setting,
                        int threads) {
    if (!(setting.epsilon > 0.0 && std::isfinite(setting.epsilon))) {
        return fail(
            ErrorCode::invalidArgument,
            fmt::format("epsilon {} is outside its range, finite and above 0", setting.epsilon));
    }
    ASSIGN_OR_RETURN(auto form, setting.mechanism.on(space->handle()));
    return std::visit(ReplacerOf{std::move(space), setting.epsilon, threads}, form);
}

}  // namespace epsilens::release
