#pragma once

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/engine/search_space.h"
#include "core/mechanism/guarantee.h"

namespace epsilens::release {

/// What a guarantee is worth on a vocabulary: whether two of its words with different vectors have
/// odds of at most mechanism::kLargestUsefulFactor.
enum class BoundUse {
    useful,
    useless,  ///< the nearest two words have larger odds, and so have all others
    unknown   ///< too many pairs to compare them all, and those compared have larger odds
};

/// Follows from setting and vocabulary alone, so that it may be published. A cap within the factor,
/// and a vocabulary without two different vectors, make a guarantee useful.
///
/// Fails with cancelled, and as WordMetric::create.
[[nodiscard]] Result<BoundUse> boundUse(const engine::SearchSpace& space,
                                        const mechanism::Guarantee& guarantee, int threads = 0,
                                        const JobContext& job = {});

}  // namespace epsilens::release
