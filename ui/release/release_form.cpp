#include "ui/release/release_form.h"

#include <algorithm>
#include <array>

#include <QCheckBox>
#include <QFocusEvent>
#include <QFormLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QTimer>

#include "ui/release/release_job.h"
#include "ui/release/release_text.h"
#include "ui/state/bound_control.h"
#include "ui/widgets/boxes.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

namespace {

QStringList textFilters() {
    return {ReleaseForm::tr("All files (*)"), ReleaseForm::tr("Text (*.txt *.csv *.tsv *.md)")};
}

/// Adds a row whose label has a key that leads to the control: a form gives the label of a whole
/// row no control by itself.
void addRow(QFormLayout& form, const QString& text, QWidget* control, QLayout* row) {
    auto* label = new QLabel(text, control->parentWidget());
    label->setBuddy(control);
    form.addRow(label, row);
}

QHBoxLayout* halves(QWidget* first, QWidget* second) {
    QHBoxLayout* row = rowOf({first, second}, kRowSpacing);
    row->setStretch(1, 1);
    return row;
}

/// Those that most text outside of UTF-8 comes in; any other can be typed.
constexpr std::array kEncodings{"UTF-8",        "UTF-16",      "windows-1252", "windows-1250",
                                "windows-1251", "ISO-8859-15", "KOI8-R",       "GB18030",
                                "Big5",         "Shift_JIS",   "EUC-JP",       "EUC-KR"};

}  // namespace

QLabel* wrapped(QLabel* label, const char* objectName) {
    label->setObjectName(QLatin1String(objectName));
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    return label;
}

QHBoxLayout* pathRow(QLineEdit* field, QPushButton* button) {
    button->setAutoDefault(false);
    return rowOf({field, button}, kRowSpacing);
}

ReleaseForm::ReleaseForm(AnalysisState& state, QWidget* parent) : QWidget(parent), m_state(state) {
    auto* form = new QFormLayout(this);
    form->setContentsMargins(0, 0, 0, 0);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    addFiles(*form);
    addEncoding(*form);
    addPolicies(*form);
    for (QComboBox* list : findChildren<QComboBox*>()) {
        list->setSizeAdjustPolicy(QComboBox::AdjustToContentsOnFirstShow);
    }
    connect(m_input, &QLineEdit::textChanged, this, &ReleaseForm::followInput);
    connect(m_columns, &QLineEdit::textChanged, this, &ReleaseForm::followColumns);
    connect(m_tableFormat, &QComboBox::currentIndexChanged, this, &ReleaseForm::followColumns);
    for (QLineEdit* field : {m_output, m_mask, m_stopWords}) {
        connect(field, &QLineEdit::textChanged, this, &ReleaseForm::changed);
    }
    connect(m_encoding, &QComboBox::currentTextChanged, this, &ReleaseForm::changed);
    connect(m_invalid, &QComboBox::currentIndexChanged, this, &ReleaseForm::changed);
    connect(m_sidecar, &QCheckBox::toggled, this, &ReleaseForm::changed);
    m_state.onChange(&AnalysisSettings::textPolicies, this, &ReleaseForm::showPolicies);
    showPolicies();
}

QLineEdit* ReleaseForm::addPath(QFormLayout& form, const QString& label, QLineEdit* field,
                                const Browse& browse) {
    auto* button = described(new QPushButton(browse.text, this), browse.objectName, browse.name,
                             browse.description);
    addRow(form, label, field, pathRow(field, button));
    connect(button, &QPushButton::clicked, this, [field, choose = browse.choose] {
        if (const QString path = choose(); !path.isEmpty()) {
            field->setText(path);
        }
    });
    return field;
}

