#include "ui/release/release_form.h"

#include <algorithm>

#include <QCheckBox>
#include <QComboBox>
#include <QFocusEvent>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QTimer>

#include "ui/release/dialog_rows.h"
#include "ui/release/encoding_choice.h"
#include "ui/release/release_job.h"
#include "ui/release/release_text.h"
#include "ui/state/analysis_state.h"
#include "ui/widgets/describe.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/qt_convert.h"
#include "ui/widgets/wheel_guard.h"

namespace epsilens::ui {

namespace {

using io::RecordFormat;
using release::UnknownPolicy;
using text::CasePolicy;

QStringList textFilters() {
    return {ReleaseForm::tr("All files (*)"), ReleaseForm::tr("Text (*.txt *.csv *.tsv *.md)")};
}

}  // namespace

ReleaseForm::ReleaseForm(AnalysisState& state, QWidget* parent)
    : QWidget(parent),
      m_state(state),
      m_input(described(new QLineEdit(this), "inputLineEdit", tr("Text to release"),
                        tr("A text file or a table; its encoding is chosen below."))),
      m_browseInput(described(new QPushButton(tr("&Browse…"), this), "browseInputPushButton",
                              tr("Choose the text to release"), tr("Opens a file dialog."))),
      m_columns(described(new QLineEdit(this), "columnsLineEdit", tr("Columns of a table"),
                          tr("Names or numbers of the columns to release, separated by commas; "
                             "everything else in the file, such as labels, stays as it is."))),
      m_tableFormat(
          described(new QComboBox(this), "tableFormatComboBox", tr("Format of a table"),
                    tr("Automatic: from the file's name, else from its first line. tsv takes "
                       "quotes as they are, tsv-quoted reads fields in quotes."))),
      m_preview(wrapped(new QLabel(this), "previewLabel")),
      m_output(described(new QLineEdit(this), "outputLineEdit", tr("File for the released text"),
                         tr("Appears when the text is done: the whole file, or none."))),
      m_browseOutput(described(new QPushButton(tr("Bro&wse…"), this), "browseOutputPushButton",
                               tr("Choose the file to write"),
                               tr("Asks for a folder and a name."))),
      m_encoding(new EncodingChoice(this)),
      m_unknown(described(new QComboBox(this), "unknownComboBox", tr("Unknown words"),
                          tr("What happens to words that the vocabulary does not have."))),
      m_mask(described(new QLineEdit(QStringLiteral("<unk>"), this), "maskLineEdit", tr("Mask"),
                       tr("What stands in for unknown words."))),
      m_letterCase(
          described(new QComboBox(this), "letterCaseComboBox", tr("Letter case"),
                    tr("Automatic: lower case if under 1% of the vocabulary has capitals."))),
      m_stopWords(described(
          new QLineEdit(this), "stopWordsLineEdit", tr("Stop words"),
          tr("A file with one word per line; these words stay as they are, unprotected."))),
      m_browseStopWords(described(new QPushButton(tr("Br&owse…"), this),
                                  "browseStopWordsPushButton", tr("Choose a list of stop words"),
                                  tr("Opens a file dialog."))),
      m_sidecar(
          described(new QCheckBox(tr("Also write counts and guarantee (.json, &no text)"), this),
                    "sidecarCheckBox", tr("Write counts and guarantee"),
                    tr("Settings, counts and guarantee in a separate file; never text."))) {
    auto* form = new QFormLayout(this);
    form->setContentsMargins(0, 0, 0, 0);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    buildFiles(*form);
    buildPolicies(*form);
    connectControls();
    showPolicies();
}

void ReleaseForm::buildFiles(QFormLayout& form) {
    m_columns->setPlaceholderText(tr("none: the whole file is text"));
    m_preview->setTextFormat(Qt::RichText);
    m_preview->setAccessibleDescription(tr("The first two rows and what happens to each column."));
    m_preview->installEventFilter(this);
    m_preview->hide();
    m_output->installEventFilter(this);
    addRow(form, tr("Te&xt file"), m_input, pathRow(m_input, m_browseInput));
    m_tableFormat->addItem(tr("Format: automatic"), static_cast<int>(RecordFormat::automatic));
    for (const RecordFormat format :
         {RecordFormat::csv, RecordFormat::tsv, RecordFormat::tsvQuoted, RecordFormat::jsonLines}) {
        m_tableFormat->addItem(toQString(io::recordFormatName(format)), static_cast<int>(format));
    }
    guardWheel(m_tableFormat);
    auto* columns = new QHBoxLayout;
    columns->addWidget(m_columns, 1);
    columns->addWidget(m_tableFormat);
    addRow(form, tr("&Columns"), m_columns, columns);
    form.addRow(QString(), m_preview);
    addRow(form, tr("Write &to"), m_output, pathRow(m_output, m_browseOutput));
    form.addRow(tr("&Encoding"), m_encoding);
}

void ReleaseForm::buildPolicies(QFormLayout& form) {
    m_unknown->addItem(tr("Mask"), static_cast<int>(UnknownPolicy::mask));
    m_unknown->addItem(tr("Any word at random"), static_cast<int>(UnknownPolicy::random));
    m_unknown->addItem(tr("Drop"), static_cast<int>(UnknownPolicy::drop));
    m_unknown->addItem(tr("Keep, unprotected"), static_cast<int>(UnknownPolicy::keep));
    m_letterCase->addItem(tr("Automatic"), static_cast<int>(CasePolicy::automatic));
    m_letterCase->addItem(tr("Look up as typed"), static_cast<int>(CasePolicy::keep));
    m_letterCase->addItem(tr("Look up in lower case"), static_cast<int>(CasePolicy::lower));
    m_stopWords->setPlaceholderText(tr("none: all words are processed"));
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

void ReleaseForm::connectControls() {
    connect(m_browseInput, &QPushButton::clicked, this, &ReleaseForm::chooseInput);
    connect(m_browseOutput, &QPushButton::clicked, this, &ReleaseForm::chooseOutput);
    connect(m_browseStopWords, &QPushButton::clicked, this, &ReleaseForm::chooseStopWords);
    connect(m_input, &QLineEdit::textChanged, this, &ReleaseForm::followInput);
    connect(m_columns, &QLineEdit::textChanged, this, &ReleaseForm::followColumns);
    connect(m_tableFormat, &QComboBox::currentIndexChanged, this, &ReleaseForm::followColumns);
    for (QLineEdit* field : {m_output, m_mask, m_stopWords}) {
        connect(field, &QLineEdit::textChanged, this, &ReleaseForm::changed);
    }
    connect(m_encoding, &EncodingChoice::changed, this, &ReleaseForm::changed);
    connect(m_sidecar, &QCheckBox::toggled, this, &ReleaseForm::changed);
    for (QComboBox* policy : {m_unknown, m_letterCase}) {
        connect(policy, &QComboBox::currentIndexChanged, this,
                [this] { m_state.edit(&AnalysisSettings::textPolicies, policies()); });
    }
    m_state.onChange(&AnalysisSettings::textPolicies, this, &ReleaseForm::showPolicies);
}

/// A name is typed in place of the one suggested, so that all of it is selected; a click would
/// leave the cursor somewhere within.
bool ReleaseForm::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_output && event->type() == QEvent::FocusIn) {
        const Qt::FocusReason reason = static_cast<QFocusEvent*>(event)->reason();
        if (reason != Qt::ActiveWindowFocusReason && reason != Qt::PopupFocusReason) {
            // The press of the mouse that gave the focus comes behind it.
            QTimer::singleShot(0, m_output, &QLineEdit::selectAll);
        }
    }
    if (watched == m_preview && event->type() == QEvent::Resize) {
        // The form, which is being laid out, would not hear of another height now.
        QMetaObject::invokeMethod(this, &ReleaseForm::fitPreview, Qt::QueuedConnection);
    }
    return QWidget::eventFilter(watched, event);
}

