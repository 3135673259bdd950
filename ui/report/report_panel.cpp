#include "ui/report/report_panel.h"

#include <memory>
#include <utility>
#include <vector>

#include <QPrintPreviewDialog>
#include <QPrinter>
#include <QtWidgets>

#include "ui/report/report_document.h"
#include "ui/widgets/describe.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/notice_line.h"
#include "ui/widgets/number_field.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

namespace {

class ReportForm final : public QWidget {
public:
    explicit ReportForm(ReportDraft& draft, QWidget* parent)
        : QWidget(parent), m_draft(draft), m_form(new QFormLayout(this)), m_rest(400) {
        m_form->setContentsMargins(0, 0, kRowSpacing, 0);
        m_form->setVerticalSpacing(kRowSpacing);
        m_form->setRowWrapPolicy(QFormLayout::WrapAllRows);
        m_form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
        connect(&m_rest, &QTimer::timeout, this, &ReportForm::commit);
        m_form->addRow(hintLabel(tr("Confidential; in the report only while ticked:"), this));
        m_sentence =
            addCheckBox(tr("The text of Choose"), "reportSentenceCheckBox",
                        tr("Confidential: the sentence you typed is shown in the report and "
                           "kept in the session only while this is ticked."));
        connect(m_sentence, &QCheckBox::clicked, this, [this](bool includes) {
            commit();
            m_draft.setIncludesSentence(includes);
        });
        m_pair =
            addCheckBox(tr("The two words of the details"), "reportPairCheckBox",
                        tr("Confidential if they are words of your text: their odds are shown in "
                           "the report only while this is ticked."));
        connect(m_pair, &QCheckBox::clicked, &m_draft, &ReportDraft::setIncludesPair);
        const QString notStated = tr("The memo says: not stated");
        addLine(tr("Title"), "reportTitleLineEdit", tr("Heading of the report."), &Settings::title);
        addLine(tr("Author"), "reportAuthorLineEdit", tr("Who made the choice."), &Settings::author,
                notStated);
        addLine(tr("Date"), "reportDateLineEdit",
                tr("Date of the report; an emptied field becomes today's date."), &Settings::date);
        addText(tr("Purpose"), "reportPurposeEdit",
                tr("What the protected texts are released for."), &Settings::purpose, notStated);
        addText(tr("Why this setting"), "reportReasonEdit", tr("Why this setting and no other."),
                &Settings::reason, notStated);
        addText(tr("Alternatives considered"), "reportAlternativesEdit",
                tr("What else was considered."), &Settings::alternatives);
        addLine(tr("Source of the texts"), "reportSourceLineEdit",
                tr("Where the texts to protect come from."), &Settings::textSource, notStated);
        const QString trained = tr("Trained on the protected text?");
        m_trained =
            described(new QComboBox(this), "reportTrainedComboBox", trained,
                      tr("Vectors trained on the text to protect may themselves reveal it."));
        m_trained->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        m_trained->addItems({tr("Not stated"), tr("Yes"), tr("No")});
        guardWheel(m_trained);
        connect(m_trained, &QComboBox::activated, this, &ReportForm::commit);
        m_form->addRow(trained, m_trained);
        connect(&m_draft, &ReportDraft::edited, this, &ReportForm::showFields);
        connect(&m_draft, &ReportDraft::changed, this, &ReportForm::showState);
        showFields();
        showState();
    }

    void commit() {
        m_rest.stop();
        Settings settings = m_draft.settings();
        const std::string before = document::settingsKey(settings);
        for (const Field& field : m_fields) {
            settings.*field.member = toStd(field.text().read(field.widget).toString());
        }
        settings.trainedOnProtectedText = static_cast<Settings::Answer>(m_trained->currentIndex());
        if (document::settingsKey(settings) != before) {
            m_draft.setSettings(settings);
        }
    }

private:
    using Settings = document::ReportSettings;
    struct Field {
        QWidget* widget = nullptr;
        std::string Settings::*member = nullptr;

        [[nodiscard]] QMetaProperty text() const { return widget->metaObject()->userProperty(); }
    };

