#pragma once

#include "ui/report/report_draft.h"
#include "ui/widgets/layout.h"

namespace epsilens::ui {

class ReportPanel : public Panel {
    Q_OBJECT

public:
    using Panel::Panel;

    virtual void chooseExport() = 0;
    virtual void commitTexts() = 0;
    [[nodiscard]] virtual ReportDraft& draft() = 0;
    virtual void setRunState(const QString& obstacle, bool isRunning) = 0;

Q_SIGNALS:
    void runRequested();
};

[[nodiscard]] ReportPanel* newReportPanel(AnalysisState& state, SessionResults& results);

}  // namespace epsilens::ui
