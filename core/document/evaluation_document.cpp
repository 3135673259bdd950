#include "core/document/evaluation_document.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <string_view>
#include <system_error>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/numbers.h"
#include "core/document/descriptions.h"
#include "core/document/fields.h"
#include "core/document/session.h"
#include "core/evaluation/evaluation.h"
#include "core/io/byte_source.h"

namespace epsilens::document {
namespace {

namespace fs = std::filesystem;

using attack::Findings;
using attack::Task;
using evaluation::ClassifierKind;
using evaluation::EvaluationCell;
using evaluation::EvaluationOptions;
using evaluation::EvaluationSummary;
using evaluation::Verdict;
using nlohmann::ordered_json;

constexpr std::size_t kMostEvaluationCells = 10'000;
constexpr std::size_t kMostFigures = 10'000;
constexpr std::size_t kMostNames = 1'000;
constexpr std::size_t kMostComparisons = 10'000'000;
constexpr std::size_t kMostRepeats = EvaluationOptions::kMostRepeats;
constexpr RuleOf<double> kFigure{};
constexpr auto kTestText = oneOf<bool>({{"original", false}, {"perturbed", true}});
constexpr auto kVerdict = oneOf<Verdict>({{"undecided", Verdict::undecided},
                                          {"different", Verdict::different},
                                          {"withinMargin", Verdict::withinMargin}});

constexpr auto kFile = objectOf([](auto& json, auto& file) {
    json.field("path", file.path, kPath);
    json.field("sha256", file.sha256, Text{64});
});

constexpr auto kRequest = objectOf([](auto& json, auto& request) {
    json.field("load", request.load, kLoad);
    json.field("data", request.data, kKeptData);
    json.field("options", request.options, kEvaluationOptions);
    for (auto& [name, file] :
         {std::pair("stopWords", &request.stopWords), std::pair("onlyWords", &request.onlyWords),
          std::pair("priorFile", &request.prior)}) {
        json.fieldIf(!file->path.empty(), name, *file, kFile);
    }
});

constexpr auto kLengths = objectOf([](auto& json, auto& lengths) {
    json.field("median", lengths.median);
    json.field("longest", lengths.longest);
});

constexpr auto kData = objectOf([](auto& json, auto& data) {
    constexpr auto kRows = listOf(kCount, corpus::kRowsNamed);
    json.field("file", data.file, kFileName);
    json.field("columns", data.columns);
    json.field("documents", data.documents);
    json.field("duplicates", data.duplicates);
    json.field("repeatedTestDocuments", data.repeatedTestDocuments);
    json.field("badRows", data.badRows);
    json.field("firstBadRows", data.firstBadRows, kRows);
    json.field("badTestRows", data.badTestRows);
    json.field("firstBadTestRows", data.firstBadTestRows, kRows);
    json.field("tokens", data.tokens);
    json.field("knownTokens", data.knownTokens);
    json.field("replacedTokens", data.replacedTokens);
    json.fieldIf(data.lengths.longest > 0, "replacedPerDocument", data.lengths, kLengths);
    json.field("classes", data.classes, listOf(kText, kMostNames));
    json.fieldOrNull(!data.commonest.empty(), "commonest", data.commonest);
    json.field("authors", data.authors);
    json.fieldOrNull(!data.positive.empty(), "positive", data.positive);
    json.field("ownSplit", data.hasOwnSplit);
    json.field("trainingDocuments", data.trainingDocuments);
    json.field("testDocuments", data.testDocuments);
});

/// Of an evaluation::Estimate, or of a statistic of which no more is told.
constexpr auto kEstimate = objectOf([](auto& json, auto& estimate) {
    json.field("mean", estimate.mean);
    json.field("ci95", estimate.ci95, kInterval);
});

constexpr auto kShareFigure = objectOf([](auto& json, auto& figure) {
    kMeasured.describe(json, figure);
    json.fieldIf(!figure.repeats.empty(), "repeats", figure.repeats, listOf(kFigure, kMostRepeats));
});

constexpr auto kWords = listOf(objectOf([](auto& json, auto& word) {
                                   json.field("word", word.word);
                                   json.field("success", word.success, kShare);
                                   json.field("tokens", word.tokens);
                               }),
                               kMostNames);

/// Figures at their paths, one object within the other; numbers that are no shares stand alone.
struct FindingsTree {
    static constexpr auto kChosen = listOf(Text{kLongestName}, kMostNames);