    [[nodiscard]] QCheckBox* addCheckBox(const QString& title, const char* name,
                                         const QString& description) {
        auto* box = described(new QCheckBox(title, this), name, title, description);
        m_form->addRow(box);
        return box;
    }
    void addLine(const QString& label, const char* name, const QString& description,
                 std::string Settings::*member, const QString& whenEmpty = {}) {
        auto* field = described(new QLineEdit(this), name, label, description);
        field->setPlaceholderText(whenEmpty);
        connect(field, &QLineEdit::textEdited, &m_rest, qOverload<>(&QTimer::start));
        connect(field, &QLineEdit::editingFinished, this, &ReportForm::commit);
        m_form->addRow(label, field);
        m_fields.push_back({field, member});
    }
    void addText(const QString& label, const char* name, const QString& description,
                 std::string Settings::*member, const QString& whenEmpty = {}) {
        auto* field = described(new QPlainTextEdit(this), name, label, description);
        field->setPlaceholderText(whenEmpty);
        field->setTabChangesFocus(true);
        followFont(field, [field](const QFontMetrics& metrics) {
            constexpr int kLines = 3;
            field->setFixedHeight(kLines * metrics.lineSpacing() + 12);
        });
        connect(field, &QPlainTextEdit::textChanged, this, [this] {
            if (!m_showing) {
                m_rest.start();
            }
        });
        m_form->addRow(label, field);
        m_fields.push_back({field, member});
    }
    void showFields() {
        m_showing = true;
        const Settings settings = m_draft.settings();
        for (const Field& field : m_fields) {
            const QString text = toQString(settings.*field.member);
            if (field.text().read(field.widget).toString() != text) {
                field.text().write(field.widget, text);
            }
        }
        m_trained->setCurrentIndex(static_cast<int>(settings.trainedOnProtectedText));
        m_sentence->setChecked(m_draft.includesSentence());
        m_showing = false;
    }
    void showState() {
        const auto& pair = m_draft.pair();
        const bool isShown = pair && calibration::isWellKnown(*pair);
        m_pair->setText(pair ? tr("The odds of %1 against %2")
                                   .arg(toQString(pair->first), toQString(pair->second))
                             : tr("The odds of two words"));
        // Those of well-known pairs always are, and give no text away.
        m_pair->setEnabled(pair && !isShown);
        m_pair->setChecked(isShown || m_draft.includesPair());
    }

    ReportDraft& m_draft;
    QFormLayout* m_form;
    RestTimer m_rest;  ///< until typing rests
    bool m_showing = false;
    std::vector<Field> m_fields;
    QComboBox* m_trained;
    QCheckBox* m_sentence;
    QCheckBox* m_pair;
};

class ReportTab final : public ReportPanel {
public:
    ReportTab(AnalysisState& state, SessionResults& results)
        : m_draft(*new ReportDraft(state, results, this)),
          m_staleness(new NoticeLine(this)),
          m_notice(new NoticeLine(this)),
          m_pages(new QStackedWidget(this)),
          m_emptyText(wrapped(emptyStateLabel({}, this), "reportEmptyLabel")),
          m_run(new QPushButton(tr("Measure"), this)),
          m_form(new ReportForm(m_draft, this)),
          m_preview(new QTextBrowser(this)),
          m_dimming(new QGraphicsOpacityEffect(m_preview)),
          m_export(new QPushButton(tr("Export…"), this)),
          m_paper(new QPushButton(tr("Pages…"), this)) {
        setObjectName(QStringLiteral("reportPanel"));
        m_staleness->setObjectName(QStringLiteral("reportStalenessLine"));
        describe(*m_run, "reportRunPushButton", {}, tr("Measures what the report is about"));
        m_pages->addWidget(emptyStatePage(m_emptyText, {m_run}, this));
        m_pages->addWidget(buildReport());
        columnIn(this, 0, {m_notice, m_staleness, m_pages})->setStretch(2, 1);
        connect(m_run, &QPushButton::clicked, this, &ReportTab::runRequested);
        connectDraft();
        connect(&state, &AnalysisState::embeddingChanged, m_notice, &NoticeLine::clear);
        setRunState({}, false);
    }

