#include "core/mechanism/guarantee.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "core/base/numbers.h"

namespace epsilens::mechanism {

double pairLoss(const Guarantee& guarantee, double distance) {
    const double loss = guarantee.bound * distance;
    return guarantee.cap ? std::min(loss, *guarantee.cap) : loss;
}

Result<double> protectionRadius(const Guarantee& guarantee, double odds) {
    if (!(odds > 1.0 && std::isfinite(odds))) {
        return refuse(fmt::format("odds {} are outside their range, finite and above 1", odds));
    }
    const double loss = std::log(odds);
    if (guarantee.cap && *guarantee.cap <= loss) {
        return std::numeric_limits<double>::infinity();
    }
    return loss / guarantee.bound;
}

std::string guaranteeSentence(const Guarantee& guarantee, bool hasStopWords) {
    const std::string cap = guarantee.cap ? fmt::format(", and at most e^{} times as large",
                                                        formatAtMost(*guarantee.cap, 4))
                                          : std::string();
    return fmt::format(
        "For all words w, w'{} and every output u, Pr[M(w) = u] is at most e^({}·d(w, w')) times "
        "Pr[M(w') = u]{}, where d is the {} distance; this holds {}",
        hasStopWords ? " other than the stop words" : "", formatNumber(guarantee.bound), cap,
        metricName(guarantee.metric), guarantee.scope);
}

std::span<const std::string_view> notCovered() {
    static constexpr std::array<std::string_view, 3> kNotCovered{
        "the number of words and their order", "spacing, punctuation and letter case",
        "which words are unknown, kept or stop words"};
    return kNotCovered;
}

namespace {

std::string_view distanceSymbol(Metric metric) {
    switch (metric) {
        case Metric::euclidean:
            return "‖·‖₂";
        case Metric::mahalanobis:
            return "‖·‖_RM";
        case Metric::angular:
            return "∠";
        case Metric::poincare:
            break;
    }
    return "d_H";
}

/// The formula of what is promised.
std::string statementOf(const Parameters& parameters, Metric metric) {
    const std::string_view distance = distanceSymbol(metric);
    if (parameters.gamma || parameters.beta) {
        return fmt::format("ε·min({}, γ)", distance);
    }
    return fmt::format("{}·{}", parameters.law == RadialLaw::eq7 ? "(ε+m)" : "ε", distance);
}

}  // namespace

Guarantee guaranteeOf(const Parameters& parameters, Metric metric, double epsilon,
                      Eigen::Index dimensions) {
    Guarantee result;
    result.epsilon = epsilon;
    result.lambda = parameters.lambda.value_or(0.0);
    result.gamma = parameters.gamma;
    result.metric = metric;
    result.bound =
        parameters.law == RadialLaw::eq7 ? epsilon + static_cast<double>(dimensions) : epsilon;
    if (result.gamma && std::isfinite(epsilon * *result.gamma)) {
        result.cap = epsilon * *result.gamma;
    }
    result.statement = statementOf(parameters, metric);
    if (metric == Metric::euclidean) {
        result.euclidean = {epsilon, epsilon};
    }
    return result;
}

GuaranteedSetting guaranteedSetting(Guarantee guarantee, metric::WordMetric metric) {
    return {std::move(guarantee),
            [metric = std::move(metric)](embedding::Row first, embedding::Row second) {
                return metric.distance(first, second);
            }};
}

}  // namespace epsilens::mechanism
