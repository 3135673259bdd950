#include "ui/report/report_panel.h"

#include <utility>

#include <QDesktopServices>
#include <QFileInfo>
#include <QGraphicsOpacityEffect>
#include <QHBoxLayout>
#include <QLabel>
#include <QPrintPreviewDialog>
#include <QPrinter>
#include <QPushButton>
#include <QScrollBar>
#include <QSplitter>
#include <QStackedWidget>
#include <QTextBrowser>
#include <QTimer>
#include <QUrl>
#include <QVBoxLayout>

#include "ui/report/report_document.h"
#include "ui/report/report_form.h"
#include "ui/state/quick_measurement.h"
#include "ui/widgets/column_scroll_area.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/focus_frame.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/notice_line.h"
#include "ui/widgets/qt_convert.h"
#include "ui/widgets/splitter_keys.h"

namespace epsilens::ui {

namespace {

constexpr int kFormWidth = 270;
constexpr double kOutdatedOpacity = 0.45;

}  // namespace

ReportPanel::ReportPanel(AnalysisState& state, SessionResults& results, QWidget* parent)
    : Panel(parent),
      m_draft(*new ReportDraft(state, results, this)),
      m_staleness(new NoticeLine(this)),
      m_notice(new NoticeLine(this)),
      m_pages(new QStackedWidget(this)),
      m_emptyText(emptyStateLabel({}, this)),
      m_run(new QPushButton(tr("Measure"), this)),
      m_form(new ReportForm(m_draft, this)),
      m_preview(new QTextBrowser(this)),
      m_dimming(new QGraphicsOpacityEffect(m_preview)),
      m_export(new QPushButton(tr("Export…"), this)),
      m_paper(new QPushButton(tr("Pages…"), this)) {
    setObjectName(QStringLiteral("reportPanel"));
    m_pages->addWidget(buildEmptyState());
    m_pages->addWidget(buildReport());
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(0);
    all->addWidget(m_notice);
    all->addWidget(m_staleness);
    all->addWidget(m_pages, 1);
    connectDraft();
    connect(&state, &AnalysisState::embeddingChanged, m_notice, &NoticeLine::clear);
    m_staleness->setObjectName(QStringLiteral("reportStalenessLine"));
    setRunState({});
    showPage();
}

QString ReportPanel::title() const {
    return tr("Report");
}

bool ReportPanel::handles(PanelCommand command) const {
    return command == PanelCommand::exportReport || (command == PanelCommand::run && isVisible());
}

void ReportPanel::execute(PanelCommand command) {
    if (command == PanelCommand::exportReport) {
        chooseExport();
    } else if (command == PanelCommand::run) {
        Q_EMIT runRequested();
    }
}

QWidget* ReportPanel::firstControl() const {
    return m_draft.run() ? m_form->firstControl() : m_run;
}

QWidget* ReportPanel::buildEmptyState() {
    m_emptyText->setObjectName(QStringLiteral("reportEmptyLabel"));
    m_run->setObjectName(QStringLiteral("reportRunPushButton"));
    m_run->setAccessibleDescription(tr("Measures what the report is about"));
    m_run->setToolTip(m_run->accessibleDescription());
    connect(m_run, &QPushButton::clicked, this, &ReportPanel::runRequested);
    return emptyStatePage(m_emptyText, m_run, this);
}

QWidget* ReportPanel::buildReport() {
    m_preview->setObjectName(QStringLiteral("reportPreview"));
    m_preview->setAccessibleName(tr("Preview of the report"));
    m_preview->setAccessibleDescription(tr("The report as it will be exported"));
    m_preview->setOpenLinks(false);
    // Paper: reports are light in every theme.
    QPalette paper = m_preview->palette();
    paper.setColor(QPalette::Base, Qt::white);
    paper.setColor(QPalette::Text, Qt::black);
    m_preview->setPalette(paper);
    showFocusAround(m_preview);
    followFont(this, [this](const QFontMetrics& metrics) {
        constexpr int kWhole = 1000;
        m_draft.setPreviewPointSize(ReportDraft::kPreviewPointSize * scaledToText(kWhole, metrics) /
                                    kWhole);
    });
    m_dimming->setOpacity(kOutdatedOpacity);
    m_preview->viewport()->setGraphicsEffect(m_dimming);

    auto* scroll = new ColumnScrollArea(this);
    scroll->setObjectName(QStringLiteral("reportFormArea"));
    scroll->setAccessibleName(tr("Fields of the report"));
    scroll->setWidget(m_form);
    m_export->setObjectName(QStringLiteral("reportExportPushButton"));
    m_export->setDefault(true);
    m_export->setAccessibleDescription(tr("Writes the report as PDF, HTML or JSON"));
    m_export->setToolTip(tr("PDF, HTML or JSON (Ctrl+E)"));
    connect(m_export, &QPushButton::clicked, this, &ReportPanel::chooseExport);
    m_paper->setObjectName(QStringLiteral("reportPagesPushButton"));
    m_paper->setAccessibleDescription(
        tr("Shows the pages of the PDF, one by one, and prints them"));
    m_paper->setToolTip(m_paper->accessibleDescription());
    connect(m_paper, &QPushButton::clicked, this, &ReportPanel::showPaper);

    auto* side = new QWidget(this);
    auto* column = new QVBoxLayout(side);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kRowSpacing);
    auto* outputs = new QHBoxLayout;
    outputs->addWidget(m_export, 1);
    outputs->addWidget(m_paper);
    column->addLayout(outputs);
    column->addWidget(scroll, 1);
    auto* splitter = new QSplitter(Qt::Horizontal, this);
    splitter->setObjectName(QStringLiteral("reportSplitter"));
    splitter->addWidget(side);
    splitter->addWidget(m_preview);
    splitter->setChildrenCollapsible(false);
    splitter->setStretchFactor(1, 1);
    splitter->setSizes({kFormWidth, 3 * kFormWidth});
    moveWithKeys(*splitter, tr("Divider between fields and preview"));
    auto* page = new QWidget(this);
    auto* row = new QHBoxLayout(page);
    row->setContentsMargins(kPanelMargin, kPanelMargin, kPanelMargin, kPanelMargin);
    row->addWidget(splitter);
    return page;
}