    [[nodiscard]] QString title() const override { return tr("Report"); }
    void chooseExport() override {
        if (!m_draft.run()) {
            m_notice->present(
                {Severity::info,
                 m_isRunning ? tr("There is no report yet: what it is about is being measured. "
                                  "The report follows by itself.")
                             : tr("There is no report yet. It tells of a measurement at your "
                                  "settings: press F5 to start one.")});
            return;
        }
        if (m_draft.isOutdated()) {
            return;  // the page says so
        }
        m_form->commit();
        const QString path = dialogs::saveFile(
            this, tr("Export the report"), QStringLiteral("report.pdf"), ReportDraft::filters());
        if (!path.isEmpty()) {
            m_notice->clear();
            m_draft.exportTo(path);
        }
    }
    [[nodiscard]] QWidget* firstControl() const override {
        return m_draft.run() ? m_form->findChild<QWidget*>(QStringLiteral("reportTitleLineEdit"))
                             : m_run;
    }
    void commitTexts() override { m_form->commit(); }

    [[nodiscard]] ReportDraft& draft() override { return m_draft; }
    void setRunState(const QString& obstacle, bool isRunning) override {
        if (isRunning != m_isRunning && !m_draft.run()) {
            m_notice->clear();  // whether a report is on its way
        }
        const bool hasEnded = std::exchange(m_isRunning, isRunning) && !isRunning;
        m_obstacle = obstacle;
        if (hasEnded) {
            // Its results follow at once; a notice that the old ones are old would only flash.
            QTimer::singleShot(0, this, &ReportTab::showState);
        } else {
            showState();
        }
        // Else the keys would go to whatever comes next in the window.
        if (isRunning && m_run->hasFocus()) {
            setFocus();
        }
        m_run->setVisible(!isRunning);
        m_run->setEnabled(obstacle.isEmpty());
        m_emptyText->setText(
            isRunning
                ? tr("Measuring what the report is about, your setting and those of the Curves "
                     "tab. The report follows by itself.")
            : obstacle.isEmpty()
                ? tr("A report needs a measurement of many words at your setting and at those of "
                     "the Curves tab, for a reviewer to compare. Then check the preview here and "
                     "export it.")
                : obstacle);
        runUnasked();
    }

protected:
    void showEvent(QShowEvent* event) override {
        ReportPanel::showEvent(event);
        m_beginsAtTop = m_draft.isPreviewOutdated();
        m_draft.setPreviewed(true);
        m_runsUnasked = true;
        runUnasked();
    }
    void hideEvent(QHideEvent* event) override {
        ReportPanel::hideEvent(event);
        m_runsUnasked = false;
        m_draft.setPreviewed(false);
    }

private:
    [[nodiscard]] QWidget* buildReport() {
        describe(*m_preview, "reportPreview", tr("Preview of the report"),
                 tr("The report as it will be exported"));
        m_preview->setToolTip({});
        m_preview->setOpenLinks(false);
        // Paper: reports are light in every theme.
        QPalette paper = m_preview->palette();
        paper.setColor(QPalette::Base, Qt::white);
        paper.setColor(QPalette::Text, Qt::black);
        m_preview->setPalette(paper);
        followFont(this, [this](const QFontMetrics& metrics) {
            constexpr int kWhole = 1000;
            m_draft.setPreviewPointSize(ReportDraft::kPreviewPointSize *
                                        scaledToText(kWhole, metrics) / kWhole);
        });
        m_dimming->setOpacity(0.45);
        m_preview->viewport()->setGraphicsEffect(m_dimming);

        auto* scroll = new ColumnScrollArea(this);
        scroll->setObjectName(QStringLiteral("reportFormArea"));
        scroll->setAccessibleName(tr("Fields of the report"));
        scroll->setWidget(m_form);
        describe(*m_export, "reportExportPushButton", {},
                 tr("Writes the report as PDF, HTML or JSON"));
        m_export->setDefault(true);
        connect(m_export, &QPushButton::clicked, this, &ReportTab::chooseExport);
        describe(*m_paper, "reportPagesPushButton", {},
                 tr("Shows the pages of the PDF, one by one, and prints them"));
        connect(m_paper, &QPushButton::clicked, this, &ReportTab::showPaper);

        auto* side = new QWidget(this);
        columnIn(side, kRowSpacing, {scroll})
            ->insertLayout(0, rowOf({m_export, m_paper}, kRowSpacing));
        auto* splitter = new QSplitter(Qt::Horizontal, this);
        splitter->setObjectName(QStringLiteral("reportSplitter"));
        splitter->addWidget(side);
        splitter->addWidget(m_preview);
        splitter->setChildrenCollapsible(false);
        splitter->setStretchFactor(1, 1);
        splitter->setSizes({270, 810});
        moveWithKeys(*splitter, tr("Divider between fields and preview"));
        splitter->setContentsMargins(kPanelMargin, kPanelMargin, kPanelMargin, kPanelMargin);
        return splitter;
    }
    void connectDraft() {
        connect(&m_draft, &ReportDraft::runChanged, this, [this] {
            m_notice->clear();  // it was about what was there before
            if (!m_draft.run()) {
                m_preview->setDocument(
                    nullptr);  // an empty one of its own: this was of another embedding
                m_document.reset();
                m_content.reset();
                m_beginsAtTop = true;
            }
            m_pages->setCurrentIndex(m_draft.run() ? 1 : 0);
            if (hasFocus() && m_draft.run()) {
                firstControl()->setFocus();
            }
        });
        connect(&m_draft, &ReportDraft::changed, this, &ReportTab::showState);
        connect(&m_draft, &ReportDraft::previewReady, this, &ReportTab::showPreview);
        // What is shown meanwhile is about the setting before.
        connect(&m_draft.composer(), &JobRunnerBase::started, this, &ReportTab::showState);
        connect(&m_draft.composer(), &JobRunnerBase::finished, this, &ReportTab::showState);
        connect(&m_draft, &ReportDraft::failed, this,
                [this](const Error& error) { m_notice->present(noticeFor(error)); });
        connect(&m_draft, &ReportDraft::exported, this, [this](const QString& path) {
            const auto open = [path] { QDesktopServices::openUrl(QUrl::fromLocalFile(path)); };
            m_notice->present({Severity::info,
                               tr("Report written to %1").arg(QFileInfo(path).fileName()),
                               {{tr("Open"), open}}});
        });
    }
    /// Starts what a report lacks, once each time that it is shown, if that is short.
    void runUnasked() {
        const bool isLacking = !m_draft.run() || m_draft.isOutdated();
        if (m_runsUnasked && isLacking && !m_isRunning && m_obstacle.isEmpty()) {
            m_runsUnasked = false;
            QTimer::singleShot(0, this, &ReportTab::runRequested);
        }
    }
    void showState() {
        const bool isOutdated = m_draft.isOutdated();
        if (isOutdated && !m_wasOutdated) {
            m_runsUnasked = isVisible();
            runUnasked();
        }
        m_wasOutdated = isOutdated;
        const bool isComposing = m_draft.composer().isRunning();
        m_preview->setEnabled(!isOutdated);
        m_preview->setPlaceholderText(isComposing ? tr("Composing the report…") : QString());
        m_dimming->setEnabled(m_document && (isOutdated || isComposing));
        m_export->setEnabled(m_draft.run() != nullptr && !isOutdated && m_content);
        m_export->setToolTip(isOutdated ? tr("These results belong to the previous settings.")
                                        : tr("PDF, HTML or JSON (Ctrl+E)"));
        m_paper->setEnabled(m_content && m_export->isEnabled() && !m_dimming->isEnabled());
        std::optional<Notice> notice;
        if (isOutdated && !m_isRunning) {
            notice = Notice{Severity::info, tr("These results belong to the previous settings, "
                                               "so there is no report to export.")};
            if (m_obstacle.isEmpty()) {
                notice->actions.append({tr("Measure again"), [this] { Q_EMIT runRequested(); }});
            }
        }
        m_staleness->follow(notice);
    }
    void showPreview(const std::shared_ptr<QTextDocument>& document,
                     const std::shared_ptr<const report::ReportContent>& content) {
        // Who edits keeps the place; who comes back to another report reads from its start.
        const int place =
            std::exchange(m_beginsAtTop, false) ? 0 : m_preview->verticalScrollBar()->value();
        prepareDrawings(*document);
        m_preview->setDocument(document.get());
        m_document = document;
        m_content = content;
        m_preview->verticalScrollBar()->setValue(place);
    }
    void showPaper() {
        const auto printer = std::make_shared<QPrinter>();
        printer->setResolution(kPagesDotsPerInch);
        printer->setDocName(toQString(m_content->title));
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

}  // namespace

ReportPanel* newReportPanel(AnalysisState& state, SessionResults& results) {
    return new ReportTab(state, results);
}

}  // namespace epsilens::ui
