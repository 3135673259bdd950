#include "ui/release/release_form.h"

#include <algorithm>
#include <array>

#include <QtWidgets>

#include "core/base/error.h"
#include "core/io/output.h"
#include "core/io/record_reader.h"
#include "core/release/sanitize_stream.h"
#include "core/release/word_replacer.h"
#include "ui/state/controls.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/qt_convert.h"
#include "ui/widgets/remembered.h"

namespace epsilens::ui {

namespace {

QStringList textFilters() {
    return {ReleaseForm::tr("All files (*)"), ReleaseForm::tr("Text (*.txt *.csv *.tsv *.md)")};
}

/// A form gives the label of a whole row no control by itself.
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

const QString kSidecarEnding = QStringLiteral(".json");

/// The absolute path of a file that was named, empty where none was. A name alone is of a file,
/// also that which stands for standard input elsewhere.
std::string absolutePath(const QString& named) {
    return named.isEmpty() ? std::string() : toStdPath(QFileInfo(named).absoluteFilePath());
}

/// Those that most text outside of UTF-8 comes in; any other can be typed.
constexpr std::array kEncodings{"UTF-8",        "UTF-16",      "windows-1252", "windows-1250",
                                "windows-1251", "ISO-8859-15", "KOI8-R",       "GB18030",
                                "Big5",         "Shift_JIS",   "EUC-JP",       "EUC-KR"};

constexpr std::size_t kRowsShown = 2;
constexpr std::size_t kColumnsShown = 6;

bool beginsAsTable(const QString& path) {
    constexpr qint64 kLongestLine = 4096;
    QFile file(path);
    return file.open(QIODevice::ReadOnly) &&
           io::formatOfStart(file.readLine(kLongestLine).toStdString()) != io::RecordFormat::csv;
}

QString shownCell(const std::string& text) {
    constexpr qsizetype kMostLetters = 40;
    const QString cell = toQString(text).simplified();
    return (cell.size() > kMostLetters ? cell.left(kMostLetters - 1) + QStringLiteral("…") : cell)
        .toHtmlEscaped();
}

struct TableStart {
    std::vector<std::vector<std::string>> records{};  ///< of JSON Lines the first are the names
    io::RecordFormat format = io::RecordFormat::automatic;
};

/// None of other files than regular ones, of text in another encoding than UTF-8 or without
/// columns.
///
/// isAskedFor  it is a table, whatever its name and first line look like
TableStart startOf(const QString& path, bool isAskedFor, io::RecordFormat format) {
    TableStart start;
    const bool isNamedSo = format != io::RecordFormat::automatic ||
                           io::formatOfName(toStd(path)) != io::RecordFormat::automatic;
    // Reading from anything but a file would take away what it has.
    if (!QFileInfo(path).isFile() || !(isAskedFor || isNamedSo || beginsAsTable(path))) {
        return start;
    }
    auto reader = io::RecordReader::openFields({toStdPath(path), {}, format});
    while (reader && start.records.size() <= kRowsShown) {
        const auto fields = reader->nextFields();
        if (!fields || !*fields) {
            break;
        }
        start.records.emplace_back((*fields)->begin(), (*fields)->end());
        start.format = reader->format();
    }
    return start;
}

QString previewText(const TableStart& start, const std::vector<std::string>& columns) {
    if (start.records.empty()) {
        return {};
    }
    const auto& first = start.records.front();
    const bool areNames =
        !columns.empty() && columns.front().find_first_not_of("0123456789") != std::string::npos;
    const std::size_t namesAbove = areNames ? 1 : 0;
    const auto isReleased = [&](std::size_t column) {
        const std::string known = namesAbove > 0 ? first[column] : std::to_string(column + 1);
        return columns.empty() || std::ranges::find(columns, known) != columns.end();
    };
    // Where there are too many, those released before others.
    std::vector<std::size_t> shown;
    for (const bool released : {true, false}) {
        for (std::size_t column = 0; column < first.size() && shown.size() < kColumnsShown;
             ++column) {
            if (isReleased(column) == released) {
                shown.push_back(column);
            }
        }
    }
    std::ranges::sort(shown);
    QStringList lines(1 + kRowsShown);
    for (const std::size_t column : shown) {
        const QString title = namesAbove > 0 ? shownCell(first[column])
                                             : ReleaseForm::tr("Column %1").arg(column + 1);
        lines.front() +=
            isReleased(column)
                ? ReleaseForm::tr("<th align=\"left\">%1: released</th>").arg(title)
                : ReleaseForm::tr("<td><i>%1: copied, unprotected</i></td>").arg(title);
        for (std::size_t row = 0; row < kRowsShown; ++row) {
            const std::size_t place = namesAbove + row;
            const bool isThere =
                place < start.records.size() && column < start.records[place].size();
            lines[static_cast<qsizetype>(row) + 1] +=
                (isReleased(column) ? QStringLiteral("<td><b>%1</b></td>")
                                    : QStringLiteral("<td>%1</td>"))
                    .arg(isThere ? shownCell(start.records[place][column]) : QString());
        }
    }
    const std::size_t hidden = first.size() - shown.size();
    return QStringLiteral("<table cellpadding=\"3\"><tr>%1</tr></table>")
               .arg(lines.join(QLatin1String("</tr><tr>"))) +
           (hidden == 0 ? QString() : ReleaseForm::tr("Columns not shown: %1. ").arg(hidden)) +
           ReleaseForm::tr("Written as it is read: %1.")
               .arg(toQString(io::recordFormatName(start.format)));
}

/// "text.txt" becomes "text.released.txt", in the folder that files were last written to.
QString suggestedOutput(const QString& input) {
    const QFileInfo info(input);
    const QString ending = info.suffix().isEmpty() ? QString() : QLatin1Char('.') + info.suffix();
    return QDir(remembered::outputFolder())
        .filePath(info.completeBaseName() + QStringLiteral(".released") + ending);
}

Result<release::ReleaseOutputs> openOutputs(const ReleaseRequest& request, const JobContext& job) {
    const std::string& embedding = request.space->embedding().embedding.path;
    for (const std::string& place : {request.outputPath, request.sidecarPath}) {
        if (!place.empty()) {
            RETURN_IF_ERROR(
                io::checkIsNoInput(place, {request.inputPath, request.stopWordsPath, embedding})
                    .map_error(inFile(place)));
        }
    }
    return release::ReleaseOutputs::open(request.outputPath, request.sidecarPath, job.stop);
}

Result<release::ReleasePolicies> completePolicies(const ReleaseRequest& request,
                                                  const JobContext& job) {
    release::ReleasePolicies policies = request.policies;
    if (!request.stopWordsPath.empty()) {
        ASSIGN_OR_RETURN(auto stopWords, release::readStopWords(request.stopWordsPath, job.stop));
        policies.stopWords = std::move(stopWords);
    }
    return policies;
}

}  // namespace

Result<release::TextSurvey> surveyRelease(const ReleaseRequest& request, const JobContext& job) {
    constexpr std::size_t kMostUnknown = 100;  // as many as can be common
    ASSIGN_OR_RETURN(auto policies, completePolicies(request, job));
    ASSIGN_OR_RETURN(auto input,
                     release::TextInput::open(request.inputPath, request.decoding, job.stop));
    return release::surveyText(input, request.space, std::move(policies), request.table,
                               kMostUnknown, job);
}

Result<std::vector<release::ExampleLine>> exampleOf(const ReleaseRequest& request,
                                                    const JobContext& job) {
    constexpr std::size_t kLines = 10;
    ASSIGN_OR_RETURN(auto policies, completePolicies(request, job));
    ASSIGN_OR_RETURN(auto input,
                     release::TextInput::open(request.inputPath, request.decoding, job.stop));
    ASSIGN_OR_RETURN(const auto replacer, release::createReplacer(request.space, request.setting));
    return release::exampleLines(input, request.space, *replacer, std::move(policies),
                                 request.table, kLines, job);
}

QString exampleText(const std::vector<release::ExampleLine>& rows) {
    QString lines;
    for (const release::ExampleLine& row : rows) {
        lines += QStringLiteral("<tr><td>%1</td><td>%2</td></tr>")
                     .arg(shownCell(row.before), shownCell(row.after));
    }
    return rows.empty()
               ? QString()
               : QStringLiteral(
                     "<table cellpadding=\"2\"><tr><th align=\"left\">%1</th>"
                     "<th align=\"left\">%2</th></tr>%3</table>")
                     .arg(ReleaseForm::tr("before"),
                          ReleaseForm::tr("after, for example: a release draws anew"), lines);
}

Result<report::ReleaseReport> releaseFile(const ReleaseRequest& request, const JobContext& job) {
    ASSIGN_OR_RETURN(auto policies, completePolicies(request, job));
    ASSIGN_OR_RETURN(auto input,
                     release::TextInput::open(request.inputPath, request.decoding, job.stop));
    ASSIGN_OR_RETURN(auto outputs, openOutputs(request, job));
    ASSIGN_OR_RETURN(const auto replacer, release::createReplacer(request.space, request.setting));
    ASSIGN_OR_RETURN(auto sanitizer,
                     release::Sanitizer::create(request.space, *replacer, std::move(policies)));
    release::StreamOptions options;
    options.keepPartial = false;
    options.table = request.table;
    const auto end = release::sanitizeStream(input, outputs.text, sanitizer, options, job);
    if (!end || end->failure) {
        return tl::unexpected(end ? *end->failure : end.error());
    }
    report::ReleaseReport report =
        report::describeRelease(request.space->embedding(), request.setting, sanitizer, *end);
    report.agreed = request.agreed;
    RETURN_IF_ERROR(outputs.finish(report::releaseJson(report)));
    return report;
}

ReleaseForm::ReleaseForm(AnalysisState& state, QWidget* parent) : QWidget(parent), m_state(state) {
    auto* form = new QFormLayout;
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    addFiles(*form);
    addEncoding(*form);
    addPolicies(*form);
    // Not in the form, which gives text that wraps the height of a narrower one.
    columnIn(this, kRowSpacing, {m_preview})->insertLayout(0, form);
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
    button->setAutoDefault(false);
    addRow(form, label, field, rowOf({field, button}, kRowSpacing));
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
                           return dialogs::openFile(this, tr("Text to release"), textFilters());
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
    m_preview = selectable(wrapped(new QLabel(this), "previewLabel"));
    m_preview->setTextFormat(Qt::RichText);
    m_preview->setAccessibleDescription(tr("The first two rows and what happens to each column."));
    m_preview->hide();
    m_output =
        addPath(form, tr("Write &to"),
                described(new QLineEdit(this), "outputLineEdit", tr("File for the released text"),
                          tr("Appears when the text is done: the whole file, or none.")),
                {"browseOutputPushButton", tr("Bro&wse…"), tr("Choose the file to write"),
                 tr("Asks for a folder and a name."), [this] {
                     return dialogs::saveFile(this, tr("Write the released text to"),
                                              m_output->text(), textFilters());
                 }});
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
         [this] { return dialogs::openFile(this, tr("List of stop words"), textFilters()); }});
    m_stopWords->setPlaceholderText(tr("none: all words are processed"));
    m_sidecar =
        described(new QCheckBox(tr("Also write counts and guarantee (.json, &no text)"), this),
                  "sidecarCheckBox", tr("Write counts and guarantee"),
                  tr("Settings, counts and guarantee in a separate file; never text."));
    m_sidecar->setChecked(true);
    form.addRow(QString(), m_sidecar);
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

