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

void addOptions(ordered_json& json, const CalibrationOptions& options) {
    json["mechanism"] = mechanism::kindName(options.mechanism);
    json["metric"] = metric::metricKey(options.metric);
    json["noise"] = mechanism::radialLawName(options.law);
    json["placement"] = mechanism::placementName(options.placement);
    json["epsilons"] = options.epsilons;
    json["lambdas"] = options.lambdas;
    json["gammas"] = options.gammas;
    json["betas"] = options.betas;
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
    options.mechanism = node.at("mechanism").parsed(options.mechanism, mechanism::parseKind);
    options.metric = node.at("metric").parsed(options.metric, metric::parseMetric);
    options.law = node.at("noise").parsed(options.law, mechanism::parseRadialLaw);
    options.placement = node.at("placement").parsed(options.placement, mechanism::parsePlacement);
    options.epsilons = node.at("epsilons").numbers(kLeastNumber, kLargestNumber, kMostGridValues);
    options.lambdas = node.at("lambdas").numbers(0.0, 1.0, kMostGridValues);
    options.gammas = node.at("gammas").numbers(0.0, kLargestNumber, kMostGridValues);
    options.betas = node.at("betas").numbers(kLeastNumber, 1.0, kMostGridValues);
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