    [[nodiscard]] ordered_json write(const Findings& findings) const {
        ordered_json json = ordered_json::object();
        for (const attack::Figure& figure : findings.figures) {
            std::string pointer = "/" + figure.path;
            std::ranges::replace(pointer, '.', '/');
            json[ordered_json::json_pointer(pointer)] = figure.kind == attack::Figure::Kind::number
                                                            ? jsonNumber(figure.value)
                                                            : kShareFigure.write(figure);
        }
        if (!findings.chosen.empty()) {
            json["chosen"] = kChosen.write(findings.chosen);
        }
        if (!findings.words.empty()) {
            json["worstWords"] = kWords.write(findings.words);
        }
        return json;
    }
    void read(const JsonNode& node, Findings& findings) const {
        if (!node.isObject()) {
            node.complain("it is not an object");
            return;
        }
        node.eachMember([&](std::string_view key, const JsonNode& member) {
            if (key == "chosen") {
                kChosen.read(member, findings.chosen);
            } else if (key == "worstWords") {
                kWords.read(member, findings.words);
            } else {
                take(member, std::string(key), findings.figures);
            }
        });
    }

private:
    static void take(const JsonNode& node, std::string path, std::vector<attack::Figure>& figures) {
        if (node.value().is_array()) {
            std::size_t i = 0;
            node.eachItem(kMostFigures, [&](const JsonNode& item) {
                take(item, fmt::format("{}.{}", path, i++), figures);
            });
            return;
        }
        if (node.isObject() && !node.has("mean")) {
            node.eachMember([&](std::string_view key, const JsonNode& member) {
                take(member, fmt::format("{}.{}", path, key), figures);
            });
            return;
        }
        attack::Figure& figure = figures.emplace_back();
        figure.path = std::move(path);
        if (node.isObject()) {
            kShareFigure.read(node, figure);
        } else {
            figure.kind = attack::Figure::Kind::number;
            kFigure.read(node, figure.value);
        }
    }
};

constexpr FindingsTree kFindings{};

/// What classifiers came to: all of them, if any.
template <typename Fields, typename Summary, typename Results>
void describeClassify(Fields& json, const Summary& summary, Results& results) {
    json.field("classify", results, kFindings);
    if constexpr (Fields::kReads) {
        for (const ClassifierKind kind : summary.classified()) {
            const std::string_view name = evaluation::classifierName(kind);
            json.demand(attack::figureAt(results, fmt::format("{}.accuracy", name)) != nullptr,
                        "classify", fmt::format("it has no \"{}\"", name));
        }
    }
}

template <typename Fields, typename Cell>
void describeSetting(Fields& json, Cell& cell, bool hasLambda) {
    json.field("epsilon", cell.epsilon, kAboveZero);
    json.fieldOrNull(hasLambda, "lambda", cell.lambda, kShare);
    json.field("gamma", cell.gamma, kGamma);
    json.field("beta", cell.beta, kBeta);
}

template <typename Fields, typename Record>
void describeCells(Fields& json, Record& record, bool hasLambda) {
    auto& summary = record.summary;
    json.field("cells", summary.cells,
               listOf(objectOf([&](auto& entry, auto& cell) {
                          const auto place = static_cast<std::size_t>(&cell - summary.cells.data());
                          describeSetting(entry, cell, hasLambda);
                          if (record.survival) {
                              auto& words = record.survival->cells;
                              if constexpr (Fields::kReads) {
                                  words.resize(place + 1);
                              }
                              entry.field("nw", words[place].nw, kEstimate);
                              entry.field("sw", words[place].sw, kEstimate);
                          }
                          describeClassify(entry, summary, cell.classify);
                          for (auto& attack : summary.attacks) {
                              if constexpr (Fields::kReads) {
                                  attack.cells.resize(place + 1);
                              }
                              entry.field(attack::taskName(attack.task), attack.cells[place],
                                          kFindings);
                          }
                      }),
                      kMostEvaluationCells));
}

/// A value that stands for its place in a list.
///
/// placeOf  a value, the length of the list where it is not there
template <typename Fields, typename Place, typename Value, typename Rule, typename PlaceOf>
void describePlace(Fields& json, std::string_view key, Place& place,
                   const std::vector<Value>& values, const Rule& rule, const PlaceOf& placeOf) {
    Value value = Fields::kReads ? Value{} : values[place];
    json.field(key, value, rule);
    if constexpr (Fields::kReads) {
        place = placeOf(value);
        json.demand(place < values.size(), key, "it is not one of the evaluation");
    }
}

template <typename Fields, typename Summary>
void describeDifferences(Fields& json, Summary& summary, bool hasLambda) {
    const auto setting =
        objectOf([hasLambda](auto& part, auto& cell) { describeSetting(part, cell, hasLambda); });
    const auto keyOf = [](const EvaluationCell& cell) {
        return std::tuple(cell.epsilon, cell.lambda, cell.gamma, cell.beta);
    };
    std::map<decltype(keyOf(EvaluationCell{})), std::size_t> places;
    for (std::size_t i = 0; Fields::kReads && i < summary.cells.size(); ++i) {
        places.emplace(keyOf(summary.cells[i]), i);
    }
    const auto placeOf = [&](const EvaluationCell& cell) {
        const auto found = places.find(keyOf(cell));
        return found == places.end() ? summary.cells.size() : found->second;
    };
    json.field(
        "differences", summary.differences,
        listOf(objectOf([&](auto& entry, auto& compared) {
                   entry.field("classifier", compared.classifier, kClassifier);
                   describePlace(entry, "first", compared.first, summary.cells, setting, placeOf);
                   describePlace(entry, "second", compared.second, summary.cells, setting, placeOf);
                   auto& accuracy = compared.accuracy;
                   entry.field("accuracy", accuracy.difference, kEstimate);
                   entry.field("pDifferent", accuracy.pDifferent, kAtLeastZero);
                   entry.field("pWithinMargin", accuracy.pWithinMargin, kAtLeastZero);
                   entry.field("verdict", accuracy.verdict, kVerdict);
               }),
               kMostComparisons));
}

template <typename Fields, typename Record>
void describeRun(Fields& json, Record& record) {
    auto& summary = record.summary;
    auto& options = summary.options;
    json.field("tasks", options.tasks, kTasks);
    json.field("attack", options, objectOf([](auto& part, auto& asked) {
                   auto& attack = asked.attack;
                   std::string file = attack.reference ? attack.reference->file : std::string();
                   part.field("prior", attack.prior, kPrior);
                   part.fieldOrNull(!file.empty(), "priorFile", file, kFileName);
                   part.put("channel", asked.grid.mechanism.isExact() ? "exact" : "sampled");
                   if constexpr (Fields::kReads) {
                       attack.reference = std::make_shared<const attack::ReferenceText>(
                           attack::ReferenceText{std::move(file)});
                   }
               }));
    json.field("repeats", summary.repeats, Integer{0, EvaluationOptions::kMostRepeats});
    json.field("repeatsAsked", options.repeats, Integer{1, EvaluationOptions::kMostRepeats});
    json.field("seed", options.seed);
    json.field("partial", summary.partial);
    json.field("testText", options.perturbTest, kTestText);
    json.field("unknown", options.policies.unknown, kUnknown);
    json.field("case", options.policies.letterCase, kCase);
    json.field("stopWords", summary.data.stopWords);
    json.field("onlyWords", summary.data.onlyWords);
    json.put("onlyWordsNotice", summary.data.onlyWords ? ordered_json(corpus::kOnlyWordsNotice)
                                                       : ordered_json(nullptr));
    json.put("margin", EvaluationOptions::kMargin);
    json.field("survival", record.survival, objectOf([](auto& part, auto& survival) {
                   part.field("words", survival.words);
                   part.field("draws", survival.draws);
               }));
    json.field("substitutions", summary.substitutions);
    json.field("threads", options.threads);
    json.field("seconds", record, objectOf([](auto& seconds, auto& all) {
                   seconds.field("load", all.provenance.loadSeconds, kAtLeastZero);
                   seconds.field("prepare", all.provenance.prepareSeconds, kAtLeastZero);
                   seconds.field("perturb", all.summary.perturbSeconds, kAtLeastZero);
                   seconds.field("classify", all.summary.classifySeconds, kAtLeastZero);
                   for (auto& attack : all.summary.attacks) {
                       seconds.field(attack::taskName(attack.task), attack.seconds, kAtLeastZero);
                   }
               }));
    json.field("peakMemoryMiB", record.provenance.peakMemoryMiB);
}

template <typename Fields, typename Record>
void describeEvaluation(Fields& json, Record& record) {
    auto& summary = record.summary;
    auto& mechanism = summary.options.grid.mechanism;
    describeOrigin(json, kEvaluationSchema, record.provenance);
    json.field("mechanism", mechanism, kMechanism);
    const bool hasLambda = mechanism.hasLambda();
    json.field("guarantee", summary.guarantees,
               listOf(guaranteeFields(hasLambda), kMostEvaluationCells));
    json.field("data", summary.data, kData);
    json.field("run", record, objectOf([](auto& part, auto& all) { describeRun(part, all); }));
    json.field("repeat", record.request, kRequest);
    json.field("original", summary, objectOf([](auto& part, auto& all) {
                   describeClassify(part, all, all.original);
                   for (auto& attack : all.attacks) {
                       part.field(attack::taskName(attack.task), attack.original, kFindings);
                   }
               }));
    json.field("ceiling", summary,
               objectOf([](auto& part, auto& all) { describeClassify(part, all, all.ceiling); }));
    json.field("floor", summary, objectOf([](auto& part, auto& all) {
                   describeClassify(part, all, all.floor);
                   for (auto& attack : all.attacks) {
                       part.field(attack::taskName(attack.task), attack.floor, kFindings);
                   }
               }));
    json.field("majority", summary.majority, kShare);
    describeCells(json, record, hasLambda);
    json.field("assumptions", summary, objectOf([](auto& part, auto& all) {
                   for (auto& attack : all.attacks) {
                       part.field(attack::taskName(attack.task), attack.sentences,
                                  listOf(kText, kMostNames));
                   }
               }));
    describeDifferences(json, summary, hasLambda);
}

/// The classifiers that learned and the tasks that attacked, which are keys of the document.
void gatherKeys(const JsonNode& document, EvaluationSummary& summary) {
    const JsonNode original = document.at("original");
    std::vector<ClassifierKind> classifiers;
    for (const Task task : {Task::membership, Task::classify}) {
        const auto byClassifier = original.find(attack::taskName(task));
        if (!byClassifier || !byClassifier->isObject()) {
            continue;
        }
        std::vector<ClassifierKind> found;
        byClassifier->eachMember([&](std::string_view key, const JsonNode& member) {
            const auto kind = evaluation::parseClassifier(key);
            kind ? found.push_back(*kind) : member.complain(kind.error().message);
        });
        if (!found.empty()) {
            classifiers = std::move(found);
        }
    }
    if (!classifiers.empty()) {
        summary.options.classifiers = classifiers;
    }
    const JsonNode assumptions = document.at("assumptions");
    if (!assumptions.isObject()) {
        assumptions.complain("it is not an object");
        return;
    }
    assumptions.eachMember([&](std::string_view key, const JsonNode& sentences) {
        const auto task = attack::parseTask(key);
        if (!task || *task == Task::classify) {
            sentences.complain("it is no task that attacks");
            return;
        }
        attack::AttackResults& attack = summary.attacks.emplace_back();
        attack.task = *task;
        attack.risk =
            attack::ofClassifier(attack::headlineOf(*task).path,
                                 evaluation::classifierName(summary.options.classifiers.front()));
    });
}

/// The settings are those of a grid in its order, so that nobody looks beyond the end of a list.
void checkCells(const JsonNode& document, EvaluationSummary& summary) {
    mechanism::Grid& grid = summary.options.grid;
    gatherGrid(summary.cells, grid);
    const std::size_t epsilons = grid.epsilons.size();
    const std::size_t mechanisms = grid.mechanisms().size();
    bool isWhole = epsilons > 0 && summary.cells.size() == mechanisms * epsilons;
    for (std::size_t i = 0; isWhole && i < summary.cells.size(); ++i) {
        const EvaluationCell& cell = summary.cells[i];
        const EvaluationCell& first = summary.cells[i - i % epsilons];
        isWhole = cell.epsilon == grid.epsilons[i % epsilons] && cell.lambda == first.lambda &&
                  cell.beta == first.beta;
    }
    if (!isWhole) {
        document.at("cells").complain(
            fmt::format("these {} are not the settings of a grid", summary.cells.size()));
    }
}

std::string lawOf(const mechanism::Mechanism& mechanism) {
    const mechanism::Parameters parameters = mechanism.parameters();
    return fmt::format("{}, {}{}{}", mechanism.name(), metric::metricName(mechanism.metric()),
                       parameters.law ? ", " : "",
                       parameters.law ? mechanism::radialLawName(*parameters.law) : "");
}

}  // namespace

bool isSameData(const KeptData& first, const KeptData& second) {
    const auto columnsOf = [](const KeptData& data) {
        const corpus::DataSetOptions& options = data.options;
        return std::tie(options.textColumn, options.labelColumn, options.authorColumn,
                        options.splitColumn, options.format);
    };
    return !first.fingerprint.sha256.empty() && first.fingerprint == second.fingerprint &&
           columnsOf(first) == columnsOf(second);
}

std::string dataPlace(const KeptData& data, const std::string& documentPath) {
    const auto places = placesOf(data.options.path, data.relativePath, documentPath);
    const auto found = std::ranges::find_if(places, [](const std::string& place) {
        std::error_code error;
        return fs::is_regular_file(place, error) || fs::is_directory(place, error);
    });
    return found == places.end() ? places.front() : *found;
}

std::string placeOf(const std::string& path, const std::string& documentPath) {
    return dataPlace({{.path = path}, {}, {}}, documentPath);
}

Result<InputFile> inputFile(const std::string& path, const std::stop_token& stop) {
    if (path.empty()) {
        return InputFile{};
    }
    ASSIGN_OR_RETURN(const auto input, io::RawInput::open(path, stop));
    ASSIGN_OR_RETURN(auto sha256, input->finish());
    return InputFile{calibration::absolutePath(path), std::move(sha256)};
}

ordered_json evaluationDocument(const EvaluationRecord& record) {
    FieldWriter json;
    describeEvaluation(json, record);
    return std::move(json).json();
}

EvaluationRecord readEvaluation(const JsonNode& document) {
    EvaluationRecord record;
    gatherKeys(document, record.summary);
    FieldReader json(document);
    describeEvaluation(json, record);
    checkCells(document, record.summary);
    return record;
}

Result<EvaluationRecord> openEvaluation(const std::string& path, const std::stop_token& stop) {
    ASSIGN_OR_RETURN(const auto json, openJson(path, stop));
    if (!isFamily(json, kEvaluationSchema)) {
        return tl::unexpected(
            Error{ErrorCode::badFile, "it is not a result of evaluate --format json", path, 0});
    }
    return readDocument(json, readEvaluation).map_error(inFile(path));
}

EvaluationRecord keptPart(EvaluationRecord record, bool keepsNames) {
    const auto forgetWords = [](std::optional<Findings>& findings) {
        if (findings) {
            findings->words.clear();
        }
    };
    for (attack::AttackResults& attack : record.summary.attacks) {
        forgetWords(attack.original);
        forgetWords(attack.floor);
        std::for_each(attack.cells.begin(), attack.cells.end(), forgetWords);
    }
    evaluation::DataDescription& data = record.summary.data;
    for (std::size_t i = 0; !keepsNames && i < data.classes.size(); ++i) {
        std::string name = fmt::format("class {}", i + 1);
        if (data.positive == data.classes[i]) {
            data.positive = name;
        }
        data.classes[i] = std::move(name);
        data.commonest.clear();
    }
    return record;
}

Result<void> checkBelongs(const EvaluationRecord& evaluation, const calibration::Run& run) {
    const calibration::EmbeddingDescription& embedding = run.provenance.embedding;
    const calibration::EmbeddingDescription& other = evaluation.provenance.embedding;
    if (other.sha256 != embedding.sha256 || other.words != embedding.words) {
        return tl::unexpected(invalidArgument(fmt::format(
            "the evaluation was made on another embedding ({}, {} words) than the calibration "
            "({}, {} words), so it says nothing about it",
            other.file, formatCount(other.words), embedding.file, formatCount(embedding.words))));
    }
    const std::string law = lawOf(run.summary->grid.mechanism);
    if (const std::string own = lawOf(evaluation.summary.options.grid.mechanism); own != law) {
        return tl::unexpected(
            invalidArgument(fmt::format("the evaluation is of another mechanism ({}) than the "
                                        "calibration ({}), so it says nothing about it",
                                        own, law)));
    }
    return {};
}

bool isOfFamily(const EvaluationCell& setting, const calibration::Cell& cell) {
    return setting.lambda == cell.lambda &&
           (cell.beta ? setting.beta == cell.beta : !setting.gamma || setting.gamma == cell.gamma);
}

std::optional<std::size_t> nearestSetting(const EvaluationSummary& summary,
                                          const calibration::Cell& cell) {
    std::optional<std::size_t> nearest;
    const auto ratio = [&](std::size_t setting) {
        return std::abs(std::log(summary.cells[setting].epsilon / cell.epsilon));
    };
    for (std::size_t i = 0; i < summary.cells.size(); ++i) {
        if (isOfFamily(summary.cells[i], cell) && (!nearest || ratio(i) < ratio(*nearest))) {
            nearest = i;
        }
    }
    return nearest;
}

std::optional<evaluation::FigureValue> figureOf(const EvaluationSummary& summary,
                                                const calibration::Cell& cell,
                                                const evaluation::FigureName& figure) {
    const auto setting = nearestSetting(summary, cell);
    if (!setting || summary.cells[*setting].epsilon != cell.epsilon) {
        return std::nullopt;
    }
    // A share of no room between floor and ceiling is measured, and does not exist.
    evaluation::FigureName needed = figure;
    if (figure.kind == evaluation::FigureName::Kind::retained) {
        needed.kind = evaluation::FigureName::Kind::accuracy;
    }
    const bool isMeasured = evaluation::figureAt(summary, evaluation::kBaselines + *setting,
                                                 evaluation::figurePath(needed))
                                .has_value();
    return isMeasured ? std::optional(evaluation::figureOf(
                            summary, evaluation::kBaselines + *setting, figure))
                      : std::nullopt;
}

std::string studyTextJson(const EvaluationRecord& record) {
    const EvaluationOptions& options = record.summary.options;
    const ordered_json whole = evaluationDocument(record);
    ordered_json json;
    json["schema"] = kStudyTextSchema;
    json["notice"] =
        "Study text from a seed, not a release: who knows the seed can draw the same noise again. "
        "For texts to be released, the command epsilens-cli sanitize draws fresh noise.";
    for (const char* member : {"version", "embedding", "mechanism"}) {
        json[member] = whole[member];
    }
    json["settings"] = ordered_json::array();
    for (const ordered_json& cell : whole["cells"]) {
        ordered_json& setting = json["settings"].emplace_back();
        for (const char* member : {"epsilon", "lambda", "gamma", "beta"}) {
            setting[member] = cell[member];
        }
    }
    json["data"] = whole["data"];
    json["run"] = {{"seed", options.seed},
                   {"repeat", 1},
                   {"unknown", whole["run"]["unknown"]},
                   {"case", whole["run"]["case"]}};
    return jsonText(json);
}

}  // namespace epsilens::document
