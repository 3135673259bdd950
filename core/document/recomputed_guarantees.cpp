#include "core/document/recomputed_guarantees.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/document/comparison.h"
#include "core/document/json_parts.h"
#include "core/mechanism/guarantee_of.h"
#include "core/mechanism/truncated_exponential.h"

namespace epsilens::document {
namespace {

using calibration::Cell;
using mechanism::Guarantee;
using mechanism::Metric;

bool isNear(double stored, double found) {
    return std::abs(stored - found) <= kLargestDeviation * std::abs(found);
}

constexpr std::string_view kUnfounded =
    "it does not follow from the rest of the file; the file was changed or is damaged, so make it "
    "anew";

/// The mechanism of a cell, with all its parameters.
mechanism::Mechanism mechanismOf(const mechanism::Mechanism& general, const Cell& cell) {
    return general.with({.lambda = cell.lambda, .gamma = cell.gamma});
}

/// Noise of lambda 0 is spherical, and its guarantee is stated so.
Metric metricOf(const mechanism::Mechanism& mechanism) {
    return !mechanism.isExact() && mechanism.hasLambda() && mechanism.lambda() == 0.0
               ? Metric::euclidean
               : mechanism.metric();
}

/// The radius has to be there exactly where the mechanism has one, and to follow from beta.
void checkRadius(const JsonNode& node, const mechanism::Mechanism& mechanism, const Cell& cell,
                 std::int64_t words) {
    if (mechanism.hasRadius() != cell.gamma.has_value()) {
        node.at("gamma").complain("it does not fit the mechanism");
    } else if (cell.beta) {
        const auto radius = mechanism::truncationRadius(cell.epsilon, *cell.beta, words);
        if (!radius || !cell.gamma || !isNear(*cell.gamma, *radius)) {
            node.at("gamma").complain(kUnfounded);
        }
    }
}

/// Noise whose law exists only above a bound has no setting at or below it.
void checkEpsilon(const JsonNode& node, const mechanism::Mechanism& mechanism, double epsilon,
                  std::int64_t dimensions) {
    const double bound = mechanism.epsilonBound(static_cast<Eigen::Index>(dimensions));
    if (!(epsilon > bound)) {
        node.at("epsilon").complain(fmt::format(
            "the mechanism exists in {} dimensions only for ε > {}", dimensions, bound));
    }
}

/// Ratios of the Euclidean factors to epsilon.
using FactorsOfLambda = std::map<double, std::array<double, 2>>;

void checkEuclidean(const JsonNode& node, const Guarantee& stored, const Guarantee& found,
                    FactorsOfLambda& known) {
    if (!stored.euclidean) {
        return;
    }
    std::array<double, 2> ratios{(*stored.euclidean)[0] / stored.epsilon,
                                 (*stored.euclidean)[1] / stored.epsilon};
    std::array<double, 2> expected{1.0, 1.0};
    bool isPossible = found.euclidean || found.metric == Metric::mahalanobis;
    if (found.metric == Metric::mahalanobis) {
        expected = known.emplace(stored.lambda, ratios).first->second;
        isPossible = ratios[0] <= ratios[1];
    }
    if (!isPossible || !isNear(ratios[0], expected[0]) || !isNear(ratios[1], expected[1])) {
        node.at("euclidean").complain(kUnfounded);
    }
}

}  // namespace

void recomputeGuarantees(const JsonNode& document, const calibration::Run& run,
                         const calibration::CalibrationSummary& summary) {
    const auto& embedding = run.provenance.embedding;
    FactorsOfLambda factors;
    std::size_t i = 0;
    document.at("cells").eachItem(summary.cells.size(), [&](const JsonNode& node) {
        const Cell& cell = summary.cells[i++];
        const mechanism::Mechanism mechanism = mechanismOf(summary.grid.mechanism, cell);
        checkEpsilon(node, mechanism, cell.epsilon, embedding.dimensions);
        checkRadius(node, mechanism, cell, embedding.words);
    });
    i = 0;
    nlohmann::ordered_json stored = nlohmann::ordered_json::array();
    nlohmann::ordered_json found = nlohmann::ordered_json::array();
    document.at("guarantee").eachItem(summary.guarantees.size(), [&](const JsonNode& node) {
        const Cell& cell = summary.cells[i];
        const Guarantee& guarantee = summary.guarantees[i++];
        const mechanism::Mechanism mechanism = mechanismOf(summary.grid.mechanism, cell);
        Guarantee again =
            mechanism::guaranteeOf(mechanism.parameters(), metricOf(mechanism), cell.epsilon,
                                   static_cast<Eigen::Index>(embedding.dimensions));
        checkEuclidean(node, guarantee, again, factors);
        again.euclidean = guarantee.euclidean;
        stored.push_back(jsonGuarantee(mechanism, guarantee));
        found.push_back(jsonGuarantee(mechanism, again));
    });
    const JsonDocument written(std::move(stored), {});
    std::optional<Error> none;
    demandFollows(document.at("guarantee"), JsonNode(written, none), found);
}

void demandFollows(const JsonNode& part, const JsonNode& stored,
                   const nlohmann::ordered_json& found) {
    const auto differences = differencesBetween(stored, found, {kLargestDeviation});
    if (!differences.empty()) {
        part.complain(fmt::format(
            "{} is {}, and the rest of the file makes it {}; the file was changed or is damaged, "
            "so make it anew",
            differences.front().place, differences.front().stored, differences.front().found));
    }
}

}  // namespace epsilens::document