void ReportPanel::connectDraft() {
    connect(&m_draft, &ReportDraft::runChanged, this, [this] {
        m_notice->clear();  // it was about what was there before
        if (!m_draft.run()) {
            clearPreview();
        }
        showPage();
    });
    connect(&m_draft, &ReportDraft::settingChanged, this, &ReportPanel::showStaleness);
    connect(&m_draft, &ReportDraft::previewReady, this, &ReportPanel::showPreview);
    // What is shown meanwhile is about the setting before.
    connect(&m_draft.composer(), &JobRunnerBase::started, this, &ReportPanel::showStaleness);
    connect(&m_draft.composer(), &JobRunnerBase::finished, this, &ReportPanel::showStaleness);
    connect(&m_draft, &ReportDraft::failed, this,
            [this](const Error& error) { m_notice->present(noticeFor(error)); });
    connect(&m_draft, &ReportDraft::exported, this, [this](const QString& path) {
        Notice notice{Severity::info, tr("Report written to %1").arg(QFileInfo(path).fileName())};
        notice.actions = {NoticeAction{
            tr("Open"), [path] { QDesktopServices::openUrl(QUrl::fromLocalFile(path)); }}};
        m_notice->present(notice);
    });
}

void ReportPanel::setRunState(const RunState& state) {
    const bool hasEnded = m_runState.isRunning && !state.isRunning;
    if (state.isRunning != m_runState.isRunning && !m_draft.run()) {
        m_notice->clear();  // whether a report is on its way
    }
    m_runState = state;
    if (hasEnded) {
        // Its results follow at once; a notice that the old ones are old would only flash.
        QTimer::singleShot(0, this, &ReportPanel::showStaleness);
    } else {
        showStaleness();
    }
    if (state.isRunning) {
        m_emptyText->setText(comingText());
        // Else the keys would go to whatever comes next in the window.
        if (m_run->hasFocus()) {
            setFocus();
        }
        m_run->hide();
        return;
    }
    runUnasked();
    m_run->show();
    m_run->setEnabled(state.obstacle.isEmpty());
    m_emptyText->setText(state.obstacle.isEmpty()
                             ? tr("A report needs a measurement of many words at your "
                                  "setting and at the ε and λ of the Curves tab, for a reviewer to "
                                  "compare. Then check the preview here and export it.")
                             : state.obstacle);
}

void ReportPanel::runUnasked() {
    const bool isLacking = !m_draft.run() || m_draft.isOutdated();
    if (m_runsUnasked && isLacking && !m_runState.isRunning && m_runState.obstacle.isEmpty()) {
        m_runsUnasked = false;
        QTimer::singleShot(0, this, &ReportPanel::runRequested);
    }
}

QString ReportPanel::comingText() const {
    const QString what =
        tr("Measuring what the report is about, your setting and the ε and λ of the Curves tab");
    return tr("%1. The report follows by itself.")
        .arg(m_runState.progress.isEmpty() ? what : tr("%1: %2").arg(what, m_runState.progress));
}

