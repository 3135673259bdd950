#include "tests/ui/report/report_fixture.h"

#include <QFile>
#include <QSignalSpy>

#include "tests/ui/support/toy_embedding.h"
#include "tests/ui/support/ui_test.h"

namespace epsilens::test {

ui::FinishedRun toyRun() {
    ui::FinishedRun run;
    run.space = std::make_shared<const engine::SearchSpace>(toyEmbedding());
    run.options.grid.mechanism = mechanism::Mahalanobis();
    run.options.grid.epsilons = {2, 8};
    run.options.grid.lambdas = {0, 0.5};
    run.options.draws = 10;
    run.summary = std::make_shared<const calibration::CalibrationSummary>(
        *calibration::calibrate(*run.space, run.options));
    return run;
}

report::Report toyReport() {
    const ui::FinishedRun run = toyRun();
    calibration::RunDescription description = calibration::describeRun(run.space->embedding());
    description.details = *calibration::describeDetails(*run.space, *run.summary,
                                                        calibration::keptRequest({}, run.options));
    report::Report report{{}, {std::move(description), run.summary}};
    report.settings.purpose = "a purpose & <more>";
    report.settings.author = "the author";
    report.settings.choice = document::Choice{8, 0.5, std::nullopt};
    report.settings.limits = {*calibration::parseLimit("nw.p95<=50%")};
    return report;
}

DraftFixture::DraftFixture() {
    state.setEmbedding(run.space->handle(), run.space);
}

QByteArray DraftFixture::exported(const char* name) {
    const QString path = folder.filePath(QLatin1String(name));
    const QSignalSpy done(&draft, &ui::ReportDraft::exported);
    draft.exportTo(path);
    handleEventsUntil([&] { return done.count() == 1; }, kPatienceMs);
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

}  // namespace epsilens::test
