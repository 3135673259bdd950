#include "tests/ui/report/report_fixture.h"

#include "core/calibration/run_curves.h"
#include "tests/ui/support/toy_embedding.h"
#include "tests/ui/support/ui_test.h"

namespace epsilens::test {

const engine::SearchSpaceHandle& toySpace() {
    static const auto kSpace = std::make_shared<const engine::SearchSpace>(toyEmbedding());
    return kSpace;
}

calibration::RunHandle toyRun() {
    calibration::CalibrationOptions options;
    options.grid.mechanism = mechanism::Mahalanobis();
    options.grid.epsilons = {2, 8};
    options.grid.lambdas = {0, 0.5};
    options.draws = 10;
    return (*calibration::runCurves(*toySpace(), options))->run;
}

document::Report toyReport() {
    document::Report report{{}, *toyRun()};
    report.settings.purpose = "a purpose & <more>";
    report.settings.author = "the author";
    report.settings.choice = calibration::Choice{8, 0.5, std::nullopt};
    report.settings.limits = {*calibration::parseLimit("nw.p95<=50%")};
    return report;
}

DraftFixture::DraftFixture() {
    state.setEmbedding(toySpace()->handle(), toySpace());
    askForToyRun(state);
}

void askForToyRun(ui::AnalysisState& state) {
    state.edit([](ui::AnalysisSettings& settings) {
        settings.grid.epsilons = {2, 8};
        settings.grid.lambdas = {0, 0.5};
        settings.draws = 10;
    });
}

QByteArray DraftFixture::exported(const char* name) {
    const QString path = folder.filePath(name);
    const QSignalSpy done(&draft, &ui::ReportDraft::exported);
    draft.exportTo(path);
    handleEventsUntil([&] { return done.count() == 1; });
    return contentOf(path);
}

}  // namespace epsilens::test
