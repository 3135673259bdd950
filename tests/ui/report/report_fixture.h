#pragma once

#include "tests/ui/support/ui_test.h"
#include "ui/report/report_draft.h"

namespace epsilens::test {

/// A small run on the toy embedding, over epsilon 2 and 8 at lambda 0 and 0.5.
[[nodiscard]] calibration::RunHandle toyRun();
/// Settings that ask for it.
void askForToyRun(ui::AnalysisState& state);
/// What it was made on.
[[nodiscard]] const engine::SearchSpaceHandle& toySpace();

/// The same as a report with every field filled in.
[[nodiscard]] document::Report toyReport();

/// A draft of that run's report, and a folder to export it to.
struct DraftFixture {
    DraftFixture();

    /// What the file holds; empty when nothing was written.
    QByteArray exported(const char* name);

    calibration::RunHandle run = toyRun();
    ui::AnalysisState state{};
    ui::SessionResults results{state};
    ui::ReportDraft draft{state, results};
    QTemporaryDir folder{};
};

}  // namespace epsilens::test
