#include "ui/state/mechanism_settings.h"

#include <algorithm>
#include <optional>

namespace epsilens::ui {

namespace {

template <typename Value>
void replace(std::optional<Value>& last, const std::optional<Value>& given) {
    if (given) {
        last = given;
    }
}

}  // namespace

mechanism::Mechanism MechanismSettings::recalled(const mechanism::Mechanism& of) const {
    mechanism::Parameters used = parameters;
    if (!gammaGiven) {
        used.gamma.reset();
    }
    return of.with(used);
}

void MechanismSettings::remember(const mechanism::Parameters& given) {
    replace(parameters.lambda, given.lambda);
    replace(parameters.metric, given.metric);
    replace(parameters.gamma, given.gamma);
    replace(parameters.beta, given.beta);
    replace(parameters.law, given.law);
}

void MechanismSettings::take(const mechanism::Mechanism& mechanism) {
    const auto all = mechanism::Mechanism::all();
    kind = *std::find_if(all.begin(), all.end(),
                         [&](const mechanism::Mechanism& one) { return one.isKindOf(mechanism); });
    remember(mechanism.parameters());
    if (mechanism.hasRadius()) {
        gammaGiven = mechanism.parameters().gamma.has_value();
    }
}

}  // namespace epsilens::ui
