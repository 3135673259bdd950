#pragma once

#include "ui/report/report_draft.h"
#include "ui/widgets/layout.h"

namespace epsilens::ui {

/// The Report tab: fields beside a preview, and the export. Without results it starts
/// the run that makes them when it is shown.
class ReportPanel : public Panel {
    Q_OBJECT

public:
    using Panel::Panel;

    virtual void chooseExport() = 0;
    virtual void commitTexts() = 0;
    [[nodiscard]] virtual ReportDraft& draft() = 0;
    /// What the tab needs to know of the calibration that another panel runs.
    ///
    /// obstacle  why it cannot start; empty if it can
    virtual void setRunState(const QString& obstacle, bool isRunning) = 0;

Q_SIGNALS:
    void runRequested();
};

/// state, results  must outlive the panel
[[nodiscard]] ReportPanel* newReportPanel(AnalysisState& state, SessionResults& results);

}  // namespace epsilens::ui
