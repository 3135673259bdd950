#include "core/document/kept_document.h"

#include <utility>

#include "core/base/pass_on.h"
#include "core/document/calibration_document.h"
#include "core/document/evaluation_document.h"
#include "core/document/json_parser.h"
#include "core/document/session_file.h"

namespace epsilens::document {
namespace {

Result<KeptDocument> sessionDocument(JsonDocument json, const std::string& path,
                                     const std::stop_token& stop) {
    ASSIGN_OR_RETURN(auto opened, openSession(std::move(json), path, stop));
    Session& session = opened.session;
    if (!session.results && !session.evaluation) {
        return tl::unexpected(Error{ErrorCode::badFile, std::string(kNoResults), path, 0});
    }
    calibration::Run run;
    run.request.load = session.embedding->load;
    run.provenance.embedding.sha256 = session.embedding->sha256;
    return KeptDocument{{std::move(session.report), std::move(session.results).value_or(run)},
                        false,
                        embeddingPlaces(*session.embedding, path),
                        std::move(opened.json),
                        opened.resultsFile.empty() ? "results" : "",
                        std::move(session.evaluation)};
}

/// Where the embedding lies that a request names.
std::vector<std::string> placesOf(const calibration::RunRequest& request, const std::string& path) {
    SessionEmbedding embedding;
    embedding.load = request.load;
    return embeddingPlaces(embedding, path);
}

}  // namespace

Result<KeptDocument> openDocument(const std::string& path, const std::stop_token& stop) {
    ASSIGN_OR_RETURN(auto json, openJson(path, stop));
    if (isFamily(json, kSessionSchema)) {
        return sessionDocument(std::move(json), path, stop);
    }
    if (isFamily(json, kEvaluationSchema)) {
        return tl::unexpected(Error{
            ErrorCode::badFile,
            "it is an evaluation: evaluate with the same options and seed repeats it, compare "
            "sets two beside each other, and report takes it as --evaluation",
            path, 0});
    }
    const bool isReport = isFamily(json, kReportSchema);
    if (!isReport && !isFamily(json, kCalibrationSchema)) {
        return tl::unexpected(Error{
            ErrorCode::badFile,
            "it is not a calibration (JSON), a report (JSON) or a session of Epsilens", path, 0});
    }
    auto report = readDocument(json, [&](const JsonNode& whole) {
        return isReport ? readReport(whole) : Report{{}, readCalibration(whole)};
    });
    if (!report) {
        return tl::unexpected(inFile(std::move(report.error()), path));
    }
    auto places = placesOf(report->run.request, path);
    return KeptDocument{std::move(*report), isReport, std::move(places), std::move(json), {}, {}};
}

}  // namespace epsilens::document
