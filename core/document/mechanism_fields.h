#pragma once

#include "core/document/fields.h"
#include "core/mechanism/mechanism.h"
#include "core/metric/metric.h"

/// The fields of a mechanism, for every document that has one. The mechanism knows its name first;
/// reading it gives it the parameters behind.
namespace epsilens::document {

/// A mechanism by its name, with the default parameters.
struct MechanismName {
    [[nodiscard]] nlohmann::ordered_json write(const mechanism::Mechanism& mechanism) const {
        return mechanism.name();
    }
    void read(const JsonNode& node, mechanism::Mechanism& mechanism) const {
        if (const auto named = mechanism::Mechanism::named(node.textView(kLongestName))) {
            mechanism = *named;
        } else {
            node.complain(named.error().message);
        }
    }
};

inline constexpr Named<mechanism::radialLawName, mechanism::parseRadialLaw> kLaw{};
inline constexpr Number kGamma = kAtLeastZero;
inline constexpr Number kBeta{kLeastNumber, 1.0};

/// Parameters that are no numbers; those that the mechanism does not have are written with their
/// defaults.
template <typename Fields, typename Mechanism>
void describeVariant(Fields& json, Mechanism& mechanism) {
    const mechanism::Parameters own = mechanism.parameters();
    auto metric = own.metric.value_or(metric::Metric::euclidean);
    auto law = own.law.value_or(mechanism::RadialLaw::riemannian);
    json.field("metric", metric, Named<metric::metricKey, metric::parseMetric>{});
    json.field("noise", law, kLaw);
    if constexpr (Fields::kReads) {
        mechanism = mechanism.with({.metric = metric, .law = law});
    }
}

/// Whether two mechanisms are of one kind with one metric and law: values of epsilon mean the same
/// in both.
[[nodiscard]] inline bool differInNumbersOnly(const mechanism::Mechanism& first,
                                              const mechanism::Mechanism& second) {
    const mechanism::Parameters a = first.parameters();
    const mechanism::Parameters b = second.parameters();
    return first.isKindOf(second) && first.metric() == second.metric() && a.law == b.law;
}

}  // namespace epsilens::document
