#include "core/document/kept_document.h"

#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/document/calibration_document.h"
#include "core/document/session.h"

namespace epsilens::document {
namespace {

/// A part of a document as one of its own.
JsonDocument partOf(const JsonDocument& json, const nlohmann::ordered_json& part) {
    return {part, json.stop()};
}

Result<KeptDocument> sessionDocument(const JsonDocument& json, const std::string& path) {
    ASSIGN_OR_RETURN(auto session, readSession(json));
    KeptDocument document;
    for (const auto& [member, evaluation] : evaluationsOf(session)) {
        if (*evaluation) {
            document.evaluations.push_back({std::string(member) + ".", std::move(**evaluation),
                                            partOf(json, json.value()[member])});
        }
    }
    if (!session.results && document.evaluations.empty()) {
        return fail(ErrorCode::badFile, std::string(kNoResults));
    }
    document.report.settings = std::move(session.report);
    if (session.results) {
        document.report.run = *std::move(session.results);
    } else {
        document.report.run.request.load = session.embedding->load;
        document.report.run.provenance.embedding.sha256 = session.embedding->sha256;
    }
    document.embeddingPlaces = embeddingPlaces(*session.embedding, path);
    document.json = json;
    document.results = "results";
    document.hasSearch = session.search.has_value();
    return document;
}

Result<KeptDocument> evaluationOnly(const JsonDocument& json, const std::string& path) {
    ASSIGN_OR_RETURN(auto record, readDocument(json, readEvaluation));
    if (!record.request) {
        return fail(ErrorCode::badFile,
                    "the evaluation does not hold what it was asked for; evaluate with the same "
                    "options and seed repeats it");
    }
    KeptDocument document;
    document.report.run.request.load = record.request->load;
    document.report.run.provenance.embedding.sha256 = record.provenance.embedding.sha256;
    document.embeddingPlaces = placesOf(record.request->load.path, {}, path);
    document.evaluations.push_back({"", std::move(record), json});
    return document;
}

Result<KeptDocument> reportOrCalibration(const JsonDocument& json, const std::string& path) {
    KeptDocument document;
    document.isReport = isFamily(json, kReportSchema);
    if (!document.isReport && !isFamily(json, kCalibrationSchema)) {
        return fail(ErrorCode::badFile,
                    "it is not a calibration (JSON), an evaluation (JSON), a report (JSON) or a "
                    "session of Epsilens");
    }
    ASSIGN_OR_RETURN(
        document.report, readDocument(json, [&](const JsonNode& whole) {
            return document.isReport ? readReport(whole) : Report{{}, readCalibration(whole)};
        }));
    for (std::size_t i = 0; i < document.report.evaluations.size(); ++i) {
        document.evaluations.push_back({fmt::format("evaluations[{}].", i),
                                        document.report.evaluations[i],
                                        partOf(json, json.value()["evaluations"][i])});
    }
    document.embeddingPlaces = placesOf(document.report.run.request.load.path, {}, path);
    document.json = json;
    return document;
}

}  // namespace

Result<KeptDocument> openDocument(const std::string& path, const std::stop_token& stop) {
    ASSIGN_OR_RETURN(const auto json, openJson(path, stop));
    const auto read = isFamily(json, kSessionSchema)      ? sessionDocument
                      : isFamily(json, kEvaluationSchema) ? evaluationOnly
                                                          : reportOrCalibration;
    return read(json, path).map_error([&path](Error error) {
        return inFile(std::move(error), path);
    });
}

}  // namespace epsilens::document
