#include "core/mechanism/promise_reach.h"

#include <cmath>
#include <limits>

namespace epsilens::mechanism {

namespace {

/// Epsilons are looked for from the bound of the mechanism plus 1 / kSpan to it plus kSpan.
constexpr double kSpan = 1e9;
constexpr int kHalvings = 60;  ///< of 18 decades: the ends then differ by less than rounding

bool holdsAt(const PreparedMechanism& mechanism, double distance, double loss, double epsilon) {
    const auto guarantee = mechanism.guarantee(epsilon);
    return guarantee && pairLoss(*guarantee, distance) <= loss;
}

}  // namespace

PromiseReach promiseReach(const PreparedMechanism& mechanism, double distance, double factor) {
    const double loss = std::log(factor);
    const double bound =
        mechanism.mechanism().epsilonBound(mechanism.metric().embedding().dimensions());
    const auto holds = [&](double above) {
        return holdsAt(mechanism, distance, loss, bound + above);
    };
    double low = 1.0 / kSpan;
    double high = kSpan;
    if (!holds(low)) {
        return {factor, std::nullopt};
    }
    if (holds(high)) {
        return {factor, std::numeric_limits<double>::infinity()};
    }
    for (int i = 0; i < kHalvings; ++i) {
        const double middle = std::sqrt(low * high);
        (holds(middle) ? low : high) = middle;
    }
    return {factor, bound + low};
}

}  // namespace epsilens::mechanism
