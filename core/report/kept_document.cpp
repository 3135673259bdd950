#include "core/report/kept_document.h"

#include <string_view>
#include <utility>

#include "core/base/pass_on.h"
#include "core/document/calibration_document.h"
#include "core/document/json_parser.h"
#include "core/document/session_file.h"
#include "core/report/report_json.h"

namespace epsilens::report {
namespace {

using document::JsonDocument;
using document::JsonNode;

Result<KeptDocument> sessionDocument(JsonDocument json, const std::string& path,
                                     const std::stop_token& stop) {
    ASSIGN_OR_RETURN(auto opened, document::openSession(std::move(json), path, stop));
    document::Session& session = opened.session;
    if (!session.results) {
        return tl::unexpected(Error{ErrorCode::badFile,
                                    "the session has no results; calibrate and save it again", path,
                                    0});
    }
    return KeptDocument{{std::move(session.report), std::move(*session.results)},
                        false,
                        document::embeddingPlaces(*session.embedding, path),
                        std::move(opened.json),
                        opened.resultsFile.empty() ? "results" : ""};
}

/// Where the embedding lies that a request names.
std::vector<std::string> placesOf(const calibration::RunDescription& run, const std::string& path) {
    if (!run.details) {
        return {};
    }
    document::SessionEmbedding embedding;
    embedding.load = run.details->request.load;
    return document::embeddingPlaces(embedding, path);
}

}  // namespace

Result<KeptDocument> openDocument(const std::string& path, const std::stop_token& stop) {
    ASSIGN_OR_RETURN(auto json, document::openJson(path, stop));
    if (document::isFamily(json, document::kSessionSchema)) {
        return sessionDocument(std::move(json), path, stop);
    }
    const bool isReport = document::isFamily(json, kReportSchema);
    if (!isReport && !document::isFamily(json, document::kCalibrationSchema)) {
        return tl::unexpected(Error{ErrorCode::badFile,
                                    "it is none of a calibration (JSON), a report (JSON) and a "
                                    "session of Epsilens",
                                    path, 0});
    }
    auto report = document::readDocument(json, [&](const JsonNode& whole) {
        return isReport ? readReport(whole) : Report{{}, document::readCalibration(whole)};
    });
    if (!report) {
        return tl::unexpected(inFile(std::move(report.error()), path));
    }
    auto places = placesOf(report->record.run, path);
    return KeptDocument{std::move(*report), isReport, std::move(places), std::move(json), {}};
}

}  // namespace epsilens::report
