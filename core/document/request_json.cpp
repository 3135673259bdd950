#include "core/document/request_json.h"

#include <array>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/document/json_parts.h"

namespace epsilens::document {
namespace {

using calibration::CalibrationOptions;
using calibration::WordSelection;
using nlohmann::ordered_json;

constexpr std::int64_t kMostDraws = 1'000'000;

constexpr std::array kSelectionNames{
    std::pair{std::string_view("all"), WordSelection::Kind::all},
    std::pair{std::string_view("random"), WordSelection::Kind::random},
    std::pair{std::string_view("list"), WordSelection::Kind::list}};

Result<WordSelection::Kind> parseSelectionKind(std::string_view name) {
    for (const auto& [known, kind] : kSelectionNames) {
        if (known == name) {
            return kind;
        }
    }
    return fail(ErrorCode::badFile, fmt::format("\"{}\" is none of all, random and list", name));
}

ordered_json jsonSelection(const WordSelection& words) {
    ordered_json json;
    for (const auto& [name, kind] : kSelectionNames) {
        if (kind == words.kind) {
            json["kind"] = name;
        }
    }
    if (words.kind == WordSelection::Kind::random) {
        json["count"] = words.count;
    } else if (words.kind == WordSelection::Kind::list) {
        json["rows"] = words.rows;
    }
    return json;
}

WordSelection readSelection(const JsonNode& node) {
    WordSelection words;
    words.kind = node.at("kind").parsed(WordSelection::Kind::all, parseSelectionKind);
    if (words.kind == WordSelection::Kind::random) {
        words.count = node.at("count").integer(1, kLargestInteger);
    } else if (words.kind == WordSelection::Kind::list) {
        for (const JsonNode& row : node.at("rows").items(static_cast<std::size_t>(kLargestRow))) {
            words.rows.push_back(static_cast<embedding::Row>(row.integer(0, kLargestRow)));
        }
    }
    return words;
}

ordered_json textOrNull(const std::string& text) {
    return text.empty() ? ordered_json(nullptr) : ordered_json(text);
}

}  // namespace

void addLoad(ordered_json& json, const embedding::LoadOptions& load) {
    json["path"] = load.path;
    json["inputFormat"] = embedding::inputFormatName(load.inputFormat);
    json["strict"] = load.strict;
    json["limitRows"] = load.limitRows > 0 ? ordered_json(load.limitRows) : ordered_json(nullptr);
    json["vocabulary"] = textOrNull(load.vocabularyPath);
}

embedding::LoadOptions readLoad(const JsonNode& node) {
    embedding::LoadOptions load;
    load.path = node.at("path").text(kLongestPath);
    load.inputFormat = node.at("inputFormat").parsed(load.inputFormat, embedding::parseInputFormat);
    load.strict = node.at("strict").boolean();
    if (const auto limit = node.find("limitRows")) {
        load.limitRows = limit->integer(1, kLargestInteger);
    }
    if (const auto vocabulary = node.find("vocabulary")) {
        load.vocabularyPath = vocabulary->text(kLongestPath);
    }
    return load;
}

void addParameters(ordered_json& json, const mechanism::Mechanism& mechanism) {
    const mechanism::Parameters parameters = mechanism.parameters();
    json["metric"] = metric::metricKey(parameters.metric.value_or(metric::Metric::euclidean));
    json["noise"] =
        mechanism::radialLawName(parameters.law.value_or(mechanism::RadialLaw::riemannian));
    json["placement"] =
        mechanism::placementName(parameters.placement.value_or(mechanism::Placement::mobius));
}

mechanism::Mechanism readMechanism(const JsonNode& node) {
    mechanism::Parameters parameters;
    parameters.metric = node.at("metric").parsed(metric::Metric::euclidean, metric::parseMetric);
    parameters.law =
        node.at("noise").parsed(mechanism::RadialLaw::riemannian, mechanism::parseRadialLaw);
    parameters.placement =
        node.at("placement").parsed(mechanism::Placement::mobius, mechanism::parsePlacement);
    return node.at("mechanism").parsed(mechanism::Mechanism(), [&](std::string_view name) {
        return mechanism::Mechanism::named(name, parameters);
    });
}

void addOptions(ordered_json& json, const CalibrationOptions& options) {
    json["mechanism"] = options.grid.mechanism.name();
    addParameters(json, options.grid.mechanism);
    json["epsilons"] = options.grid.epsilons;
    json["lambdas"] = options.grid.lambdas;
    json["gammas"] = options.grid.gammas;
    json["betas"] = options.grid.betas;
    json["words"] = jsonSelection(options.words);
    json["draws"] = options.draws;
    json["seed"] = options.seed;
    json["nearNeighbours"] = options.nearNeighbours;
    json["independentDraws"] = options.independentDraws;
    json["deniabilityOdds"] = jsonNumber(options.deniabilityOdds);
    json["rerunWorst"] = options.rerunWorst;
}

CalibrationOptions readOptions(const JsonNode& node) {
    CalibrationOptions options;
    options.grid.mechanism = readMechanism(node);
    options.grid.epsilons =
        node.at("epsilons").numbers(kLeastNumber, kLargestNumber, kMostGridValues);
    options.grid.lambdas = node.at("lambdas").numbers(0.0, 1.0, kMostGridValues);
    options.grid.gammas = node.at("gammas").numbers(0.0, kLargestNumber, kMostGridValues);
    options.grid.betas = node.at("betas").numbers(kLeastNumber, 1.0, kMostGridValues);
    options.words = readSelection(node.at("words"));
    options.draws = static_cast<int>(node.at("draws").integer(1, kMostDraws));
    options.seed = static_cast<std::uint64_t>(node.at("seed").integer(0, kLargestInteger));
    options.nearNeighbours =
        static_cast<int>(node.at("nearNeighbours").integer(1, std::numeric_limits<int>::max()));
    options.independentDraws = node.at("independentDraws").boolean();
    options.deniabilityOdds = node.at("deniabilityOdds").numberOrNull(1.0, kLargestNumber);
    options.rerunWorst = node.at("rerunWorst").boolean();
    return options;
}

ordered_json jsonRequest(const calibration::RunRequest& request) {
    ordered_json json;
    addLoad(json, request.load);
    addOptions(json, request.options);
    return json;
}

calibration::RunRequest readRequest(const JsonNode& node) {
    return {readLoad(node), readOptions(node)};
}

}  // namespace epsilens::document
