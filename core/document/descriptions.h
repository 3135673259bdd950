#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "core/calibration/run.h"
#include "core/document/fields.h"
#include "core/document/report_document.h"
#include "core/evaluation/evaluation.h"
#include "core/io/record_reader.h"
#include "core/mechanism/mechanism.h"
#include "core/metric/metric.h"
#include "core/release/policies.h"
#include "core/text/letter_case.h"

/// The fields that several documents have, as rules of fields.h.
namespace epsilens::document {

inline constexpr std::int64_t kMostDraws = 1'000'000;
inline constexpr Number kGamma = kAtLeastZero;
inline constexpr Number kBeta{kLeastNumber, 1.0};
inline constexpr Named<mechanism::radialLawName, mechanism::parseRadialLaw> kLaw{};
inline constexpr Named<text::casePolicyName, text::parseCasePolicy> kCase{};
inline constexpr Named<release::unknownPolicyName, release::parseUnknownPolicy> kUnknown{};
inline constexpr Named<io::recordFormatName, io::parseRecordFormat> kRecordFormat{};

/// embedding::LoadOptions: which vectors are loaded.
inline constexpr auto kLoad = objectOf([](auto& json, auto& load) {
    // Where the files lie does not matter as long as they are the same.
    json.field("path", load.path, kPath);
    json.field("inputFormat", load.inputFormat,
               Named<embedding::inputFormatName, embedding::parseInputFormat>{});
    json.field("strict", load.strict, kFlag);
    json.fieldOrNull(load.limitRows > 0, "limitRows", load.limitRows, Integer{1});
    json.fieldOrNull(!load.vocabularyPath.empty(), "vocabulary", load.vocabularyPath, kPath);
});

/// 64 lower-case hexadecimal digits.
struct Digest {
    [[nodiscard]] nlohmann::ordered_json write(const std::string& value) const { return value; }
    void read(const JsonNode& node, std::string& value) const {
        value = node.text(64);
        if (value.size() != 64 ||
            value.find_first_not_of("0123456789abcdef") != std::string::npos) {
            node.complain("it does not consist of 64 lower-case hexadecimal digits");
        }
    }
};

/// calibration::EmbeddingDescription
inline constexpr auto kEmbedding = objectOf([](auto& json, auto& embedding) {
    json.field("file", embedding.file, kFileName);
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
});

/// A mechanism by its name, with the default parameters. The mechanism knows its name first;
/// reading it gives it the parameters behind.
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

/// Parameters that are no numbers; those that the mechanism does not have are written with their
/// defaults.
inline constexpr auto kVariant = objectOf([](auto& json, auto& mechanism) {
    const mechanism::Parameters own = mechanism.parameters();
    auto metric = own.metric.value_or(metric::Metric::euclidean);
    auto law = own.law.value_or(mechanism::RadialLaw::riemannian);
    json.field("metric", metric, Named<metric::metricKey, metric::parseMetric>{});
    json.field("noise", law, kLaw);
    if constexpr (kReads<decltype(json)>) {
        mechanism = mechanism.with({.metric = metric, .law = law});
    }
});

/// A metric by what people call it.
[[nodiscard]] inline Result<metric::Metric> metricOfName(std::string_view name) {
    for (const auto metric : {metric::Metric::euclidean, metric::Metric::mahalanobis,
                              metric::Metric::angular, metric::Metric::poincare}) {
        if (metric::metricName(metric) == name) {
            return metric;
        }
    }
    return fail(ErrorCode::badFile, fmt::format("the metric \"{}\" is unknown", name));
}
inline constexpr Named<metric::metricName, metricOfName> kMetricName{};

/// mechanism::Mechanism without the numbers of a setting.
inline constexpr auto kMechanism = objectOf([](auto& json, auto& mechanism) {
    json.field("name", mechanism, MechanismName{});
    const mechanism::Parameters own = mechanism.parameters();
    auto metric = mechanism.metric();
    bool exact = mechanism.isExact();
    json.field("metric", metric, kMetricName);
    json.field("exact", exact, kFlag);
    auto law = own.law.value_or(mechanism::RadialLaw::riemannian);
    json.fieldOrNull(own.law.has_value(), "noise", law, kLaw);
    if constexpr (kReads<decltype(json)>) {
        mechanism = mechanism.with({.metric = metric, .law = law});
        constexpr std::string_view kUnfit = "it does not fit the mechanism";
        json.demand(mechanism.metric() == metric, "metric", kUnfit);
        json.demand(mechanism.isExact() == exact, "exact", kUnfit);
    }
});

/// mechanism::Guarantee
[[nodiscard]] constexpr auto guaranteeFields(bool hasLambda) {
    return objectOf([hasLambda](auto& json, auto& guarantee) {
        json.field("epsilon", guarantee.epsilon, kAboveZero);
        json.fieldOrNull(hasLambda, "lambda", guarantee.lambda, kShare);
        json.field("gamma", guarantee.gamma, kGamma);
        json.field("metric", guarantee.metric, kMetricName);
        json.field("bound", guarantee.bound, kAtLeastZero);
        json.field("cap", guarantee.cap, kAtLeastZero);
        json.field("statement", guarantee.statement, kText);
        json.field("scope", guarantee.scope, kText);
        json.fieldIf("euclidean", guarantee.euclidean, pairOf(kAtLeastZero));
    });
}

inline constexpr auto kGrid = objectOf([](auto& json, auto& grid) {
    constexpr std::size_t kMost = 10'000;
    json.field("mechanism", grid.mechanism, MechanismName{});
    kVariant.describe(json, grid.mechanism);
    json.field("epsilons", grid.epsilons, listOf(kAboveZero, kMost));
    json.field("lambdas", grid.lambdas, listOf(kShare, kMost));
    json.field("gammas", grid.gammas, listOf(kGamma, kMost));
    json.field("betas", grid.betas, listOf(kBeta, kMost));
});

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

inline constexpr auto kWordSelection = objectOf([](auto& json, auto& words) {
    using Kind = calibration::WordSelection::Kind;
    json.field("kind", words.kind,
               oneOf<Kind>({{"all", Kind::all}, {"random", Kind::random}, {"list", Kind::list}}));
    if (words.kind == Kind::random) {
        json.field("count", words.count, Integer{1});
    } else if (words.kind == Kind::list) {
        json.field("rows", words.rows, listOf(kRow, static_cast<std::size_t>(kLargestRow)));
    }
});

/// calibration::CalibrationOptions: mechanism, grid, words, draws and seed.
inline constexpr auto kOptions = objectOf([](auto& json, auto& options) {
    kGrid.describe(json, options.grid);
    // Dense points, computed from the paths of the draws.
    json.fieldIf(options.epsilonAxis, "epsilonAxis", options.epsilonAxis, kFlag);
    json.field("words", options.words, kWordSelection);
    json.field("draws", options.draws, Integer{1, kMostDraws});
    json.field("seed", options.seed, kCount);
    json.field("nearNeighbours", options.nearNeighbours,
               Integer{1, std::numeric_limits<int>::max()});
    json.field("independentDraws", options.independentDraws, kFlag);
    json.field("deniabilityOdds", options.deniabilityOdds, Number{1.0});
    json.field("rerunWorst", options.rerunWorst, kFlag);
});

/// calibration::SelectionDescription
inline constexpr auto kSelection = objectOf([](auto& json, auto& selection) {
    json.field("words", selection.words, kFileName);
    json.fieldOrNull(
        !selection.dataFile.empty(), "data", selection, objectOf([](auto& part, auto& data) {
            part.field("file", data.dataFile, kFileName);
            part.fieldOrNull(!data.dataColumn.empty(), "column", data.dataColumn, kText);
            part.field("records", data.dataRecords, kCount);
            part.fieldIf(data.dataFormat != io::RecordFormat::automatic, "format", data.dataFormat,
                         kRecordFormat);
            part.fieldIf(data.letterCase != text::CasePolicy::automatic, "case", data.letterCase,
                         kCase);
        }));
});

/// What becomes of texts at one setting.
inline constexpr auto kExamples = listOf(
    objectOf([](auto& json, auto& example) {
        json.field("text", example.text, kText);
        json.field("outputs", example.outputs, listOf(kText, calibration::Example::kOutputs));
    }),
    100);

/// KeptData
inline constexpr auto kKeptData = objectOf([](auto& json, auto& data) {
    auto& options = data.options;
    json.field("path", options.path, kPath);
    json.fieldIf(!options.testPath.empty(), "testPath", options.testPath, kPath);
    json.field("relativePath", data.relativePath, kPath);
    json.field("textColumn", options.textColumn, kText);
    json.field("labelColumn", options.labelColumn, kText);
    json.field("authorColumn", options.authorColumn, kText);
    json.field("splitColumn", options.splitColumn, kText);
    json.field("format", options.format, kRecordFormat);
    json.field("bytes", data.fingerprint.bytes, kCount);
    json.field("sha256", data.fingerprint.sha256, Text{64});
});

using evaluation::PriorKind;
inline constexpr auto kPrior = oneOf<PriorKind>({{"training", PriorKind::training},
                                                 {"uniform", PriorKind::uniform},
                                                 {"file", PriorKind::file}});
inline constexpr auto kTasks = listOf(Named<attack::taskName, attack::parseTask>{}, 5);
inline constexpr Named<evaluation::classifierName, evaluation::parseClassifier> kClassifier{};

/// evaluation::EvaluationOptions, as far as requests keep them.
inline constexpr auto kEvaluationOptions = objectOf([](auto& json, auto& options) {
    kGrid.describe(json, options.grid);
    json.field("tasks", options.tasks, kTasks);
    json.field("classifiers", options.classifiers, listOf(kClassifier, 3));
    json.fieldIf(!options.positive.empty(), "positive", options.positive, kText);
    json.field("unknown", options.policies.unknown, kUnknown);
    json.field("case", options.policies.letterCase, kCase);
    json.field("attack", options.attack, objectOf([](auto& part, auto& attack) {
                   part.fieldIf(attack.prior != PriorKind::training, "prior", attack.prior, kPrior);
               }));
    json.field("perturbTest", options.perturbTest, kFlag);
    json.field("repeats", options.repeats, Integer{1, evaluation::EvaluationOptions::kMostRepeats});
    json.field("seed", options.seed, kCount);
});

inline constexpr std::size_t kMostLimits = 1'000;
inline constexpr Named<evaluation::limitText, evaluation::parseFigureLimit> kFigureLimit{};

/// Limits of ReportSettings or of a KeptSearch as texts, "nw.p95<=50%", and those on figures, if
/// any.
inline constexpr auto kLimits = objectOf([](auto& json, auto& settings) {
    json.field("limits", settings.limits,
               listOf(Named<calibration::limitText, calibration::parseLimit>{}, kMostLimits));
    json.fieldIf(!settings.figureLimits.empty(), "figureLimits", settings.figureLimits,
                 listOf(kFigureLimit, kMostLimits));
});

/// The name of a policy for unknown words; empty where none was stated.
struct PolicyName : Text {
    void read(const JsonNode& node, std::string& value) const {
        Text::read(node, value);
        if (const auto policy = release::parseUnknownPolicy(value); !policy && !value.empty()) {
            node.complain(policy.error().message);
        }
    }
};

using Answer = ReportSettings::Answer;
inline constexpr auto kAnswer =
    oneOf<Answer>({{"yes", Answer::yes}, {"no", Answer::no}, {"not stated", Answer::notStated}});

/// ReportSettings without limits.
inline constexpr auto kReportSettings = objectOf([](auto& json, auto& settings) {
    json.field("title", settings.title, kText);
    json.field("purpose", settings.purpose, kText);
    json.field("author", settings.author, kText);
    json.field("date", settings.date, kText);
    json.field("trainedOnProtectedText", settings.trainedOnProtectedText, kAnswer);
    json.field("textSource", settings.textSource, kText);
    json.field("unknownWords", settings.unknownWords, PolicyName{});
    json.field("alternatives", settings.alternatives, kText);
    json.field("reason", settings.reason, kText);
    json.field("choice", settings.choice, objectOf([](auto& part, auto& choice) {
                   part.field("epsilon", choice.epsilon, kAboveZero);
                   part.field("lambda", choice.lambda, kShare);
                   part.field("gamma", choice.gamma, kGamma);
               }));
    json.field("density", settings.density, objectOf([](auto& part, auto& density) {
                   part.field("min", density.distances.min, kAtLeastZero);
                   part.field("p5", density.distances.p5, kAtLeastZero);
                   part.field("p50", density.distances.p50, kAtLeastZero);
                   part.field("p95", density.distances.p95, kAtLeastZero);
                   part.field("max", density.distances.max, kAtLeastZero);
                   part.field("meanOfSparsest", density.meanOfSparsest, kAtLeastZero);
                   part.field("meanOfDensest", density.meanOfDensest, kAtLeastZero);
               }));
    json.fieldIf(!settings.epsilonOrigin.empty(), "epsilonOrigin", settings.epsilonOrigin, kText);
});

}  // namespace epsilens::document
