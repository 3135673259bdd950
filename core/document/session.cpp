#include "core/document/session.h"

#include <limits>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/document/calibration_json.h"
#include "core/document/calibration_json_parts.h"
#include "core/document/calibration_reader.h"
#include "core/document/json_parts.h"
#include "core/document/request_json.h"
#include "core/document/word_results.h"

namespace epsilens::document {
namespace {

using document::JsonNode;
using document::jsonNumber;
using nlohmann::ordered_json;

constexpr double kLargest = std::numeric_limits<double>::max();
constexpr double kLeast = std::numeric_limits<double>::denorm_min();
constexpr std::int64_t kLargestInteger = std::numeric_limits<std::int64_t>::max();
constexpr std::size_t kMostPins = 1'000;
constexpr std::size_t kLongestVersion = 1'000;

ordered_json jsonEmbedding(const std::optional<SessionEmbedding>& embedding) {
    if (!embedding) {
        return nullptr;
    }
    ordered_json json;
    document::addLoad(json, embedding->load);
    json["relativePath"] = embedding->relativePath;
    json["bytes"] = embedding->bytes;
    json["sha256"] = embedding->sha256;
    return json;
}

std::optional<SessionEmbedding> readEmbedding(const JsonNode& session) {
    const auto node = session.find("embedding");
    if (!node) {
        return std::nullopt;
    }
    SessionEmbedding embedding;
    embedding.load = document::readLoad(*node);
    embedding.relativePath = node->at("relativePath").text(document::kLongestPath);
    embedding.bytes = static_cast<std::uint64_t>(node->at("bytes").integer(0, kLargestInteger));
    embedding.sha256 = node->at("sha256").text(64);
    return embedding;
}

ordered_json jsonSetting(const mechanism::Setting& setting) {
    const mechanism::Parameters parameters = setting.mechanism.parameters();
    ordered_json json;
    json["mechanism"] = setting.mechanism.name();
    json["epsilon"] = jsonNumber(setting.epsilon);
    json["lambda"] = jsonNumber(setting.mechanism.lambda());
    json["gamma"] = jsonNumber(parameters.gamma);
    json["beta"] = jsonNumber(parameters.beta);
    addParameters(json, setting.mechanism);
    return json;
}

mechanism::Setting readSetting(const JsonNode& node) {
    mechanism::Setting setting;
    setting.epsilon = node.at("epsilon").number(kLeast, kLargest);
    mechanism::Parameters values;
    values.lambda = node.at("lambda").number(0.0, 1.0);
    values.gamma = node.at("gamma").numberOrNull(0.0, kLargest);
    values.beta = node.at("beta").numberOrNull(kLeast, 1.0);
    setting.mechanism = readMechanism(node).with(values);
    return setting;
}

ordered_json jsonReport(const Session& session) {
    document::ReportSettings settings = session.report;
    if (!session.keepsSentences) {
        settings.sentences.clear();
    }
    ordered_json json = document::jsonReportSettings(settings);
    json.erase("limits");
    return json;
}

ordered_json resultsDocument(const document::CalibrationRecord& results) {
    ordered_json json = document::calibrationDocument(results.run, *results.summary);
    addWordResults(json, *results.summary);
    return json;
}

ordered_json jsonResults(const Session& session, const std::string& resultsFile) {
    if (!session.results) {
        return nullptr;
    }
    if (!resultsFile.empty()) {
        ordered_json json;
        json["file"] = resultsFile;
        return json;
    }
    return resultsDocument(*session.results);
}

document::CalibrationRecord readResultsDocument(const JsonNode& node) {
    document::CalibrationRecord results = document::readCalibration(node);
    calibration::CalibrationSummary summary = *results.summary;
    readWordResults(node, results.run.embedding.words, summary);
    results.summary = std::make_shared<const calibration::CalibrationSummary>(std::move(summary));
    return results;
}

std::array<int, 2> readBand(const JsonNode& node) {
    std::array<int, 2> band{};
    const std::vector<JsonNode> ends = node.items(band.size());
    for (std::size_t i = 0; i < ends.size(); ++i) {
        band[i] = static_cast<int>(ends[i].integer(0, 100));
    }
    if (std::find(kPercentileBands.begin(), kPercentileBands.end(), band) ==
        kPercentileBands.end()) {
        node.complain("it is none of the bands [1, 99], [5, 95] and [25, 75]");
    }
    return band;
}

}  // namespace

std::string resultsJson(const document::CalibrationRecord& results) {
    return document::jsonText(resultsDocument(results));
}

Result<document::CalibrationRecord> readResults(std::string_view json) {
    const auto document = document::parseDocument(json);
    if (!document) {
        return tl::unexpected(document.error());
    }
    std::optional<Error> problem;
    document::CalibrationRecord results = readResultsDocument(JsonNode(*document, {}, problem));
    if (problem) {
        return tl::unexpected(std::move(*problem));
    }
    return results;
}

bool resultsFit(const Session& session) {
    return !session.results || (session.embedding &&
                                session.embedding->sha256 == session.results->run.embedding.sha256);
}

std::string sessionJson(const Session& session, const std::string& resultsFile) {
    ordered_json json;
    json["schema"] = kSessionSchema;
    json["version"] = session.version;
    json["embedding"] = jsonEmbedding(session.embedding);
    json["settings"]["current"] = jsonSetting(session.current);
    document::addOptions(json["settings"]["grid"], session.grid);
    if (session.wordsFrom) {
        json["settings"]["selection"] = document::jsonSelection(*session.wordsFrom);
    }
    json["settings"]["percentileBand"] = session.percentileBand;
    json["settings"]["letterCase"] = text::casePolicyName(session.letterCase);
    json["limits"] = document::jsonLimits(session.report.limits);
    json["pins"] = ordered_json::array();
    for (const mechanism::Setting& pin : session.pins) {
        json["pins"].push_back(jsonSetting(pin));
    }
    json["report"] = jsonReport(session);
    json["keepsSentences"] = session.keepsSentences;
    json["results"] = jsonResults(session, resultsFile);
    return document::jsonText(json);
}

Result<SessionText> readSession(std::string_view json) {
    const auto document = document::parseDocument(json);
    if (!document) {
        return tl::unexpected(document.error());
    }
    std::optional<Error> problem;
    const JsonNode node(*document, {}, problem);
    document::checkSchema(node, kSessionSchema);
    SessionText text;
    Session& session = text.session;
    session.version = node.at("version").text(kLongestVersion);
    session.embedding = readEmbedding(node);
    const JsonNode settings = node.at("settings");
    session.current = readSetting(settings.at("current"));
    session.grid = document::readOptions(settings.at("grid"));
    session.wordsFrom = document::findSelection(settings);
    session.percentileBand = readBand(settings.at("percentileBand"));
    // The first sessions did not keep it.
    if (const auto letterCase = settings.find("letterCase")) {
        session.letterCase = letterCase->parsed(session.letterCase, text::parseCasePolicy);
    }
    session.report = document::readReportSettings(node.at("report"));
    session.report.limits = document::readLimits(node.at("limits"));
    for (const JsonNode& pin : node.at("pins").items(kMostPins)) {
        session.pins.push_back(readSetting(pin));
    }
    session.keepsSentences = node.at("keepsSentences").boolean();
    if (const auto results = node.find("results")) {
        if (const auto file = results->find("file")) {
            text.resultsFile = file->text(document::kLongestPath);
            if (text.resultsFile.empty()) {
                file->complain("it is not the name of a file beside the session");
            }
        } else {
            session.results = readResultsDocument(*results);
            if (!resultsFit(session)) {
                results->at("embedding").at("sha256").complain(kOtherVectors);
            }
        }
    }
    if (problem) {
        return tl::unexpected(std::move(*problem));
    }
    return text;
}

}  // namespace epsilens::document
