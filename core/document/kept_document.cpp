#include "core/document/kept_document.h"

#include <utility>

#include <fmt/format.h>

#include "core/base/pass_on.h"
#include "core/document/calibration_document.h"
#include "core/document/evaluation_document.h"
#include "core/document/json_parser.h"
#include "core/document/session_file.h"
#include "core/document/stored_evaluation.h"

namespace epsilens::document {
namespace {

Result<KeptDocument> sessionDocument(JsonDocument json, const std::string& path) {
    auto read = readSession(json);
    if (!read) {
        return tl::unexpected(inFile(std::move(read.error()), path));
    }
    Session& session = *read;
    std::vector<std::pair<std::string, KeptEvaluation>> evaluations;
    for (const auto& [member, evaluation] : evaluationsOf(session)) {
        if (*evaluation) {
            evaluations.emplace_back(member, std::move(**evaluation));
        }
    }
    if (!session.results && evaluations.empty()) {
        return tl::unexpected(Error{ErrorCode::badFile, std::string(kNoResults), path, 0});
    }
    calibration::Run run;
    run.request.load = session.embedding->load;
    run.provenance.embedding.sha256 = session.embedding->sha256;
    return KeptDocument{{std::move(session.report), std::move(session.results).value_or(run)},
                        false,
                        embeddingPlaces(*session.embedding, path),
                        std::move(json),
                        "results",
                        std::move(evaluations),
                        {},
                        session.search.has_value()};
}

/// Where the embedding lies that was loaded in this way.
std::vector<std::string> placesOf(const embedding::LoadOptions& load, const std::string& path) {
    SessionEmbedding embedding;
    embedding.load = load;
    return embeddingPlaces(embedding, path);
}

/// What is read of an evaluation to do it again.
struct EvaluationToRepeat {
    std::optional<EvaluationRequest> request{};
    std::string embeddingSha256{};
    bool isPartial = false;
};

Result<EvaluationToRepeat> readToRepeat(const JsonDocument& json) {
    return readDocument(json, [](const JsonNode& whole) {
        checkSchema(whole, kEvaluationSchema);
        return EvaluationToRepeat{readRequest(whole),
                                  whole.at("embedding").at("sha256").text(kLongestName),
                                  whole.at("run").at("partial").boolean()};
    });
}

Result<KeptDocument> evaluationDocument(JsonDocument json, const std::string& path) {
    auto found = readToRepeat(json);
    if (!found) {
        return tl::unexpected(inFile(std::move(found.error()), path));
    }
    if (!found->request) {
        return tl::unexpected(Error{ErrorCode::badFile,
                                    "the evaluation does not hold what it was asked for; evaluate "
                                    "with the same options and seed repeats it",
                                    path, 0});
    }
    RETURN_IF_ERROR(checkFinished("evaluation", found->isPartial));
    calibration::Run run;
    run.request.load = found->request->load;
    run.provenance.embedding.sha256 = std::move(found->embeddingSha256);
    KeptDocument document{
        {{}, std::move(run)}, false, placesOf(found->request->load, path), {}, {}, {}, {}};
    document.requested.push_back({std::move(found->request), std::move(json)});
    return document;
}

Result<std::vector<RequestedEvaluation>> requestedOf(
    const std::vector<StoredEvaluation>& evaluations) {
    std::vector<RequestedEvaluation> requested;
    for (const StoredEvaluation& evaluation : evaluations) {
        ASSIGN_OR_RETURN(auto json, parseJson(evaluation.json));
        ASSIGN_OR_RETURN(auto found, readToRepeat(json));
        if (found.isPartial) {
            found.request.reset();
        }
        requested.push_back({std::move(found.request), std::move(json)});
    }
    return requested;
}

}  // namespace

Result<void> checkFinished(const char* what, bool isPartial) {
    return isPartial ? Result<void>(fail(ErrorCode::unsupported,
                                         fmt::format("the {} is partial: a cancelled run cannot be "
                                                     "repeated exactly; run it to its end first",
                                                     what)))
                     : Result<void>();
}

Result<KeptDocument> openDocument(const std::string& path, const std::stop_token& stop) {
    ASSIGN_OR_RETURN(auto json, openJson(path, stop));
    if (isFamily(json, kSessionSchema)) {
        return sessionDocument(std::move(json), path);
    }
    if (isFamily(json, kEvaluationSchema)) {
        return evaluationDocument(std::move(json), path);
    }
    const bool isReport = isFamily(json, kReportSchema);
    if (!isReport && !isFamily(json, kCalibrationSchema)) {
        return tl::unexpected(Error{
            ErrorCode::badFile,
            "it is not a calibration (JSON), an evaluation (JSON), a report (JSON) or a session "
            "of Epsilens",
            path, 0});
    }
    auto report = readDocument(json, [&](const JsonNode& whole) {
        return isReport ? readReport(whole) : Report{{}, readCalibration(whole)};
    });
    if (!report) {
        return tl::unexpected(inFile(std::move(report.error()), path));
    }
    auto requested = requestedOf(report->evaluations);
    if (!requested) {
        return tl::unexpected(inFile(std::move(requested.error()), path));
    }
    auto places = placesOf(report->run.request.load, path);
    return KeptDocument{std::move(*report),   isReport, std::move(places), std::move(json), {}, {},
                        *std::move(requested)};
}

}  // namespace epsilens::document
