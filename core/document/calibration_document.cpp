#include "core/document/calibration_document.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "core/document/comparison.h"
#include "core/document/descriptions.h"
#include "core/document/fields.h"
#include "core/mechanism/guarantee.h"
#include "core/mechanism/truncated_exponential.h"

namespace epsilens::document {
namespace {

using calibration::CalibrationSummary;
using calibration::Cell;
using calibration::Provenance;
using calibration::Run;
using mechanism::Guarantee;
using mechanism::Metric;
using nlohmann::ordered_json;

constexpr std::size_t kMostCells = 1'000'000;

constexpr auto kWordValue = objectOf([](auto& json, auto& word) {
    json.field("word", word.word);
    json.field("row", word.row, kRow);
    json.field("nw", word.nw, kAtLeastZero);
    json.field("sw", word.sw, kAtLeastZero);
});

/// Of the cell with that number.
template <typename Fields, typename Words>
void describeWorst(Fields& json, Words& worstWords, std::ptrdiff_t cell) {
    if constexpr (Fields::kReads) {
        worstWords.emplace_back();
    }
    json.field("worstWords", worstWords.at(static_cast<std::size_t>(cell)),
               listOf(kWordValue, Run::kWorstWords));
}

/// Of the cell with that number.
template <typename Fields, typename Examples>
void describeExamplesOf(Fields& json, Examples& examples, std::ptrdiff_t cell) {
    const auto number = static_cast<std::size_t>(cell);
    if constexpr (Fields::kReads) {
        examples.resize(number + 1);
    }
    if (number < examples.size()) {
        json.fieldIf(!examples[number].empty(), "examples", examples[number], kExamples);
    }
}

/// What a run tells beside its statistics, for reports and for doing it again.
template <typename Fields, typename OneRun>
void describeDetails(Fields& json, OneRun& run, bool hasLambda) {
    json.field("pairs", run.pairs,
               listOf(objectOf([&](auto& entry, auto& pair) {
                          describePair(entry, "words", pair.first, pair.second);
                          entry.fieldOrNull(hasLambda, "lambda", pair.lambda, kShare);
                          entry.field("distance", pair.distance, kAtLeastZero);
                      }),
                      kMostPairs));
    json.field("repeat", run.request, objectOf([](auto& repeat, auto& request) {
                   kLoad.describe(repeat, request.load);
                   kOptions.describe(repeat, request.options);
               }));
}

template <typename Fields, typename OneRun, typename Summary>
void describeCalibration(Fields& json, OneRun& run, Summary& summary) {
    describeOrigin(json, kCalibrationSchema, run.provenance);
    json.field("mechanism", summary.grid.mechanism, kMechanism);
    const bool hasLambda = summary.grid.mechanism.hasLambda();
    json.field("guarantee", summary.guarantees, listOf(guaranteeFields(hasLambda), kMostCells));
    json.field("run", summary, runFields(run.provenance));
    json.field("cells", summary.cells,
               listOf(objectOf([&](auto& entry, auto& cell) {
                          cellFields(hasLambda).describe(entry, cell);
                          describeWorst(entry, run.worstWords, &cell - summary.cells.data());
                          describeExamplesOf(entry, run.examples, &cell - summary.cells.data());
                      }),
                      kMostCells));
    describeDetails(json, run, hasLambda);
    if constexpr (Fields::kReads) {
        gatherGrid(summary.cells, summary.grid);
    }
}

void checkWhole(FieldReader& json, const CalibrationSummary& summary) {
    json.demand(!summary.cells.empty() && summary.cells.size() == summary.guarantees.size(),
                "cells",
                fmt::format("there are {} of them with {} guarantees; there must be as many, and "
                            "at least one",
                            summary.cells.size(), summary.guarantees.size()));
}

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

/// Derives everything again that a calibration says of its guarantees and that follows from
/// mechanism, epsilon, lambda, beta, dimensions and words, so that nobody has to believe a bound
/// that could be computed. Complains about the first number of `document` that differs by more
/// than kLargestDeviation, and the first statement or scope that is another text. What follows from
/// the vectors only (the Euclidean factors of a Mahalanobis distance) has to be the same multiple
/// of epsilon for every cell of a lambda.
///
/// run      mechanism, embedding and request are read
/// summary  cells and as many guarantees
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
    ordered_json stored = ordered_json::array();
    ordered_json found = ordered_json::array();
    document.at("guarantee").eachItem(summary.guarantees.size(), [&](const JsonNode& node) {
        const Cell& cell = summary.cells[i];
        const Guarantee& guarantee = summary.guarantees[i++];
        const mechanism::Mechanism mechanism = mechanismOf(summary.grid.mechanism, cell);
        Guarantee again =
            mechanism::guaranteeOf(mechanism.parameters(), metricOf(mechanism), cell.epsilon,
                                   static_cast<Eigen::Index>(embedding.dimensions));
        checkEuclidean(node, guarantee, again, factors);
        again.euclidean = guarantee.euclidean;
        const auto fields = guaranteeFields(mechanism.hasLambda());
        stored.push_back(fields.write(guarantee));
        found.push_back(fields.write(again));
    });
    const JsonDocument written(std::move(stored), {});
    std::optional<Error> none;
    demandFollows(document.at("guarantee"), JsonNode(written, none), found);
}

}  // namespace

ordered_json calibrationDocument(const Run& run) {
    FieldWriter json;
    describeCalibration(json, run, *run.summary);
    return std::move(json).json();
}

Run readCalibration(const JsonNode& document) {
    FieldReader json(document);
    Run run;
    CalibrationSummary summary;
    describeCalibration(json, run, summary);
    checkWhole(json, summary);
    if (std::ranges::all_of(run.examples, [](const auto& examples) { return examples.empty(); })) {
        run.examples.clear();
    }
    if (summary.cells.size() == summary.guarantees.size()) {
        recomputeGuarantees(document, run, summary);
    }
    run.summary = std::make_shared<const CalibrationSummary>(std::move(summary));
    return run;
}

Result<Run> readCalibration(std::string_view json) {
    return parseJson(json).and_then([](const JsonDocument& document) {
        return readDocument(document, [](const JsonNode& node) { return readCalibration(node); });
    });
}

std::string requestLine(const calibration::RunRequest& request) {
    FieldWriter json;
    kLoad.describe(json, request.load);
    kOptions.describe(json, request.options);
    return jsonLine(std::move(json).json());
}

}  // namespace epsilens::document
