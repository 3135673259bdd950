#include "tests/ui/report/report_fixture.h"

#include "tests/ui/support/toy_embedding.h"

namespace epsilens::test {

ui::FinishedRun toyRun() {
    ui::FinishedRun run;
    run.space = std::make_shared<const engine::SearchSpace>(toyEmbedding());
    run.options.mechanism = mechanism::Kind::mahalanobis;
    run.options.epsilons = {2, 8};
    run.options.lambdas = {0, 0.5};
    run.options.draws = 10;
    run.summary = std::make_shared<const calibration::CalibrationSummary>(
        *calibration::calibrate(*run.space, run.options));
    return run;
}

report::Report toyReport() {
    const ui::FinishedRun run = toyRun();
    report::RunDescription description = report::describeRun(run.space->embedding());
    description.details =
        *report::describeDetails(*run.space, *run.summary, report::keptRequest({}, run.options));
    report::Report report{{}, {std::move(description), run.summary}};
    report.settings.purpose = "a purpose & <more>";
    report.settings.author = "the author";
    report.settings.choice = report::Choice{8, 0.5, std::nullopt};
    report.settings.limits = {*calibration::parseLimit("nw.p95<=50%")};
    return report;
}

}  // namespace epsilens::test