void ReportPanel::clearPreview() {
    m_preview->setDocument(nullptr);  // an empty one of its own
    m_document.reset();
    m_content.reset();
    m_beginsAtTop = true;
}

void ReportPanel::showStaleness() {
    const bool isOutdated = m_draft.isOutdated();
    if (isOutdated && !std::exchange(m_wasOutdated, isOutdated)) {
        m_runsUnasked = isVisible();
        runUnasked();
    }
    m_wasOutdated = isOutdated;
    const bool isComposing = m_draft.composer().isRunning();
    m_preview->setEnabled(!isOutdated);
    m_preview->setPlaceholderText(placeholder());
    m_dimming->setEnabled(m_document && (isOutdated || isComposing));
    m_export->setEnabled(m_draft.run() != nullptr && !isOutdated && (m_document || !isComposing));
    m_paper->setEnabled(m_content && m_export->isEnabled() && !m_dimming->isEnabled());
    m_export->setToolTip(isOutdated ? tr("These results belong to the previous settings.")
                                    : tr("PDF, HTML or JSON (Ctrl+E)"));
    if (m_runState.isRunning || !isOutdated) {
        m_staleness->follow(std::nullopt);
    } else {
        Notice notice{
            Severity::warning,
            tr("These results belong to the previous settings, so there is no report to export."),
            {},
            true};
        if (m_runState.obstacle.isEmpty()) {
            notice.actions.append({tr("Measure again"), [this] { Q_EMIT runRequested(); }});
        }
        m_staleness->follow(notice);
    }
}

QString ReportPanel::placeholder() const {
    return m_draft.composer().isRunning()
               ? tr("Composing the report about %1…").arg(m_draft.subjectText())
               : QString();
}

void ReportPanel::showPage() {
    m_pages->setCurrentIndex(m_draft.run() ? 1 : 0);
    if (hasFocus() && m_draft.run()) {
        m_form->firstControl()->setFocus();
    }
    showStaleness();
}

void ReportPanel::showEvent(QShowEvent* event) {
    Panel::showEvent(event);
    m_beginsAtTop = m_draft.isPreviewOutdated();
    m_draft.setPreviewed(true);
    m_runsUnasked = true;
    runUnasked();
}

void ReportPanel::hideEvent(QHideEvent* event) {
    Panel::hideEvent(event);
    m_runsUnasked = false;
    m_draft.setPreviewed(false);
}

void ReportPanel::showPreview(const std::shared_ptr<QTextDocument>& document,
                              const std::shared_ptr<const report::ReportContent>& content) {
    // Who edits the report keeps the place; who comes back to another report reads from its start.
    const int place =
        std::exchange(m_beginsAtTop, false) ? 0 : m_preview->verticalScrollBar()->value();
    prepareDrawings(*document);
    m_preview->setDocument(document.get());
    m_document = document;
    m_content = content;
    m_preview->verticalScrollBar()->setValue(place);
}

void ReportPanel::showPaper() {
    const auto printer = std::make_shared<QPrinter>();
    printer->setResolution(kPagesDotsPerInch);
    printer->setDocName(QString::fromStdString(m_content->title));
    setUpPages(*printer);
    auto* dialog = new QPrintPreviewDialog(printer.get(), this);
    dialog->setObjectName(QStringLiteral("reportPagesDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Pages of the report"));
    // The printer lives as long as the dialog that paints on it.
    connect(dialog, &QPrintPreviewDialog::paintRequested, dialog,
            [printer, content = m_content](QPrinter* paper) { paintReport(*content, *paper); });
    dialog->resize(window()->size());
    dialog->open();
}

void ReportPanel::commitTexts() {
    m_form->commit();
}

void ReportPanel::chooseExport() {
    if (!m_draft.run()) {
        m_notice->present(
            {Severity::info, m_runState.isRunning
                                 ? tr("There is no report yet: what it is about is being measured. "
                                      "The report follows by itself.")
                                 : tr("There is no report yet. It tells of a measurement at your "
                                      "settings: press F5 to start one.")});
        return;
    }
    if (m_draft.isOutdated()) {
        return;  // the page says so
    }
    m_form->commit();
    const QString path = dialogs::saveFile(this, tr("Export the report"),
                                           QStringLiteral("report.pdf"), ReportDraft::filters());
    if (path.isEmpty()) {
        return;
    }
    m_notice->clear();
    m_draft.exportTo(path);
}

}  // namespace epsilens::ui