void ReleaseForm::suggestFile(const QString& path, const QString& column) {
    if (m_input->text() == m_offered && m_columns->text() == m_offeredColumn) {
        m_offered = path;
        m_offeredColumn = column;
        m_input->setText(path);
        m_columns->setText(column);
    }
}

void ReleaseForm::followInput() {
    if (m_output->text().isEmpty() || m_output->text() == m_suggested) {
        m_suggested = m_input->text().isEmpty() ? QString() : suggestedOutput(m_input->text());
        m_output->setText(m_suggested);
    }
    if (m_input->text() != m_offered && !m_offeredColumn.isEmpty() &&
        m_columns->text() == m_offeredColumn) {
        m_offeredColumn.clear();
        m_columns->clear();
    }
    followColumns();
}

void ReleaseForm::followColumns() {
    const TableStart start = startOf(m_input->text(), !columns().empty(), m_tableFormat->value());
    m_isTable = !start.records.empty();
    m_preview->setText(previewText(start, columns()));
    m_preview->setVisible(!m_preview->text().isEmpty());
    Q_EMIT changed();
}

std::vector<std::string> ReleaseForm::columns() const {
    std::vector<std::string> names;
    for (const QString& part : m_columns->text().split(QLatin1Char(','))) {
        if (const QString name = part.trimmed(); !name.isEmpty()) {
            names.push_back(toStd(name));
        }
    }
    return names;
}

