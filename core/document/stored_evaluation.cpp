#include "core/document/stored_evaluation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/numbers.h"
#include "core/base/pass_on.h"
#include "core/document/evaluation_document.h"
#include "core/document/json_parser.h"
#include "core/document/json_parts.h"

namespace epsilens::document {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t kMostItems = 1'000'000;
constexpr std::size_t kMostSentences = 1'000;
/// Members that tell mechanisms apart, in the order in which they are named.
constexpr std::array kLawMembers{"name", "metric", "noise"};

double anyNumber(const JsonNode& node) {
    return node.number(-kLargestNumber, kLargestNumber);
}

StoredFigure readFigure(std::string name, const JsonNode& node) {
    StoredFigure figure;
    figure.name = std::move(name);
    figure.estimate.mean = anyNumber(node.at("mean"));
    if (const auto interval = node.find("ci95")) {
        std::vector<double> ends;
        interval->eachItem(2, [&](const JsonNode& end) { ends.push_back(anyNumber(end)); });
        if (ends.size() == 2) {
            figure.estimate.ci95 = std::array{ends[0], ends[1]};
        }
    }
    return figure;
}

/// All measured figures below an object, named by the way to them.
std::vector<StoredFigure> readFigures(const JsonNode& object) {
    std::vector<StoredFigure> figures;
    std::vector<std::pair<std::string, JsonNode>> open{{"", object}};
    while (!open.empty()) {
        const auto [name, node] = std::move(open.back());
        open.pop_back();
        if (!node.isObject()) {
            continue;
        }
        if (node.has("mean")) {
            if (!node.at("mean").isNull()) {
                figures.push_back(readFigure(name, node));
            }
            continue;
        }
        const std::size_t first = open.size();
        node.eachMember([&, &path = name](std::string_view key, const JsonNode& member) {
            open.emplace_back(path.empty() ? std::string(key) : fmt::format("{}.{}", path, key),
                              member);
        });
        std::reverse(open.begin() + static_cast<std::ptrdiff_t>(first), open.end());
    }
    return figures;
}

StoredCondition readCell(const JsonNode& node) {
    StoredCondition cell;
    constexpr std::array<std::pair<const char*, const char*>, 4> kValues{
        {{"epsilon", "ε"}, {"lambda", "λ"}, {"gamma", "γ"}, {"beta", "β"}}};
    for (std::size_t i = 0; i < kValues.size(); ++i) {
        if (const auto value = node.find(kValues.at(i).first)) {
            cell.setting.at(i) = anyNumber(*value);
            cell.name += fmt::format("{}{} {}", cell.name.empty() ? "" : ", ", kValues.at(i).second,
                                     formatNumber(*cell.setting.at(i)));
        }
    }
    cell.figures = readFigures(node);
    return cell;
}

/// "hyperbolic, Poincaré, riemannian"
template <typename TextOf>
std::string lawText(TextOf textOf) {
    std::string text;
    for (const char* member : kLawMembers) {
        const std::string part = textOf(member);
        text += (text.empty() || part.empty() ? "" : ", ") + part;
    }
    return text;
}

std::string lawOf(const mechanism::Mechanism& mechanism) {
    const ordered_json json = jsonMechanism(mechanism, mechanism.isExact());
    return lawText([&](const char* member) {
        return json.contains(member) && json[member].is_string() ? json[member].get<std::string>()
                                                                 : std::string();
    });
}

std::vector<std::pair<std::string, std::vector<std::string>>> readAssumptions(
    const JsonNode& node) {
    std::vector<std::pair<std::string, std::vector<std::string>>> all;
    if (!node.isObject()) {
        node.complain("it is not an object");
        return all;
    }
    node.eachMember([&](std::string_view task, const JsonNode& sentences) {
        all.emplace_back(task, std::vector<std::string>{});
        sentences.eachItem(kMostSentences, [&](const JsonNode& sentence) {
            all.back().second.push_back(sentence.text(kLongestText));
        });
    });
    return all;
}

/// lambda and radius: where beta sets the radius, gamma follows epsilon.
bool isOfFamily(const StoredCondition& setting, const calibration::Cell& cell) {
    if (setting.setting[1] && *setting.setting[1] != cell.lambda) {
        return false;
    }
    return cell.beta ? setting.setting[3] == cell.beta
                     : !setting.setting[2] || setting.setting[2] == cell.gamma;
}

/// As evaluations name what limits speak of.
std::string nameOf(const evaluation::FigureName& figure) {
    using Kind = evaluation::FigureName::Kind;
    switch (figure.kind) {
        case Kind::best:
            return "reconstruct.best";
        case Kind::gain:
            return "reconstruct.gain";
        case Kind::upper:
            return "reconstruct.upper";
        default:
            return evaluation::figureText(figure);
    }
}

}  // namespace

const StoredFigure* StoredCondition::find(const std::string& figure) const {
    const auto found = std::find_if(figures.begin(), figures.end(),
                                    [&](const StoredFigure& f) { return f.name == figure; });
    return found == figures.end() ? nullptr : &*found;
}