/// A form would give text that wraps the height of a narrower one.
void ReleaseForm::fitPreview() {
    // Below the one that it has, a label never answers.
    m_preview->setMinimumHeight(0);
    m_preview->setFixedHeight(std::max(0, m_preview->heightForWidth(m_preview->width())));
    QSizePolicy policy = m_preview->sizePolicy();
    policy.setHeightForWidth(false);
    m_preview->setSizePolicy(policy);
}

void ReleaseForm::showPolicies() {
    const QSignalBlocker unknown(m_unknown);
    const QSignalBlocker letterCase(m_letterCase);
    const TextPolicies& shown = m_state.textPolicies();
    m_unknown->setCurrentIndex(m_unknown->findData(static_cast<int>(shown.unknownWords)));
    m_letterCase->setCurrentIndex(m_letterCase->findData(static_cast<int>(shown.letterCase)));
    m_mask->setEnabled(shown.unknownWords == UnknownPolicy::mask);
    Q_EMIT changed();
}

TextPolicies ReleaseForm::policies() const {
    return {static_cast<UnknownPolicy>(m_unknown->currentData().toInt()),
            static_cast<CasePolicy>(m_letterCase->currentData().toInt())};
}

void ReleaseForm::chooseInput() {
    const QString path = dialogs::openFile(this, tr("Text to release"), {}, textFilters());
    if (!path.isEmpty()) {
        m_input->setText(path);
    }
}

