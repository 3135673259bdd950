#pragma once

#include <array>
#include <cstddef>
#include <set>
#include <vector>

#include "core/document/fields.h"
#include "core/mechanism/grid.h"
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

/// The values of a grid that its cells have, in the order in which they come.
template <typename Cell>
void gatherGrid(const std::vector<Cell>& cells, mechanism::Grid& grid) {
    std::array<std::set<double>, 4> known;
    const auto add = [&known](std::size_t list, std::vector<double>& values, double value) {
        if (known.at(list).insert(value).second) {
            values.push_back(value);
        }
    };
    grid.lambdas.clear();
    grid.betas.clear();
    for (const Cell& cell : cells) {
        add(0, grid.epsilons, cell.epsilon);
        add(1, grid.lambdas, cell.lambda);
        if (cell.beta) {
            add(2, grid.betas, *cell.beta);
        } else if (cell.gamma) {
            add(3, grid.gammas, *cell.gamma);
        }
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
