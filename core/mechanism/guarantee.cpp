#include "core/mechanism/guarantee.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "core/base/bound_text.h"
#include "core/base/numbers.h"

namespace epsilens::mechanism {

double oddsFactor(double bound, double distance) {
    return std::exp(bound * distance);
}

std::optional<double> pairLoss(const Guarantee& guarantee, double distance) {
    if (distance == 0.0) {
        return 0.0;
    }
    if (!guarantee.bound) {
        return std::nullopt;
    }
    const double loss = *guarantee.bound * distance;
    return guarantee.cap ? std::min(loss, *guarantee.cap) : loss;
}

Result<std::optional<double>> protectionRadius(const Guarantee& guarantee, double odds) {
    if (!(odds > 1.0 && std::isfinite(odds))) {
        return fail(ErrorCode::invalidArgument,
                    fmt::format("odds {} are outside their range, finite and above 1", odds));
    }
    if (!guarantee.bound) {
        return std::optional<double>();
    }
    const double loss = std::log(odds);
    if (guarantee.cap && *guarantee.cap <= loss) {
        return std::optional(std::numeric_limits<double>::infinity());
    }
    return std::optional(loss / *guarantee.bound);
}

std::string guaranteeSentence(const Guarantee& guarantee, bool hasStopWords) {
    if (!guarantee.bound) {
        return fmt::format(
            "nothing is guaranteed in the {} metric: some outputs can come from one word and not "
            "from another",
            metricName(guarantee.metric));
    }
    const std::string cap = guarantee.cap
                                ? fmt::format(", and at most e^{}", formatAtMost(*guarantee.cap, 4))
                                : std::string();
    return fmt::format(
        "{}: for all words w, w'{} and every output u, Pr[M(w) = u] is at most e^({}·d(w, w')){} "
        "times Pr[M(w') = u], where d is the {} distance",
        guarantee.scope, hasStopWords ? " other than the stop words" : "",
        formatNumber(*guarantee.bound), cap, metricName(guarantee.metric));
}

std::span<const std::string_view> notCovered() {
    static constexpr std::array<std::string_view, 3> kNotCovered{
        "the number of words and their order", "spacing, punctuation and letter case",
        "which words are unknown, kept or stop words"};
    return kNotCovered;
}

}  // namespace epsilens::mechanism
