#include "core/mechanism/guarantee.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "core/base/numbers.h"

namespace epsilens::mechanism {

double pairLoss(const Guarantee& guarantee, double distance) {
    const double loss = guarantee.bound * distance;
    return guarantee.cap ? std::min(loss, *guarantee.cap) : loss;
}

Result<double> protectionRadius(const Guarantee& guarantee, double odds) {
    if (!(odds > 1.0 && std::isfinite(odds))) {
        return fail(ErrorCode::invalidArgument,
                    fmt::format("odds {} are outside their range, finite and above 1", odds));
    }
    const double loss = std::log(odds);
    if (guarantee.cap && *guarantee.cap <= loss) {
        return std::numeric_limits<double>::infinity();
    }
    return loss / guarantee.bound;
}

std::string guaranteeSentence(const Guarantee& guarantee, bool hasStopWords) {
    const std::string cap = guarantee.cap
                                ? fmt::format(", and at most e^{}", formatAtMost(*guarantee.cap, 4))
                                : std::string();
    return fmt::format(
        "{}: for all words w, w'{} and every output u, Pr[M(w) = u] is at most e^({}·d(w, w')){} "
        "times Pr[M(w') = u], where d is the {} distance",
        guarantee.scope, hasStopWords ? " other than the stop words" : "",
        formatNumber(guarantee.bound), cap, metricName(guarantee.metric));
}

std::span<const std::string_view> notCovered() {
    static constexpr std::array<std::string_view, 3> kNotCovered{
        "the number of words and their order", "spacing, punctuation and letter case",
        "which words are unknown, kept or stop words"};
    return kNotCovered;
}

}  // namespace epsilens::mechanism
