#include "core/mechanism/guarantee_statement.h"

#include <string_view>

#include <fmt/format.h>

namespace epsilens::mechanism {
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

}  // namespace

std::string guaranteeStatement(const Parameters& parameters, Metric metric) {
    const std::string_view distance = distanceSymbol(metric);
    if (parameters.gamma || parameters.beta) {
        return fmt::format("ε·min({}, γ)", distance);
    }
    if (parameters.placement == Placement::additive) {
        return "none";
    }
    return fmt::format("{}·{}", parameters.law == RadialLaw::eq7 ? "(ε+m)" : "ε", distance);
}

}  // namespace epsilens::mechanism
