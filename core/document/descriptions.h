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
#include "core/evaluation/figure_search.h"
#include "core/io/record_reader.h"
#include "core/mechanism/mechanism.h"
#include "core/metric/metric.h"
#include "core/release/policies.h"
#include "core/text/letter_case.h"

/// The fields that several documents have, as rules of fields.h.
namespace epsilens::document {

inline constexpr std::int64_t kMostDraws = 1'000'000;
inline constexpr std::size_t kMostPairs = 1'000'000;
inline constexpr auto kInterval = pairOf(Number{-kLargestNumber});
inline constexpr Number kGamma = kAtLeastZero;
inline constexpr Number kBeta{kLeastNumber, 1.0};
inline constexpr Named<metric::metricKey, metric::parseMetric> kMetricKey{};
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
    json.field("strict", load.strict);
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
    json.field("format", embedding.format);
    json.field("words", embedding.words, Integer{1, kLargestRow});
    json.field("dimensions", embedding.dimensions, Integer{1, kLargestRow});
    json.field("skipped", embedding, objectOf([](auto& skipped, auto& counts) {
                   skipped.field("badLines", counts.badLines);
                   skipped.field("duplicates", counts.duplicates);
               }));
    json.fieldIf("limitedTo", embedding.limitedTo, Integer{1});
    json.fieldIf("vocabulary", embedding.vocabulary, objectOf([](auto& list, auto& selection) {
                     list.field("kept", selection.kept);
                     list.field("missing", selection.missing);
                 }));
    json.fieldIf("sharedVectors", embedding.sharedVectors,
                 objectOf([words = embedding.words](auto& shared, auto& vectors) {
                     shared.field("words", vectors.words, Integer{0, words});
                     shared.field("groups", vectors.groups, Integer{0, words});
                 }));
});

/// What every document of vectors begins with.
template <typename Fields, typename Provenance>
void describeOrigin(Fields& json, std::string_view schema, Provenance& provenance) {
    json.schema(schema);
    json.field("version", provenance.version);
    json.field("embedding", provenance.embedding, kEmbedding);
}

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
    json.field("metric", metric, kMetricKey);
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
    json.field("exact", exact);
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
        json.field("statement", guarantee.statement);
        json.field("scope", guarantee.scope);
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
    json.fieldIf(options.epsilonAxis, "epsilonAxis", options.epsilonAxis);
    json.field("words", options.words, kWordSelection);
    json.field("draws", options.draws, Integer{1, kMostDraws});
    json.field("seed", options.seed);
    json.field("nearNeighbours", options.nearNeighbours,
               Integer{1, std::numeric_limits<int>::max()});
    json.field("independentDraws", options.independentDraws);
    json.field("deniabilityOdds", options.deniabilityOdds, Number{1.0});
    json.field("rerunWorst", options.rerunWorst);
});

/// calibration::SelectionDescription
inline constexpr auto kSelection = objectOf([](auto& json, auto& selection) {
    json.field("words", selection.words, kFileName);
    json.fieldOrNull(!selection.dataFile.empty(), "data", selection,
                     objectOf([](auto& part, auto& data) {
                         part.field("file", data.dataFile, kFileName);
                         part.fieldOrNull(!data.dataColumn.empty(), "column", data.dataColumn);
                         part.field("records", data.dataRecords);
                         part.fieldIf(data.dataFormat != io::RecordFormat::automatic, "format",
                                      data.dataFormat, kRecordFormat);
                         part.fieldIf(data.letterCase != text::CasePolicy::automatic, "case",
                                      data.letterCase, kCase);
                     }));
});

inline constexpr NumberOrNaN kStatistic{};

