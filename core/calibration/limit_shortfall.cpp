#include "core/calibration/limit_shortfall.h"

#include <algorithm>
#include <cmath>

namespace epsilens::calibration {
namespace {

/// What a statistic can differ by.
double rangeOf(LimitStatistic statistic, int draws, std::int64_t words) {
    switch (statistic) {
        case LimitStatistic::nw:
        case LimitStatistic::sw:
            return draws;
        case LimitStatistic::minEntropy:
        case LimitStatistic::shannonEntropy:
            return std::max(1.0, std::log2(static_cast<double>(draws)));
        case LimitStatistic::kw:
            return static_cast<double>(words);
        case LimitStatistic::kept:
        case LimitStatistic::near:
        case LimitStatistic::far:
            break;
    }
    return 1.0;
}

}  // namespace

double shareMissed(const LimitCheck& check, int draws, std::int64_t words) {
    return -check.margin / rangeOf(check.limit.statistic, draws, words);
}

std::optional<LimitCheck> mostMissed(const std::vector<LimitCheck>& checks, int draws,
                                     std::int64_t words) {
    std::optional<LimitCheck> worst;
    double largest = 0.0;
    for (const LimitCheck& check : checks) {
        const double missed = shareMissed(check, draws, words);
        if (!check.met() && (!worst || missed > largest)) {
            worst = check;
            largest = missed;
        }
    }
    return worst;
}

}  // namespace epsilens::calibration
