#pragma once

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/metric/word_metric.h"

namespace epsilens::engine {

/// Whether there are words near each other.
enum class ClosePair {
    exists,
    none,
    unknown  ///< too many pairs to compare them all, and none of those compared is so near
};

/// How many pairs a search looks at before it gives up, spread evenly over the words: those that
/// functions are compared of, and those that the metric measures. A few seconds each.
struct PairBudget {
    double compared = 1e10;
    double measured = 1e7;
};

/// Whether two words of an embedding lie at a distance above 0 and at most `limit`.
///
/// Functions f with |f(a) - f(b)| <= d(a, b) rule out nearly all pairs: the leading principal
/// axes, of directions for angles (a chord is shorter than its arc), and the Busemann functions of
/// some points of the border in the Poincaré ball. A grid over three of them finds the pairs to
/// look at; those that are left are measured by the metric itself. So the answer is exact, and
/// cheap where the limit is small against the spread of the words. Where it is not, a near pair is
/// found early, unless most words are about equally far from each other: then the budget ends the
/// search. The answer does not depend on the threads.
///
/// limit  > 0, in the units of the metric
/// Fails with cancelled.
[[nodiscard]] Result<ClosePair> closePair(const metric::WordMetric& metric, double limit,
                                          int threads = 0, const JobContext& job = {},
                                          const PairBudget& budget = {});

}  // namespace epsilens::engine
