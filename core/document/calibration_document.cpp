#include "core/document/calibration_document.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/document/descriptions.h"
#include "core/document/fields.h"
#include "core/document/json_parser.h"
#include "core/document/mechanism_fields.h"
#include "core/document/recomputed_guarantees.h"

namespace epsilens::document {
namespace {

using calibration::CalibrationSummary;
using calibration::Provenance;
using calibration::Run;
using nlohmann::ordered_json;

constexpr std::size_t kMostCells = 1'000'000;
constexpr std::size_t kMostPairs = 1'000'000;
constexpr std::int64_t kMostDraws = 1'000'000;
constexpr std::int64_t kMostRerunDraws = 1'000'000'000;
constexpr std::int64_t kMostThreads = 1 << 20;
constexpr NumberOrNaN kStatistic{};

/// 64 lower-case hexadecimal digits.
struct Digest {
    [[nodiscard]] ordered_json write(const std::string& value) const { return value; }
    void read(const JsonNode& node, std::string& value) const {
        value = node.text(64);
        if (value.size() != 64 ||
            value.find_first_not_of("0123456789abcdef") != std::string::npos) {
            node.complain("it does not consist of 64 lower-case hexadecimal digits");
        }
    }
};

template <typename Fields, typename Summary>
void describeSummary(Fields& json, Summary& summary) {
    json.field("mean", summary.mean, kStatistic);
    json.field("sd", summary.sd, kStatistic);
    json.field("sdTrue", summary.sdTrue, kAtLeastZero);
    json.field("ci95", summary.ci95, pairOf(Number{-kLargestNumber}));
    json.field("min", summary.min, kStatistic);
    json.field("p1", summary.p1, kStatistic);
    json.field("p5", summary.p5, kStatistic);
    json.field("p25", summary.p25, kStatistic);
    json.field("p50", summary.p50, kStatistic);
    json.field("p75", summary.p75, kStatistic);
    json.field("p95", summary.p95, kStatistic);
    json.field("p99", summary.p99, kStatistic);
    json.field("max", summary.max, kStatistic);
}

constexpr auto kSummary =
    objectOf([](auto& json, auto& summary) { describeSummary(json, summary); });

constexpr auto kDeniability = objectOf([](auto& json, auto& deniability) {
    json.field("odds", deniability.odds, Number{1.0});
    json.field("words", deniability.words, kRow);
    json.field("share", deniability.share, NumberOrNaN{{0.0, 1.0}});
    describeSummary(json, deniability.sizes);
});

constexpr auto kWorst = objectOf([](auto& json, auto& worst) {
    json.field("draws", worst.draws, Integer{1, kMostRerunDraws});
    json.field("words", worst.words,
               listOf(objectOf([draws = worst.draws](auto& entry, auto& word) {
                          entry.field("word", word.word, kText);
                          entry.field("row", word.row, kRow);
                          entry.field("nw", word.nw, kAtLeastZero);
                          entry.field("kept", word.kept, Integer{0, draws});
                      }),
                      kMostPairs));
});

template <typename Fields, typename Cell>
void describeCell(Fields& json, Cell& cell, bool hasLambda) {
    json.field("epsilon", cell.epsilon, kAboveZero);
    json.fieldOrNull(hasLambda, "lambda", cell.lambda, kShare);
    json.field("gamma", cell.gamma, kGamma);
    json.field("beta", cell.beta, kBeta);
    json.field("nw", cell.nw, kSummary);
    json.field("sw", cell.sw, kSummary);
    json.field("minEntropy", cell.minEntropy, kSummary);
    json.field("shannonEntropy", cell.shannonEntropy, kSummary);
    json.field("hartleyEntropy", cell.hartleyEntropy, kSummary);
    json.field("kw", cell.kw, kSummary);
    json.field("deniability", cell.deniability, kDeniability);
    json.field("kept", cell.kept, kShare);
    json.field("near", cell.near, kShare);
    json.field("far", cell.far, kShare);
    json.field("meanDistance", cell.meanDistance, kStatistic);
    json.field("meanCosine", cell.meanCosine, Number{-1.0 - 1e-6, 1.0 + 1e-6});
    json.field("coverage", cell.coverage, kShare);
    json.fieldIf("worst", cell.worst, kWorst);
    json.fieldIf("relativeError", cell.relativeError, kAtLeastZero);
}

constexpr auto kWordValue = objectOf([](auto& json, auto& word) {
    json.field("word", word.word, kText);
    json.field("row", word.row, kRow);
    json.field("nw", word.nw, kAtLeastZero);
    json.field("sw", word.sw, kAtLeastZero);
});

Result<metric::Metric> metricOfName(std::string_view name) {
    for (const auto metric : {metric::Metric::euclidean, metric::Metric::mahalanobis,
                              metric::Metric::angular, metric::Metric::poincare}) {
        if (metricName(metric) == name) {
            return metric;
        }
    }
    return fail(ErrorCode::badFile, fmt::format("the metric \"{}\" is unknown", name));
}

constexpr Named<metric::metricName, metricOfName> kMetricName{};

template <typename Fields, typename Provenance, typename Summary>
void describeRun(Fields& json, Provenance& provenance, Summary& summary) {
    json.field("words", summary.words, Integer{1, kLargestRow});
    json.field("draws", summary.draws, Integer{1, kMostDraws});
    json.field("seed", summary.seed, kCount);
    json.field("threads", summary.threads, Integer{0, kMostThreads});
    json.field("blockSize", summary.blockSize, kRow);
    json.field("partial", summary.partial, kFlag);
    json.field("substitutions", summary.substitutions, kCount);
    json.field("seconds", summary.seconds, objectOf([&](auto& seconds, auto& ofCalibration) {
                   seconds.field("load", provenance.loadSeconds, kAtLeastZero);
                   seconds.field("prepare", provenance.prepareSeconds, kAtLeastZero);
                   seconds.field("calibrate", ofCalibration, kAtLeastZero);
               }));
    json.field("peakMemoryMiB", provenance.peakMemoryMiB, kCount);
    json.field("wordsAsked", summary.wordsAsked, Integer{1, kLargestRow});
    json.field("nearNeighbours", summary.nearNeighbours, kRow);
    json.field("independentDraws", summary.independentDraws, kFlag);
    describeSelection(json, provenance.selection);
}

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
        describeExamples(json, examples[number]);
    }
}

