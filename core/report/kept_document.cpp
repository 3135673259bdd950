#include "core/report/kept_document.h"

#include <filesystem>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/base/pass_on.h"
#include "core/document/calibration_json.h"
#include "core/document/request_json.h"
#include "core/document/session_file.h"
#include "core/document/word_results.h"
#include "core/report/report_json.h"

namespace epsilens::report {
namespace {

using document::JsonNode;
using nlohmann::ordered_json;

Error withoutResults(const std::string& path) {
    return {ErrorCode::badFile, "the session has no results; calibrate and save it again", path, 0};
}

/// The schema a document says it has, up to the slash; empty when it says none.
std::string familyOf(const ordered_json& document) {
    if (!document.is_object() || !document.contains("schema") || !document["schema"].is_string()) {
        return {};
    }
    const auto& schema = document["schema"].get_ref<const std::string&>();
    return schema.substr(0, schema.find('/'));
}

bool isFamily(const ordered_json& document, std::string_view schema) {
    return familyOf(document) == schema.substr(0, schema.find('/'));
}

/// Places of the embedding as a request tells them.
std::vector<std::string> placesOf(const ordered_json& document, const std::string& path) {
    std::optional<Error> problem;
    const JsonNode whole(document, {}, problem);
    const auto calibration = whole.find("calibration");
    const auto repeat = (calibration ? *calibration : whole).find("repeat");
    if (!repeat) {
        return {};
    }
    document::SessionEmbedding embedding;
    embedding.load.path = repeat->at("path").text(document::kLongestPath);
    return problem ? std::vector<std::string>() : document::embeddingPlaces(embedding, path);
}

/// A run that is done again has no values of single words in its document.
ordered_json withoutWordResults(const ordered_json& results) {
    ordered_json calibration = ordered_json::object();
    for (const auto& [key, value] : results.items()) {
        if (key != document::kWordResults) {
            calibration[key] = value;
        }
    }
    return calibration;
}

/// The results of a session as they are written, which the strict reader has found in order.
Result<KeptDocument> sessionResults(const ordered_json& document, const std::string& path,
                                    const std::stop_token& stop) {
    std::optional<Error> problem;
    const JsonNode whole(document, {}, problem);
    document::checkSchema(whole, document::kSessionSchema);
    const auto results = whole.find("results");
    if (!problem && !results) {
        return tl::unexpected(withoutResults(path));
    }
    if (problem) {
        return tl::unexpected(inFile(std::move(*problem), path));
    }
    KeptDocument kept;
    if (results->find("file")) {
        // Reading the session checks the name and the content.
        ASSIGN_OR_RETURN(auto session, document::openSession(path, stop));
        kept.json = document::calibrationJson(session.results->run, *session.results->summary);
    } else {
        kept.json = withoutWordResults(document["results"]).dump();
    }
    if (const auto embedding = whole.find("embedding")) {
        document::SessionEmbedding place;
        place.load.path = embedding->at("path").text(document::kLongestPath);
        place.relativePath = embedding->at("relativePath").text(document::kLongestPath);
        kept.embeddingPlaces = document::embeddingPlaces(place, path);
    }
    if (problem) {
        return tl::unexpected(inFile(std::move(*problem), path));
    }
    return kept;
}

Result<report::Report> sessionReport(const std::string& path, const std::stop_token& stop) {
    ASSIGN_OR_RETURN(auto session, document::openSession(path, stop));
    if (!session.results) {
        return tl::unexpected(withoutResults(path));
    }
    return report::Report{std::move(session.report), std::move(*session.results)};
}

Result<ordered_json> openJson(const std::string& path, std::string& text,
                              const std::stop_token& stop) {
    ASSIGN_OR_RETURN(auto content, document::readWholeFile(path, stop));
    text = std::move(content);
    auto document = document::parseDocument(text);
    if (!document) {
        return tl::unexpected(inFile(document.error(), path));
    }
    const std::string family = familyOf(*document);
    if (family != "epsilens.calibration" && family != "epsilens.report" &&
        family != "epsilens.session") {
        return tl::unexpected(Error{ErrorCode::badFile,
                                    "it is none of a calibration (JSON), a report (JSON) and a "
                                    "session of Epsilens",
                                    path, 0});
    }
    return document;
}

}  // namespace

Result<KeptDocument> openDocument(const std::string& path, const std::stop_token& stop) {
    std::string text;
    const auto document = openJson(path, text, stop);
    if (!document) {
        return tl::unexpected(document.error());
    }
    if (isFamily(*document, document::kSessionSchema)) {
        return sessionResults(*document, path, stop);
    }
    return KeptDocument{std::move(text), placesOf(*document, path)};
}

Result<report::Report> openReport(const std::string& path, const std::stop_token& stop) {
    std::string text;
    const auto document = openJson(path, text, stop);
    if (!document) {
        return tl::unexpected(document.error());
    }
    if (isFamily(*document, document::kSessionSchema)) {
        return sessionReport(path, stop);
    }
    auto read = isFamily(*document, report::kReportSchema)
                    ? report::readReport(text)
                    : document::readCalibration(text).map([](document::CalibrationRecord record) {
                          return report::Report{{}, std::move(record)};
                      });
    if (!read) {
        return tl::unexpected(inFile(read.error(), path));
    }
    return read;
}

}  // namespace epsilens::report
