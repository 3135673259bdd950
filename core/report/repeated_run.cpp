#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "core/base/pass_on.h"
#include "core/calibration/calibrate.h"
#include "core/document/calibration_json.h"
#include "core/report/report_json.h"
#include "core/report/verification.h"
#include "core/statistics/density_profile.h"

namespace epsilens::report {
namespace {

Result<document::ReportSettings> measuredAgain(document::ReportSettings settings,
                                               const engine::SearchSpace& space, int threads,
                                               const JobContext& job) {
    if (settings.density) {
        ASSIGN_OR_RETURN(const auto profile, statistics::densityProfile(space, threads, job));
        std::vector<embedding::Row> all(profile.distances.size());
        std::iota(all.begin(), all.end(), embedding::Row{0});
        settings.density = document::describeDensity(statistics::densityFigures(profile, all));
    }
    return settings;
}

}  // namespace

Result<std::string> repeatRun(const Repetition& repetition, const engine::SearchSpace& space,
                              int threads, const JobContext& job) {
    const embedding::Embedding& embedding = space.embedding().embedding;
    if (embedding.report.sha256 != repetition.sha256) {
        return fail(ErrorCode::badFile,
                    fmt::format("{}: SHA-256 {} instead of {}: these are other vectors than those "
                                "of the results",
                                embedding.name, embedding.report.sha256, repetition.sha256));
    }
    calibration::CalibrationOptions options = repetition.request.options;
    options.threads = threads;
    ASSIGN_OR_RETURN(auto summary, calibration::calibrate(space, options, job));
    if (summary.partial) {
        return fail(ErrorCode::cancelled, "cancelled before all words were done");
    }
    ASSIGN_OR_RETURN(auto details,
                     calibration::describeDetails(space, summary, repetition.request));
    if (!repetition.hasPlane) {
        details.plane.reset();
    }
    calibration::RunDescription run = calibration::describeRun(space.embedding());
    run.selection = repetition.selection;
    run.details = std::move(details);
    if (!repetition.settings) {
        return document::calibrationJson(run, summary);
    }
    ASSIGN_OR_RETURN(const auto settings, measuredAgain(*repetition.settings, space, threads, job));
    return reportJson({settings,
                       {std::move(run), std::make_shared<const calibration::CalibrationSummary>(
                                            std::move(summary))}});
}

}  // namespace epsilens::report