void ReleaseForm::chooseOutput() {
    const QString path =
        dialogs::saveFile(this, tr("Write the released text to"), m_output->text(), textFilters());
    if (!path.isEmpty()) {
        m_output->setText(path);
    }
}

void ReleaseForm::chooseStopWords() {
    const QString path = dialogs::openFile(this, tr("List of stop words"), {}, textFilters());
    if (!path.isEmpty()) {
        m_stopWords->setText(path);
    }
}

void ReleaseForm::takeDropped(const QString& path, const QWidget* target) {
    QLineEdit* field = target == m_output      ? m_output
                       : target == m_stopWords ? m_stopWords
                                               : m_input;
    field->setText(path);
}

void ReleaseForm::offer(const QString& path, const QString& column) {
    if (m_input->text() == m_offered && m_columns->text() == m_offeredColumn) {
        m_offered = path;
        m_offeredColumn = column;
        m_input->setText(path);
        m_columns->setText(column);
    }
}

void ReleaseForm::followInput() {
    // A name of the user's own stays; one that was suggested is of the text before.
    if (m_output->text().isEmpty() || m_output->text() == m_suggested) {
        m_suggested = m_input->text().isEmpty() ? QString() : suggestedOutput(m_input->text());
        m_output->setText(m_suggested);
    }
    // A column that was taken over is none of another file.
    if (m_input->text() != m_offered && !m_offeredColumn.isEmpty() &&
        m_columns->text() == m_offeredColumn) {
        m_offeredColumn.clear();
        m_columns->clear();
    }
    followColumns();
}

void ReleaseForm::followColumns() {
    m_start = TableStart::read(m_input->text(), !columns().empty(), tableFormat());
    const QString problem = columnProblem();
    m_preview->setText(problem.isEmpty() ? m_start.previewOf(columns())
                                         : tr("⚠ %1").arg(problem.toHtmlEscaped()));
    m_preview->setVisible(!m_preview->text().isEmpty());
    fitPreview();
    Q_EMIT changed();
}

std::vector<std::string> ReleaseForm::columns() const {
    return columnNames(m_columns->text());
}

RecordFormat ReleaseForm::tableFormat() const {
    return static_cast<RecordFormat>(m_tableFormat->currentData().toInt());
}

QString ReleaseForm::columnProblem() const {
    return m_start.problemOf(columns());
}

bool ReleaseForm::isWholeTable() const {
    return columns().empty() && (m_start.isTable() || io::formatOfName(toStd(m_input->text())) !=
                                                          io::RecordFormat::automatic);
}

bool ReleaseForm::isComplete() const {
    return !m_input->text().isEmpty() && !m_output->text().isEmpty();
}

bool ReleaseForm::hasStopWords() const {
    return !m_stopWords->text().isEmpty();
}

QStringList ReleaseForm::read() const {
    return {m_input->text(), m_stopWords->text()};
}

QStringList ReleaseForm::written() const {
    QStringList paths;
    if (!m_output->text().isEmpty()) {
        paths << m_output->text();
        if (m_sidecar->isChecked()) {
            paths << sidecarFor(m_output->text());
        }
    }
    return paths;
}

void ReleaseForm::fillIn(ReleaseRequest& request) const {
    request.inputPath = absolutePath(m_input->text());
    request.decoding = m_encoding->decoding();
    request.table.columns = columns();
    request.table.format = tableFormat();
    request.outputPath = absolutePath(m_output->text());
    request.policies.unknown = policies().unknownWords;
    request.policies.mask = toStd(m_mask->text());
    request.policies.letterCase = policies().letterCase;
    request.stopWordsPath = absolutePath(m_stopWords->text());
    request.sidecarPath = m_sidecar->isChecked() ? toStdPath(sidecarFor(m_output->text())) : "";
}

}  // namespace epsilens::ui
