#include "core/release/bound_use.h"

#include <cmath>

#include "core/base/pass_on.h"
#include "core/engine/close_pair.h"
#include "core/metric/word_metric.h"

namespace epsilens::release {

Result<BoundUse> boundUse(const engine::SearchSpace& space, const mechanism::Guarantee& guarantee,
                          int threads, const JobContext& job) {
    const double loss = std::log(mechanism::kLargestUsefulFactor);
    if (space.positions() < 2 || (guarantee.cap && *guarantee.cap <= loss)) {
        return BoundUse::useful;
    }
    ASSIGN_OR_RETURN(const auto metric, metric::WordMetric::create(space.handle(), guarantee.metric,
                                                                   guarantee.lambda));
    ASSIGN_OR_RETURN(const auto pair,
                     engine::closePair(metric, loss / guarantee.bound, threads, job));
    switch (pair) {
        case engine::ClosePair::exists:
            return BoundUse::useful;
        case engine::ClosePair::none:
            return BoundUse::useless;
        case engine::ClosePair::unknown:
            break;
    }
    return BoundUse::unknown;
}

}  // namespace epsilens::release
