#include "core/document/recomputed_guarantees.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core/base/numbers.h"
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

std::string shown(const std::optional<double>& value) {
    return value ? formatNumber(*value) : std::string("null");
}

void refuse(const JsonNode& owner, std::string_view key, const std::string& stored,
            const std::string& found) {
    owner.at(key).complain(
        fmt::format("{} does not follow from the rest of the file, which "
                    "makes it {}; the file was changed or is damaged, so make it anew",
                    stored, found));
}

void demandSame(const JsonNode& owner, std::string_view key, const std::optional<double>& stored,
                const std::optional<double>& found) {
    const bool isSame =
        stored.has_value() == found.has_value() && (!found || isNear(*stored, *found));
    if (!isSame) {
        refuse(owner, key, shown(stored), shown(found));
    }
}

void demandSame(const JsonNode& owner, std::string_view key, const std::string& stored,
                const std::string& found) {
    if (stored != found) {
        refuse(owner, key, fmt::format("\"{}\"", stored), fmt::format("\"{}\"", found));
    }
}

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
        demandSame(node, "gamma", cell.gamma, radius ? std::optional(*radius) : std::nullopt);
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
        node.at("euclidean")
            .complain(
                "it does not follow from the rest of the file; the file was changed or is damaged, "
                "so make it anew");
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
    document.at("guarantee").eachItem(summary.guarantees.size(), [&](const JsonNode& node) {
        const Cell& cell = summary.cells[i];
        const Guarantee& stored = summary.guarantees[i++];
        const mechanism::Mechanism mechanism = mechanismOf(summary.grid.mechanism, cell);
        const Guarantee found =
            mechanism::guaranteeOf(mechanism.parameters(), metricOf(mechanism), cell.epsilon,
                                   static_cast<Eigen::Index>(embedding.dimensions));
        if (stored.metric != found.metric) {
            node.at("metric").complain("it does not fit the mechanism");
        }
        demandSame(node, "epsilon", stored.epsilon, found.epsilon);
        demandSame(node, "lambda", stored.lambda, found.lambda);
        demandSame(node, "gamma", stored.gamma, found.gamma);
        demandSame(node, "bound", stored.bound, found.bound);
        demandSame(node, "cap", stored.cap, found.cap);
        checkEuclidean(node, stored, found, factors);
        demandSame(node, "statement", stored.statement, found.statement);
        demandSame(node, "scope", stored.scope, found.scope);
    });
}

}  // namespace epsilens::document
