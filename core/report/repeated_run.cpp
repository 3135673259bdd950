#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "core/base/pass_on.h"
#include "core/calibration/calibrate.h"
#include "core/document/calibration_document.h"
#include "core/document/descriptions.h"
#include "core/document/fields.h"
#include "core/report/report_json.h"
#include "core/report/verification.h"
#include "core/statistics/density_profile.h"

namespace epsilens::report {
namespace {

using document::Purpose;

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

Result<nlohmann::ordered_json> repeatRun(const KeptDocument& document,
                                         const engine::SearchSpace& space, int threads,
                                         const JobContext& job) {
    const calibration::RunDescription& before = document.report.record.run;
    const embedding::Embedding& embedding = space.embedding().embedding;
    if (embedding.report.sha256 != before.embedding.sha256) {
        return fail(ErrorCode::badFile,
                    fmt::format("{}: SHA-256 {} instead of {}: these are other vectors than those "
                                "of the results",
                                embedding.name, embedding.report.sha256, before.embedding.sha256));
    }
    calibration::CalibrationOptions options = before.details->request.options;
    options.threads = threads;
    ASSIGN_OR_RETURN(auto summary, calibration::calibrate(space, options, job));
    if (summary.partial) {
        return fail(ErrorCode::cancelled, "cancelled before all words were done");
    }
    ASSIGN_OR_RETURN(auto details,
                     calibration::describeDetails(space, summary, before.details->request));
    calibration::RunDescription run = calibration::describeRun(space.embedding());
    run.selection = before.selection;
    run.details = std::move(details);
    if (!document.isReport) {
        auto found = document::calibrationDocument(run, summary, Purpose::comparison);
        // A session keeps the values of single words too.
        found[std::string(document::kWordResults)] = document::anything();
        return found;
    }
    ASSIGN_OR_RETURN(const auto settings,
                     measuredAgain(document.report.settings, space, threads, job));
    return reportDocument({settings,
                           {std::move(run), std::make_shared<const calibration::CalibrationSummary>(
                                                std::move(summary))}},
                          Purpose::comparison);
}

}  // namespace epsilens::report