QString ReleaseForm::unprotectedText() const {
    QStringList lines;
    if (columns().empty() &&
        (m_isTable || io::formatOfName(toStd(m_input->text())) != io::RecordFormat::automatic)) {
        lines << tr(
            "⚠ This is a table. Unless you name columns above, all of it is processed: "
            "headings, labels and numbers too.");
    }
    if (m_state.textPolicies().unknownWords == release::UnknownPolicy::keep) {
        lines << tr("⚠ Unknown words stay as they are: names, numbers and addresses too.");
    }
    if (!m_stopWords->text().isEmpty()) {
        lines << tr("⚠ Stop words stay as they are.");
    }
    lines << tr(
        "Not protected: how many words there are and in which order, which of them are "
        "unknown, spacing, punctuation and letter case. Any word of the vocabulary can come out, "
        "offensive ones too.");
    return lines.join(QLatin1Char('\n'));
}

QStringList ReleaseForm::written() const {
    QStringList paths;
    if (!m_output->text().isEmpty()) {
        paths << m_output->text();
        if (m_sidecar->isChecked()) {
            paths << m_output->text() + kSidecarEnding;
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
    request.sidecarPath =
        m_sidecar->isChecked() ? toStdPath(m_output->text() + kSidecarEnding) : "";
}

}  // namespace epsilens::ui