template <typename Fields, typename Summary>
void describeSummary(Fields& json, Summary& summary) {
    json.field("mean", summary.mean, kStatistic);
    json.field("sd", summary.sd, kStatistic);
    json.field("sdTrue", summary.sdTrue, kAtLeastZero);
    json.field("ci95", summary.ci95, kInterval);
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

/// calibration::Summary
inline constexpr auto kSummary =
    objectOf([](auto& json, auto& summary) { describeSummary(json, summary); });

inline constexpr auto kDeniability = objectOf([](auto& json, auto& deniability) {
    json.field("odds", deniability.odds, Number{1.0});
    json.field("words", deniability.words, kRow);
    json.field("share", deniability.share, NumberOrNaN{{0.0, 1.0}});
    describeSummary(json, deniability.sizes);
});

inline constexpr auto kWorst = objectOf([](auto& json, auto& worst) {
    constexpr std::int64_t kMostRerunDraws = 1'000'000'000;
    json.field("draws", worst.draws, Integer{1, kMostRerunDraws});
    json.field("words", worst.words,
               listOf(objectOf([draws = worst.draws](auto& entry, auto& word) {
                          entry.field("word", word.word);
                          entry.field("row", word.row, kRow);
                          entry.field("nw", word.nw, kAtLeastZero);
                          entry.field("kept", word.kept, Integer{0, draws});
                      }),
                      kMostPairs));
});

/// calibration::Cell
[[nodiscard]] constexpr auto cellFields(bool hasLambda) {
    return objectOf([hasLambda](auto& json, auto& cell) {
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
    });
}

/// calibration::CalibrationSummary without its cells.
template <typename Provenance>
[[nodiscard]] auto runFields(Provenance& provenance) {
    return objectOf([&provenance](auto& json, auto& summary) {
        constexpr std::int64_t kMostThreads = 1 << 20;
        json.field("words", summary.words, Integer{1, kLargestRow});
        json.field("draws", summary.draws, Integer{1, kMostDraws});
        json.field("seed", summary.seed);
        json.field("threads", summary.threads, Integer{0, kMostThreads});
        json.field("blockSize", summary.blockSize, kRow);
        json.field("partial", summary.partial);
        json.field("substitutions", summary.substitutions);
        json.field("seconds", summary.seconds, objectOf([&](auto& seconds, auto& ofCalibration) {
                       seconds.field("load", provenance.loadSeconds, kAtLeastZero);
                       seconds.field("prepare", provenance.prepareSeconds, kAtLeastZero);
                       seconds.field("calibrate", ofCalibration, kAtLeastZero);
                   }));
        json.field("peakMemoryMiB", provenance.peakMemoryMiB);
        json.field("wordsAsked", summary.wordsAsked, Integer{1, kLargestRow});
        json.field("nearNeighbours", summary.nearNeighbours, kRow);
        json.field("independentDraws", summary.independentDraws);
        json.fieldIf("selection", provenance.selection, kSelection);
    });
}

/// What becomes of texts at one setting.
inline constexpr auto kExamples = listOf(
    objectOf([](auto& json, auto& example) {
        json.field("text", example.text);
        json.field("outputs", example.outputs, listOf(kText, calibration::Example::kOutputs));
    }),
    100);

/// KeptData
inline constexpr auto kKeptData = objectOf([](auto& json, auto& data) {
    auto& options = data.options;
    json.field("path", options.path, kPath);
    json.fieldIf(!options.testPath.empty(), "testPath", options.testPath, kPath);
    json.field("relativePath", data.relativePath, kPath);
    json.field("textColumn", options.textColumn);
    json.field("labelColumn", options.labelColumn);
    json.field("authorColumn", options.authorColumn);
    json.field("splitColumn", options.splitColumn);
    json.field("format", options.format, kRecordFormat);
    json.field("bytes", data.fingerprint.bytes);
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
    json.fieldIf(!options.positive.empty(), "positive", options.positive);
    json.field("unknown", options.policies.unknown, kUnknown);
    json.field("case", options.policies.letterCase, kCase);
    json.field("attack", options.attack, objectOf([](auto& part, auto& attack) {
                   part.fieldIf(attack.prior != PriorKind::training, "prior", attack.prior, kPrior);
               }));
    json.field("perturbTest", options.perturbTest);
    json.field("repeats", options.repeats, Integer{1, evaluation::EvaluationOptions::kMostRepeats});
    json.field("seed", options.seed);
});

/// A corpus::Measured, or another value with its interval.
inline constexpr auto kMeasured = objectOf([](auto& json, auto& figure) {
    json.field("mean", figure.value);
    json.field("ci95", figure.ci95, kInterval);
});

inline constexpr std::size_t kMostLimits = 1'000;
inline constexpr Named<calibration::limitText, calibration::parseLimit> kLimit{};
inline constexpr Named<evaluation::limitText, evaluation::parseFigureLimit> kFigureLimit{};

/// evaluation::FigureCheck
inline constexpr auto kFigureCheck = objectOf([](auto& json, auto& check) {
    json.field("limit", check.limit, kFigureLimit);
    json.field("value", check.figure.value);
    json.field("ci95", check.figure.ci95, kInterval);
    if constexpr (kReads<decltype(json)>) {
        check = evaluation::checkFigure(check.limit, check.figure);
    }
});

/// calibration::LimitCheck
inline constexpr auto kLimitCheck = objectOf([](auto& json, auto& check) {
    json.field("limit", check.limit, kLimit);
    json.field("value", check.value);
    json.field("bound", check.bound);
    json.field("margin", check.margin);
    json.put("met", check.met());
});

/// evaluation::FigureCheck
inline constexpr auto kJudgedFigure = objectOf([](auto& json, auto& check) {
    kFigureCheck.describe(json, check);
    json.put("margin", check.margin);
    json.put("met", check.met());
});

/// evaluation::LimitsFound
inline constexpr auto kLimitsFound = objectOf([](auto& json, auto& found) {
    json.field("checks", found.checks, listOf(kJudgedFigure));
    json.field("fresh", found.fresh, listOf(kJudgedFigure));
    json.field("binding", found.binding, kJudgedFigure);
    json.field("searched", found, objectOf([](auto& part, auto& search) {
                   std::size_t tried = search.tried.size();
                   part.field("from", search.searched.low);
                   part.field("to", search.searched.high);
                   part.field("lookedTo", search.lookedTo);
                   part.field("epsilons", tried, kRow);
                   if constexpr (kReads<decltype(part)>) {
                       search.tried.resize(tried);
                   }
               }));
});

/// All limits of an evaluation::LimitedRecommendation, as texts.
struct LimitTexts {
    [[nodiscard]] nlohmann::ordered_json write(
        const evaluation::LimitedRecommendation& found) const {
        auto texts = listOf(kLimit).write(found.limits);
        for (const evaluation::FigureLimit& limit : found.figureLimits) {
            texts.push_back(kFigureLimit.write(limit));
        }
        return texts;
    }
    void read(const JsonNode& node, evaluation::LimitedRecommendation& found) const {
        node.eachItem(kMostLimits, [&](const JsonNode& item) {
            if (evaluation::namesFigure(item.textView())) {
                kFigureLimit.read(item, found.figureLimits.emplace_back());
            } else {
                kLimit.read(item, found.limits.emplace_back());
            }
        });
    }
};

/// Limits of ReportSettings or of a KeptSearch as texts, "nw.p95<=50%", and those on figures, if
/// any.
inline constexpr auto kLimits = objectOf([](auto& json, auto& settings) {
    json.field("limits", settings.limits, listOf(kLimit, kMostLimits));
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
    json.field("title", settings.title);
    json.field("purpose", settings.purpose);
    json.field("author", settings.author);
    json.field("date", settings.date);
    json.field("trainedOnProtectedText", settings.trainedOnProtectedText, kAnswer);
    json.field("textSource", settings.textSource);
    json.field("unknownWords", settings.unknownWords, PolicyName{});
    json.field("alternatives", settings.alternatives);
    json.field("reason", settings.reason);
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
    json.fieldIf(!settings.epsilonOrigin.empty(), "epsilonOrigin", settings.epsilonOrigin);
});

}  // namespace epsilens::document