/// What a run tells beside its statistics, for reports and for doing it again.
template <typename Fields, typename OneRun>
void describeDetails(Fields& json, OneRun& run, bool hasLambda) {
    json.field("pairs", run.pairs,
               listOf(objectOf([&](auto& entry, auto& pair) {
                          describePair(entry, "words", pair.first, pair.second, kText);
                          entry.fieldOrNull(hasLambda, "lambda", pair.lambda, kShare);
                          entry.field("distance", pair.distance, kAtLeastZero);
                      }),
                      kMostPairs));
    json.field("repeat", run.request, objectOf([](auto& repeat, auto& request) {
                   describeLoad(repeat, request.load);
                   describeOptions(repeat, request.options);
               }));
}

template <typename Fields, typename OneRun, typename Summary>
void describeCalibration(Fields& json, OneRun& run, Summary& summary) {
    json.schema(kCalibrationSchema);
    json.field("version", run.provenance.version, kText);
    json.field("embedding", run.provenance.embedding,
               objectOf([](auto& part, auto& embedding) { describeEmbedding(part, embedding); }));
    auto& grid = summary.grid;
    json.field("mechanism", grid.mechanism, objectOf([](auto& part, auto& mechanism) {
                   describeMechanism(part, mechanism, mechanism.isExact());
               }));
    const bool hasLambda = grid.mechanism.hasLambda();
    json.field("guarantee", summary.guarantees,
               listOf(objectOf([hasLambda](auto& entry, auto& guarantee) {
                          describeGuarantee(entry, guarantee, hasLambda);
                      }),
                      kMostCells));
    json.field("run", summary, objectOf([&run](auto& part, auto& results) {
                   describeRun(part, run.provenance, results);
               }));
    json.field("cells", summary.cells,
               listOf(objectOf([&](auto& entry, auto& cell) {
                          describeCell(entry, cell, hasLambda);
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

template <typename Describe>
ordered_json written(Describe&& describe) {
    FieldWriter json;
    describe(json);
    return std::move(json).json();
}

constexpr std::size_t kMostExamples = 100;

}  // namespace

template <typename Fields, typename Embedding>
void describeEmbedding(Fields& json, Embedding& embedding) {
    json.field("file", embedding.file, kPath);
    json.field("sha256", embedding.sha256, Digest{});
    json.field("format", embedding.format, kText);
    json.field("words", embedding.words, Integer{1, kLargestRow});
    json.field("dimensions", embedding.dimensions, Integer{1, kLargestRow});
    json.field("skipped", embedding, objectOf([](auto& skipped, auto& counts) {
                   skipped.field("badLines", counts.badLines, kCount);
                   skipped.field("duplicates", counts.duplicates, kCount);
               }));
    json.fieldIf("limitedTo", embedding.limitedTo, Integer{1});
    json.fieldIf("vocabulary", embedding.vocabulary, objectOf([](auto& list, auto& selection) {
                     list.field("kept", selection.kept, kCount);
                     list.field("missing", selection.missing, kCount);
                 }));
    json.fieldIf("sharedVectors", embedding.sharedVectors,
                 objectOf([words = embedding.words](auto& shared, auto& vectors) {
                     shared.field("words", vectors.words, Integer{0, words});
                     shared.field("groups", vectors.groups, Integer{0, words});
                 }));
}

template <typename Fields, typename Mechanism>
void describeMechanism(Fields& json, Mechanism& mechanism, bool exact) {
    json.field("name", mechanism, MechanismName{});
    mechanism::Parameters own = mechanism.parameters();
    auto metric = mechanism.metric();
    json.field("metric", metric, kMetricName);
    json.field("exact", exact, kFlag);
    auto law = own.law.value_or(mechanism::RadialLaw::riemannian);
    json.fieldOrNull(own.law.has_value(), "noise", law, kLaw);
    if constexpr (Fields::kReads) {
        mechanism = mechanism.with({.metric = metric, .law = law});
        constexpr std::string_view kUnfit = "it does not fit the mechanism";
        json.demand(mechanism.metric() == metric, "metric", kUnfit);
        json.demand(mechanism.isExact() == exact, "exact", kUnfit);
    }
}

template <typename Fields, typename Guarantee>
void describeGuarantee(Fields& json, Guarantee& guarantee, bool hasLambda) {
    json.field("epsilon", guarantee.epsilon, kAboveZero);
    json.fieldOrNull(hasLambda, "lambda", guarantee.lambda, kShare);
    json.field("gamma", guarantee.gamma, kGamma);
    json.field("metric", guarantee.metric, kMetricName);
    json.field("bound", guarantee.bound, kAtLeastZero);
    json.field("cap", guarantee.cap, kAtLeastZero);
    json.field("statement", guarantee.statement, kText);
    json.field("scope", guarantee.scope, kText);
    json.fieldIf("euclidean", guarantee.euclidean, pairOf(kAtLeastZero));
}

template void describeEmbedding(FieldWriter& json,
                                const calibration::EmbeddingDescription& embedding);
template void describeEmbedding(FieldReader& json, calibration::EmbeddingDescription& embedding);
template void describeMechanism(FieldWriter& json, const mechanism::Mechanism& mechanism,
                                bool exact);
template void describeMechanism(FieldReader& json, mechanism::Mechanism& mechanism, bool exact);
template void describeGuarantee(FieldWriter& json, const mechanism::Guarantee& guarantee,
                                bool hasLambda);
template void describeGuarantee(FieldReader& json, mechanism::Guarantee& guarantee, bool hasLambda);

template <typename Fields, typename Examples>
void describeExamples(Fields& json, Examples& examples) {
    constexpr auto kExample = objectOf([](auto& entry, auto& example) {
        entry.field("text", example.text, kText);
        entry.field("outputs", example.outputs, listOf(kText, calibration::Example::kOutputs));
    });
    json.fieldIf(!examples.empty(), "examples", examples, listOf(kExample, kMostExamples));
}

template void describeExamples(FieldWriter& json,
                               const std::vector<calibration::Example>& examples);
template void describeExamples(FieldReader& json, std::vector<calibration::Example>& examples);

ordered_json calibrationDocument(const Run& run) {
    FieldWriter json;
    describeCalibration(json, run, *run.summary);
    return std::move(json).json();
}

std::string calibrationJson(const Run& run) {
    return jsonText(calibrationDocument(run));
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

ordered_json jsonEmbedding(const calibration::EmbeddingDescription& embedding) {
    return written([&](FieldWriter& json) { describeEmbedding(json, embedding); });
}

ordered_json jsonMechanism(const mechanism::Mechanism& mechanism, bool exact) {
    return written([&](FieldWriter& json) { describeMechanism(json, mechanism, exact); });
}

ordered_json jsonGuarantee(const mechanism::Mechanism& mechanism,
                           const mechanism::Guarantee& guarantee) {
    return written(
        [&](FieldWriter& json) { describeGuarantee(json, guarantee, mechanism.hasLambda()); });
}

ordered_json jsonRun(const Provenance& provenance, const CalibrationSummary& summary) {
    return written([&](FieldWriter& json) { describeRun(json, provenance, summary); });
}

ordered_json jsonCell(const CalibrationSummary& summary, const calibration::Cell& cell) {
    return written(
        [&](FieldWriter& json) { describeCell(json, cell, summary.grid.mechanism.hasLambda()); });
}

}  // namespace epsilens::document
