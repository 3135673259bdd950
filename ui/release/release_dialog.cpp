#include "ui/release/release_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include "ui/release/dialog_rows.h"
#include "ui/release/encoding_choice.h"
#include "ui/release/release_consent.h"
#include "ui/release/release_text.h"
#include "ui/state/analysis_state.h"
#include "ui/state/estimated_duration.h"
#include "ui/state/job_board.h"
#include "ui/widgets/describe.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/notice_line.h"
#include "ui/widgets/qt_convert.h"
#include "ui/widgets/wheel_guard.h"

namespace epsilens::ui {

namespace {

using release::UnknownPolicy;
using text::CasePolicy;

constexpr int kLeastWidth = 560;

QStringList textFilters() {
    return {ReleaseDialog::tr("Text (*.txt *.csv *.tsv *.md)"), ReleaseDialog::tr("All files (*)")};
}

}  // namespace

ReleaseDialog::ReleaseDialog(AnalysisState& state, const LimitState& limits, JobBoard& jobs,
                             QWidget* parent)
    : QDialog(parent),
      m_state(state),
      m_setting(wrapped(new QLabel(this), "releaseSettingLabel")),
      m_input(new QLineEdit(this)),
      m_browseInput(new QPushButton(tr("&Browse…"), this)),
      m_encoding(new EncodingChoice(this)),
      m_columns(new QLineEdit(this)),
      m_output(new QLineEdit(this)),
      m_browseOutput(new QPushButton(tr("Bro&wse…"), this)),
      m_unknown(new QComboBox(this)),
      m_mask(new QLineEdit(QStringLiteral("<unk>"), this)),
      m_letterCase(new QComboBox(this)),
      m_stopWords(new QLineEdit(this)),
      m_browseStopWords(new QPushButton(tr("Br&owse…"), this)),
      m_sidecar(new QCheckBox(tr("Write counts and guarantee beside it (.json, &no text)"), this)),
      m_consent(new ReleaseConsent(state, limits, this)),
      m_unprotected(wrapped(hintLabel({}, this), "unprotectedLabel")),
      m_costLabel(wrapped(hintLabel({}, this), "releaseCostLabel")),
      m_notice(new NoticeLine(this)),
      m_progress(new QProgressBar(this)),
      m_result(wrapped(new QLabel(this), "releaseResultLabel")),
      m_start(new QPushButton(tr("&Release"), this)),
      m_cancel(new QPushButton(tr("Cancel"), this)),
      m_close(new QPushButton(tr("Close"), this)),
      m_runner(tr("Releasing a text"),
               [this](const Result<report::ReleaseReport>& result) { finish(result); }) {
    setObjectName(QStringLiteral("releaseDialog"));
    setWindowTitle(tr("Release text"));
    setMinimumWidth(kLeastWidth);
    jobs.watch(&m_runner);
    buildControls();
    connectControls();
    describeSetting();
    describeUnprotected();
    updateControls();
}

ReleaseDialog::~ReleaseDialog() {
    // A field that loses the focus while it is destroyed says that typing ended, when the members
    // that the answer uses are gone.
    disconnect(m_input, nullptr, this, nullptr);
}

void ReleaseDialog::buildControls() {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(kPanelMargin, kPanelMargin, kPanelMargin, kPanelMargin);
    layout->setSpacing(kRowSpacing);
    layout->addWidget(m_setting);
    auto* form = new QFormLayout;
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    describe(*m_input, "inputLineEdit", tr("Text to release"),
             tr("A text file; its encoding is chosen below."));
    describe(*m_browseInput, "browseInputPushButton", tr("Choose the text to release"),
             tr("Opens a list of files."));
    describe(*m_output, "outputLineEdit", tr("File for the released text"),
             tr("Appears when the text is done, whole or not at all."));
    describe(*m_browseOutput, "browseOutputPushButton", tr("Choose the file to write"),
             tr("Asks for a folder and a name."));
    addRow(*form, tr("Te&xt file"), m_input, pathRow(m_input, m_browseInput));
    form->addRow(tr("&Encoding"), m_encoding);
    describe(*m_columns, "columnsLineEdit", tr("Columns of a table"),
             tr("Names or numbers of the columns to process, between commas; all else in the file, "
                "labels for instance, stays as it is."));
    m_columns->setPlaceholderText(tr("none: all of the file is text"));
    form->addRow(tr("&Columns"), m_columns);
    addRow(*form, tr("Write &to"), m_output, pathRow(m_output, m_browseOutput));
    buildPolicies(*form);
    layout->addLayout(form);
    layout->addWidget(m_unprotected);
    layout->addWidget(m_consent);
    buildProgress();
    layout->addWidget(m_notice);
    layout->addWidget(m_costLabel);
    layout->addWidget(m_progress);
    layout->addWidget(m_result);
    layout->addStretch(1);
    auto* buttons = new QHBoxLayout;
    buttons->addStretch(1);
    buttons->addWidget(m_start);
    buttons->addWidget(m_cancel);
    buttons->addWidget(m_close);
    layout->addLayout(buttons);
}

void ReleaseDialog::buildPolicies(QFormLayout& form) {
    m_unknown->addItem(tr("Mask"), static_cast<int>(UnknownPolicy::mask));
    m_unknown->addItem(tr("Any word at random"), static_cast<int>(UnknownPolicy::random));
    m_unknown->addItem(tr("Drop"), static_cast<int>(UnknownPolicy::drop));
    m_unknown->addItem(tr("Keep, unprotected"), static_cast<int>(UnknownPolicy::keep));
    describe(*m_unknown, "unknownComboBox", tr("Unknown words"),
             tr("What happens to words that the vocabulary does not have."));
    describe(*m_mask, "maskLineEdit", tr("Mask"), tr("What stands in for unknown words."));
    m_letterCase->addItem(tr("Automatic"), static_cast<int>(CasePolicy::automatic));
    m_letterCase->addItem(tr("Look up as typed"), static_cast<int>(CasePolicy::keep));
    m_letterCase->addItem(tr("Look up in lower case"), static_cast<int>(CasePolicy::lower));
    describe(*m_letterCase, "letterCaseComboBox", tr("Letter case"),
             tr("Automatic: lower case if under 1% of the vocabulary has capitals."));
    describe(*m_stopWords, "stopWordsLineEdit", tr("Stop words"),
             tr("A file with a word a line; these words stay as they are, unprotected."));
    m_stopWords->setPlaceholderText(tr("none: all words are processed"));
    describe(*m_browseStopWords, "browseStopWordsPushButton", tr("Choose a list of stop words"),
             tr("Opens a list of files."));
    describe(*m_sidecar, "sidecarCheckBox", tr("Write counts and guarantee"),
             tr("Settings, counts and guarantee in a file of its own; never text."));
    m_sidecar->setChecked(true);
    guardWheel(m_unknown);
    guardWheel(m_letterCase);
    auto* unknown = new QHBoxLayout;
    unknown->addWidget(m_unknown, 1);
    unknown->addWidget(m_mask, 1);
    addRow(form, tr("&Unknown words"), m_unknown, unknown);
    form.addRow(tr("&Letter case"), m_letterCase);
    addRow(form, tr("&Stop words"), m_stopWords, pathRow(m_stopWords, m_browseStopWords));
    form.addRow(QString(), m_sidecar);
}

void ReleaseDialog::buildProgress() {
    m_progress->setRange(0, 1000);
    describe(*m_progress, "releaseProgressBar", tr("Progress"),
             tr("How much of the text is done."));
    m_result->setAccessibleName(tr("Result"));
    describe(*m_start, "releasePushButton", tr("Release"),
             tr("Processes the words and writes the result."));
    describe(*m_cancel, "cancelReleasePushButton", tr("Cancel"), tr("Stops; no file is written."));
    describe(*m_close, "closePushButton", tr("Close"),
             tr("Closes this dialog and stops what runs."));
    m_start->setDefault(true);
    m_progress->hide();
    m_result->hide();
}

void ReleaseDialog::connectControls() {
    connect(m_browseInput, &QPushButton::clicked, this, &ReleaseDialog::chooseInput);
    connect(m_browseOutput, &QPushButton::clicked, this, &ReleaseDialog::chooseOutput);
    connect(m_browseStopWords, &QPushButton::clicked, this, &ReleaseDialog::chooseStopWords);
    connect(m_input, &QLineEdit::textChanged, this, &ReleaseDialog::updateControls);
    connect(m_encoding, &EncodingChoice::changed, this, &ReleaseDialog::followCost);
    connect(m_output, &QLineEdit::textChanged, this, &ReleaseDialog::updateControls);
    connect(m_output, &QLineEdit::textChanged, this, &ReleaseDialog::forgetResult);
    connect(m_sidecar, &QCheckBox::toggled, this, &ReleaseDialog::forgetResult);
    connect(m_consent, &ReleaseConsent::changed, this, &ReleaseDialog::updateControls);
    connect(m_consent, &ReleaseConsent::changed, this, &ReleaseDialog::followCost);
    connect(m_columns, &QLineEdit::textChanged, this, &ReleaseDialog::describeUnprotected);
    connect(m_columns, &QLineEdit::textChanged, this, &ReleaseDialog::forgetResult);
    connect(m_input, &QLineEdit::textChanged, this, &ReleaseDialog::describeUnprotected);
    connect(&m_cost, &ReleaseCost::changed, this, &ReleaseDialog::showCost);
    connect(&m_drop, &FileDrop::dropped, this, &ReleaseDialog::takeDropped);
    connect(m_input, &QLineEdit::editingFinished, this, &ReleaseDialog::suggestOutput);
    connect(m_stopWords, &QLineEdit::textChanged, this, &ReleaseDialog::describeUnprotected);
    for (QComboBox* policy : {m_unknown, m_letterCase}) {
        connect(policy, &QComboBox::currentIndexChanged, this, [this] {
            m_state.edit(&AnalysisSettings::textPolicies, policies());
            describeUnprotected();
            updateControls();
        });
    }
    m_state.onChange(&AnalysisSettings::textPolicies, this, &ReleaseDialog::showPolicies);
    showPolicies();
    connect(m_start, &QPushButton::clicked, this, &ReleaseDialog::start);
    connect(m_cancel, &QPushButton::clicked, &m_runner, &JobRunnerBase::cancel);
    connect(m_close, &QPushButton::clicked, this, &QDialog::reject);
    connect(&m_runner, &JobRunnerBase::progressChanged, this, [this](double fraction) {
        m_progress->setValue(static_cast<int>(fraction * m_progress->maximum()));
        showCost();
    });
    connect(&m_state, &AnalysisState::embeddingChanged, this, &ReleaseDialog::describeSetting);
    m_state.onChange(&AnalysisSettings::setting, this, &ReleaseDialog::describeSetting);
}

void ReleaseDialog::showPolicies() {
    const QSignalBlocker unknown(m_unknown);
    const QSignalBlocker letterCase(m_letterCase);
    const TextPolicies& shown = m_state.textPolicies();
    m_unknown->setCurrentIndex(m_unknown->findData(static_cast<int>(shown.unknownWords)));
    m_letterCase->setCurrentIndex(m_letterCase->findData(static_cast<int>(shown.letterCase)));
    describeUnprotected();
    updateControls();
}

TextPolicies ReleaseDialog::policies() const {
    return {static_cast<UnknownPolicy>(m_unknown->currentData().toInt()),
            static_cast<CasePolicy>(m_letterCase->currentData().toInt())};
}

void ReleaseDialog::chooseInput() {
    const QString path = dialogs::openFile(this, tr("Text to release"), {}, textFilters());
    if (!path.isEmpty()) {
        m_input->setText(path);
        suggestOutput();
    }
}

void ReleaseDialog::takeDropped(const QString& path, const QWidget* target) {
    if (m_runner.isRunning()) {
        return;
    }
    if (target == m_output || target == m_stopWords) {
        (target == m_output ? m_output : m_stopWords)->setText(path);
        return;
    }
    m_input->setText(path);
    suggestOutput();
}

void ReleaseDialog::chooseOutput() {
    const QString path =
        dialogs::saveFile(this, tr("Write the released text to"), m_output->text(), textFilters());
    if (!path.isEmpty()) {
        m_output->setText(path);
    }
}

void ReleaseDialog::chooseStopWords() {
    const QString path = dialogs::openFile(this, tr("List of stop words"), {}, textFilters());
    if (!path.isEmpty()) {
        m_stopWords->setText(path);
    }
}

void ReleaseDialog::suggestOutput() {
    if (m_runner.isRunning()) {
        return;
    }
    // A name of the user's own stays; one that was suggested is of the text before.
    if ((m_output->text().isEmpty() || m_output->text() == m_suggested) &&
        !m_input->text().isEmpty()) {
        m_suggested = suggestedOutput(m_input->text());
        m_output->setText(m_suggested);
    }
}

void ReleaseDialog::describeSetting() {
    const QString setting = releaseSettingText(m_state);
    // What runs keeps the setting that it was started with.
    if (setting.isEmpty() || m_runner.isRunning()) {
        return;
    }
    if (setting != m_setting->text()) {
        m_result->hide();
    }
    // Ticked for one setting, it is not meant for another.
    m_consent->follow(setting != m_setting->text());
    m_setting->setText(setting);
    describeUnprotected();
    updateControls();
}

void ReleaseDialog::resizeEvent(QResizeEvent* event) {
    QDialog::resizeEvent(event);
    growToContent(*this, kLeastWidth);
}

// What was written is of other files than the fields name now.
void ReleaseDialog::forgetResult() {
    m_result->hide();
    showCost();
}

void ReleaseDialog::describeUnprotected() {
    const bool isWholeTable =
        columnNames(m_columns->text()).empty() &&
        release::tableFormatOfName(toStd(m_input->text())) != release::TableFormat::automatic;
    m_unprotected->setText(releaseUnprotectedText(policies(), !m_stopWords->text().isEmpty(),
                                                  guaranteesNothing(m_state), isWholeTable));
    growToContent(*this, kLeastWidth);
    followCost();
}

void ReleaseDialog::followCost() {
    if (!m_runner.isRunning()) {
        m_cost.follow(request());
    }
}

/// Nothing while those files are named that the last run wrote.
QString ReleaseDialog::replacementText() const {
    if (m_output->text().isEmpty() || !m_result->isHidden()) {
        return {};
    }
    return releaseReplacementText(written());
}

/// What the next run writes.
QStringList ReleaseDialog::written() const {
    QStringList paths{m_output->text()};
    if (m_sidecar->isChecked()) {
        paths << sidecarFor(m_output->text());
    }
    return paths;
}

void ReleaseDialog::showCost() {
    QStringList parts;
    if (m_runner.isRunning()) {
        constexpr double kEnoughToJudge = 0.05;
        const double fraction = m_runner.fraction();
        if (fraction > kEnoughToJudge) {
            parts << tr("%1 left").arg(
                estimatedDuration(m_runner.elapsedSeconds() * (1.0 - fraction) / fraction));
        }
    } else {
        parts << m_cost.text() << replacementText();
        parts.removeAll(QString());
    }
    m_costLabel->setText(parts.join(tr(" · ")));
    m_costLabel->setVisible(!parts.isEmpty());
    m_start->setAccessibleDescription(
        (QStringList{m_start->toolTip()} + parts).join(QLatin1Char(' ')));
}

void ReleaseDialog::updateControls() {
    const bool running = m_runner.isRunning();
    for (QWidget* control :
         {static_cast<QWidget*>(m_input), static_cast<QWidget*>(m_browseInput),
          static_cast<QWidget*>(m_output), static_cast<QWidget*>(m_browseOutput),
          static_cast<QWidget*>(m_unknown), static_cast<QWidget*>(m_letterCase),
          static_cast<QWidget*>(m_stopWords), static_cast<QWidget*>(m_browseStopWords),
          static_cast<QWidget*>(m_sidecar), static_cast<QWidget*>(m_consent),
          static_cast<QWidget*>(m_columns)}) {
        control->setEnabled(!running);
    }
    m_encoding->setEnabled(!running);
    m_mask->setEnabled(!running && policies().unknownWords == UnknownPolicy::mask);
    m_start->setEnabled(!running && !m_input->text().isEmpty() && !m_output->text().isEmpty() &&
                        m_state.searchSpace() != nullptr && m_consent->isGiven());
    m_cancel->setVisible(running);
    m_progress->setVisible(running);
}

ReleaseRequest ReleaseDialog::request() const {
    ReleaseRequest request;
    request.space = m_state.searchSpace();
    request.setting = m_state.setting();
    request.inputPath = absolutePath(m_input->text());
    request.decoding = m_encoding->decoding();
    request.table = {columnNames(m_columns->text()), release::tableFormatOfName(request.inputPath)};
    request.outputPath = absolutePath(m_output->text());
    request.policies.unknown = policies().unknownWords;
    request.policies.mask = toStd(m_mask->text());
    request.policies.letterCase = policies().letterCase;
    request.policies.withoutGuarantee = m_consent->isWithoutGuarantee();
    request.stopWordsPath = absolutePath(m_stopWords->text());
    request.sidecarPath = m_sidecar->isChecked() ? toStdPath(sidecarFor(m_output->text())) : "";
    return request;
}

void ReleaseDialog::start() {
    // The shortcut of the button leaves the field of the text before it has told its new text.
    suggestOutput();
    m_notice->clear();
    m_result->hide();
    if (const QString danger = inputInDanger({m_input->text(), m_stopWords->text()}, written());
        !danger.isEmpty()) {
        m_notice->present({Severity::error, tr("%1 would be written over: choose another file to "
                                               "write to.")
                                                .arg(danger)});
        return;
    }
    m_cost.stop();
    m_progress->setValue(0);
    m_writing = m_output->text();
    m_runner.start(
        [request = request()](const JobContext& job) { return releaseFile(request, job); });
    updateControls();
    showCost();
}

void ReleaseDialog::finish(const Result<report::ReleaseReport>& result) {
    const QString setting = m_setting->text();
    describeSetting();
    updateControls();
    if (!result) {
        showCost();
        m_notice->present(result.error().code == ErrorCode::cancelled
                              ? Notice{Severity::info, tr("Cancelled: no file was written.")}
                              : releaseRefusal(result.error()));
        return;
    }
    QStringList lines;
    lines << tr("Written to %1.").arg(QFileInfo(m_writing).fileName());
    if (setting != m_setting->text()) {
        lines << tr("The setting has changed since. This text: %1").arg(setting);
    }
    lines += releaseResultLines(*result);
    m_result->setText(lines.join(QLatin1Char('\n')));
    m_result->show();
    growToContent(*this, kLeastWidth);
    showCost();
}

void ReleaseDialog::done(int result) {
    m_cost.stop();
    m_runner.cancel();
    QDialog::done(result);
}

}  // namespace epsilens::ui