void ReleaseForm::addFiles(QFormLayout& form) {
    using io::RecordFormat;
    m_input = addPath(form, tr("Te&xt file"),
                      described(new QLineEdit(this), "inputLineEdit", tr("Text to release"),
                                tr("A text file or a table; its encoding is chosen below.")),
                      {"browseInputPushButton", tr("&Browse…"), tr("Choose the text to release"),
                       tr("Opens a file dialog."), [this] {
                           return dialogs::openFile(this, tr("Text to release"), {}, textFilters());
                       }});
    m_columns = described(new QLineEdit(this), "columnsLineEdit", tr("Columns of a table"),
                          tr("Names or numbers of the columns to release, separated by commas; "
                             "everything else in the file, such as labels, stays as it is."));
    m_columns->setPlaceholderText(tr("none: the whole file is text"));
    ChoiceList<RecordFormat>::Entries formats{{RecordFormat::automatic, tr("Format: automatic")}};
    for (const RecordFormat format :
         {RecordFormat::csv, RecordFormat::tsv, RecordFormat::tsvQuoted, RecordFormat::jsonLines}) {
        formats.emplace_back(format, toQString(io::recordFormatName(format)));
    }
    m_tableFormat = new ChoiceList<RecordFormat>(
        "tableFormatComboBox", tr("Format of a table"),
        tr("Automatic: from the file's name, else from its first line. tsv takes "
           "quotes as they are, tsv-quoted reads fields in quotes."),
        formats, this);
    addRow(form, tr("&Columns"), m_columns, rowOf({m_columns, m_tableFormat}, kRowSpacing));
    m_preview = wrapped(new QLabel(this), "previewLabel");
    m_preview->setTextFormat(Qt::RichText);
    m_preview->setAccessibleDescription(tr("The first two rows and what happens to each column."));
    m_preview->installEventFilter(this);
    m_preview->hide();
    form.addRow(QString(), m_preview);
    m_output =
        addPath(form, tr("Write &to"),
                described(new QLineEdit(this), "outputLineEdit", tr("File for the released text"),
                          tr("Appears when the text is done: the whole file, or none.")),
                {"browseOutputPushButton", tr("Bro&wse…"), tr("Choose the file to write"),
                 tr("Asks for a folder and a name."), [this] {
                     return dialogs::saveFile(this, tr("Write the released text to"),
                                              m_output->text(), textFilters());
                 }});
    m_output->installEventFilter(this);
}

void ReleaseForm::addEncoding(QFormLayout& form) {
    m_encoding = described(
        new QComboBox(this), "encodingComboBox", tr("Encoding of the text"),
        tr("How the characters of the file are encoded; you can also type the name of any "
           "known encoding. The released text is UTF-8."));
    m_encoding->setEditable(true);
    m_encoding->setInsertPolicy(QComboBox::NoInsert);
    for (const char* encoding : kEncodings) {
        m_encoding->addItem(QLatin1String(encoding));
    }
    guardWheel(m_encoding);
    m_invalid = new ChoiceList<io::InvalidBytes>(
        "invalidComboBox", tr("Damaged text"),
        tr("What happens to bytes that are not valid text in this encoding."),
        {{io::InvalidBytes::refuse, tr("Refuse damaged text")},
         {io::InvalidBytes::replace, tr("Replace damaged places by �")}},
        this);
    addRow(form, tr("&Encoding"), m_encoding, halves(m_encoding, m_invalid));
}

void ReleaseForm::addPolicies(QFormLayout& form) {
    QComboBox* unknown =
        unknownWordsList(m_state, "unknownComboBox",
                         tr("What happens to words that the vocabulary does not have."), this);
    m_mask = described(new QLineEdit(QStringLiteral("<unk>"), this), "maskLineEdit", tr("Mask"),
                       tr("What stands in for unknown words."));
    addRow(form, tr("&Unknown words"), unknown, halves(unknown, m_mask));
    form.addRow(
        tr("&Letter case"),
        letterCaseList(m_state, "letterCaseComboBox",
                       tr("How words are looked up. Automatic: in lower case if under 1% of the "
                          "vocabulary has capitals."),
                       this));
    m_stopWords = addPath(
        form, tr("&Stop words"),
        described(new QLineEdit(this), "stopWordsLineEdit", tr("Stop words"),
                  tr("A file with one word per line; these words stay as they are, unprotected.")),
        {"browseStopWordsPushButton", tr("Br&owse…"), tr("Choose a list of stop words"),
         tr("Opens a file dialog."),
         [this] { return dialogs::openFile(this, tr("List of stop words"), {}, textFilters()); }});
    m_stopWords->setPlaceholderText(tr("none: all words are processed"));
    m_sidecar =
        described(new QCheckBox(tr("Also write counts and guarantee (.json, &no text)"), this),
                  "sidecarCheckBox", tr("Write counts and guarantee"),
                  tr("Settings, counts and guarantee in a separate file; never text."));
    m_sidecar->setChecked(true);
    form.addRow(QString(), m_sidecar);
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
    m_mask->setEnabled(m_state.textPolicies().unknownWords == release::UnknownPolicy::mask);
    Q_EMIT changed();
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
    m_start = TableStart::read(m_input->text(), !columns().empty(), m_tableFormat->value());
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
    request.decoding = {toStd(m_encoding->currentText().trimmed()), m_invalid->value()};
    request.table.columns = columns();
    request.table.format = m_tableFormat->value();
    request.outputPath = absolutePath(m_output->text());
    request.policies.unknown = m_state.textPolicies().unknownWords;
    request.policies.mask = toStd(m_mask->text());
    request.policies.letterCase = m_state.textPolicies().letterCase;
    request.stopWordsPath = absolutePath(m_stopWords->text());
    request.sidecarPath = m_sidecar->isChecked() ? toStdPath(sidecarFor(m_output->text())) : "";
}

}  // namespace epsilens::ui
