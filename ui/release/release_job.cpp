#include "ui/release/release_job.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/base/parallel.h"
#include "core/base/pass_on.h"
#include "core/io/output.h"
#include "core/release/sanitize_stream.h"
#include "core/release/word_replacer.h"
#include "ui/state/analysis_state.h"

namespace epsilens::ui {

namespace {

Result<release::ReleaseOutputs> openOutputs(const ReleaseRequest& request, const JobContext& job) {
    const std::string& embedding = request.space->embedding().embedding.path;
    for (const std::string& place : {request.outputPath, request.sidecarPath}) {
        if (place.empty()) {
            continue;  // no sidecar
        }
        RETURN_IF_ERROR(
            io::checkIsNoInput(place, {request.inputPath, request.stopWordsPath, embedding}));
    }
    return release::ReleaseOutputs::open(request.outputPath, request.sidecarPath, job.stop);
}

Result<release::ReleasePolicies> completePolicies(const ReleaseRequest& request,
                                                  const JobContext& job) {
    release::ReleasePolicies policies = request.policies;
    if (!request.stopWordsPath.empty()) {
        ASSIGN_OR_RETURN(auto stopWords, release::readStopWords(request.stopWordsPath, job.stop));
        policies.stopWords = std::move(stopWords);
    }
    return policies;
}

}  // namespace

Result<release::TextSurvey> surveyRelease(const ReleaseRequest& request, const JobContext& job) {
    constexpr std::size_t kMostUnknown = 100;  // as many as can be common
    ASSIGN_OR_RETURN(auto policies, completePolicies(request, job));
    ASSIGN_OR_RETURN(auto input,
                     release::TextInput::open(request.inputPath, request.decoding, job.stop));
    return release::surveyText(input, request.space, std::move(policies), request.table,
                               kMostUnknown, job);
}

Result<report::ReleaseReport> releaseFile(const ReleaseRequest& request, const JobContext& job) {
    ASSIGN_OR_RETURN(auto policies, completePolicies(request, job));
    ASSIGN_OR_RETURN(auto input,
                     release::TextInput::open(request.inputPath, request.decoding, job.stop));
    ASSIGN_OR_RETURN(auto outputs, openOutputs(request, job));
    ASSIGN_OR_RETURN(const auto replacer, release::createReplacer(request.space, request.setting));
    ASSIGN_OR_RETURN(auto sanitizer,
                     release::Sanitizer::create(request.space, *replacer, std::move(policies)));
    release::StreamOptions options;
    options.keepPartial = false;
    options.table = request.table;
    const auto end = release::sanitizeStream(input, outputs.text, sanitizer, options, job);
    if (!end || end->failure) {
        return tl::unexpected(end ? *end->failure : end.error());
    }
    report::ReleaseReport report =
        report::describeRelease(request.space->embedding(), request.setting, sanitizer, *end);
    report.agreed = request.agreed;
    RETURN_IF_ERROR(outputs.finish(report::releaseJson(report)));
    return report;
}

}  // namespace epsilens::ui
