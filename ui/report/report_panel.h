#pragma once

#include <memory>

#include <QTextDocument>

#include "ui/report/report_draft.h"
#include "ui/widgets/panel.h"

class QGraphicsOpacityEffect;
class QLabel;
class QPushButton;
class QStackedWidget;
class QTextBrowser;

namespace epsilens::ui {

class NoticeLine;
class ReportForm;

/// The Report tab: fields beside a preview, and the export. Without results it starts
/// the run that makes them when it is shown.
class ReportPanel : public Panel {
    Q_OBJECT

public:
    ReportPanel(AnalysisState& state, SessionResults& results, QWidget* parent = nullptr);

    [[nodiscard]] QString title() const override { return tr("Report"); }
    void chooseExport();
    [[nodiscard]] QWidget* firstControl() const override;
    void commitTexts();

    [[nodiscard]] ReportDraft& draft() { return m_draft; }
    /// What the tab needs to know of the calibration that another panel runs.
    ///
    /// obstacle  why it cannot start; empty if it can
    void setRunState(const QString& obstacle, bool isRunning);

Q_SIGNALS:
    void runRequested();

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    [[nodiscard]] QWidget* buildReport();
    void connectDraft();
    /// Starts what a report lacks, once each time that it is shown, if that is short.
    void runUnasked();
    void showState();
    void showPreview(const std::shared_ptr<QTextDocument>& document,
                     const std::shared_ptr<const report::ReportContent>& content);
    void showPaper();

    ReportDraft& m_draft;  ///< a child: fields that lose the focus while closing still reach it
    NoticeLine* m_staleness;
    NoticeLine* m_notice;  ///< what was done, in front of it where the two meet
    QStackedWidget* m_pages;
    QLabel* m_emptyText;
    QPushButton* m_run;
    ReportForm* m_form;
    QTextBrowser* m_preview;
    QGraphicsOpacityEffect* m_dimming;  ///< of a preview that is about other settings
    QPushButton* m_export;
    QPushButton* m_paper;
    QString m_obstacle;  ///< of a run
    bool m_isRunning = false;
    bool m_runsUnasked = false;  ///< shown or outdated, and nothing was started since
    bool m_wasOutdated = false;
    bool m_beginsAtTop = false;  ///< the next preview
    std::shared_ptr<QTextDocument> m_document;
    std::shared_ptr<const report::ReportContent> m_content;  ///< of the preview
};

}  // namespace epsilens::ui