const StoredCondition& StoredEvaluation::baseline(const std::string& name) const {
    return *std::find_if(baselines.begin(), baselines.end(),
                         [&](const StoredCondition& condition) { return condition.name == name; });
}

Result<JsonDocument> openEvaluation(const std::string& path, const std::stop_token& stop) {
    ASSIGN_OR_RETURN(auto json, openJson(path, stop));
    if (!isFamily(json, kEvaluationSchema)) {
        return tl::unexpected(
            Error{ErrorCode::badFile, "it is not a result of evaluate --format json", path, 0});
    }
    return json;
}

StoredEvaluation readEvaluation(const JsonNode& node) {
    checkSchema(node, kEvaluationSchema);
    StoredEvaluation evaluation;
    const JsonNode mechanism = node.at("mechanism");
    evaluation.mechanism = mechanism.at("name").text(kLongestName);
    evaluation.law = lawText([&](const char* member) {
        const auto text = mechanism.find(member);
        return text ? text->text(kLongestName) : std::string();
    });
    const JsonNode embedding = node.at("embedding");
    evaluation.embeddingFile = embedding.at("file").text(kLongestPath);
    evaluation.embedding = embedding.at("sha256").text(kLongestName);
    evaluation.words = embedding.at("words").integer(0, kLargestInteger);
    const JsonNode data = node.at("data");
    evaluation.file = data.at("file").text(kLongestPath);
    evaluation.documents = data.at("documents").integer(0, kLargestInteger);
    evaluation.training = data.at("trainingDocuments").integer(0, kLargestInteger);
    evaluation.test = data.at("testDocuments").integer(0, kLargestInteger);
    const JsonNode run = node.at("run");
    evaluation.seed = run.at("seed").integer(0, kLargestInteger);
    evaluation.repeats = run.at("repeats").integer(0, kLargestInteger);
    evaluation.testText = run.at("testText").text(kLongestName);
    evaluation.isPartial = run.at("partial").boolean();
    evaluation.majority = node.at("majority").number(0.0, 1.0);
    for (const char* name : {"original", "ceiling", "floor"}) {
        const JsonNode condition = node.at(name);
        evaluation.baselines.push_back({name, {}, readFigures(condition)});
    }
    node.at("cells").eachItem(
        kMostItems, [&](const JsonNode& cell) { evaluation.cells.push_back(readCell(cell)); });
    evaluation.assumptions = readAssumptions(node.at("assumptions"));
    evaluation.request = readRequest(node);
    evaluation.json = jsonLine(node.value());
    return evaluation;
}

Result<StoredEvaluation> stored(const EvaluationRecord& record) {
    ASSIGN_OR_RETURN(const auto json, parseJson(evaluationJson(record)));
    return readDocument(json, readEvaluation);
}

Result<void> checkBelongs(const StoredEvaluation& evaluation, const calibration::Run& run) {
    const calibration::EmbeddingDescription& embedding = run.provenance.embedding;
    if (evaluation.embedding != embedding.sha256 || evaluation.words != embedding.words) {
        return tl::unexpected(invalidArgument(fmt::format(
            "the evaluation was made on another embedding ({}, {} words) than the calibration "
            "({}, {} words), so it says nothing about it",
            evaluation.embeddingFile, formatCount(evaluation.words), embedding.file,
            formatCount(embedding.words))));
    }
    if (const std::string law = lawOf(run.summary->grid.mechanism); evaluation.law != law) {
        return tl::unexpected(
            invalidArgument(fmt::format("the evaluation is of another mechanism ({}) than the "
                                        "calibration ({}), so it says nothing about it",
                                        evaluation.law, law)));
    }
    return {};
}

const StoredCondition* nearestSetting(const StoredEvaluation& evaluation,
                                      const calibration::Cell& cell) {
    const StoredCondition* nearest = nullptr;
    const auto ratio = [&](const StoredCondition& setting) {
        return std::abs(std::log(setting.epsilon() / cell.epsilon));
    };
    for (const StoredCondition& setting : evaluation.cells) {
        if (isOfFamily(setting, cell) && (nearest == nullptr || ratio(setting) < ratio(*nearest))) {
            nearest = &setting;
        }
    }
    return nearest;
}

std::optional<evaluation::FigureValue> figureOf(const StoredEvaluation& evaluation,
                                                const calibration::Cell& cell,
                                                const evaluation::FigureName& figure) {
    const StoredCondition* setting = nearestSetting(evaluation, cell);
    if (setting == nullptr || setting->epsilon() != cell.epsilon) {
        return std::nullopt;
    }
    if (const StoredFigure* found = setting->find(nameOf(figure))) {
        return evaluation::FigureValue{found->estimate.mean, found->estimate.ci95};
    }
    // A share of no room between floor and ceiling is measured, and does not exist.
    evaluation::FigureName needed = figure;
    needed.kind = evaluation::FigureName::Kind::accuracy;
    const bool isMeasured = figure.kind == evaluation::FigureName::Kind::retained &&
                            setting->find(nameOf(needed)) != nullptr;
    return isMeasured ? std::optional(evaluation::FigureValue{
                            std::numeric_limits<double>::quiet_NaN(), std::nullopt})
                      : std::nullopt;
}

}  // namespace epsilens::document
