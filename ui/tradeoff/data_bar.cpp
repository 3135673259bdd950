#include "ui/tradeoff/data_bar.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

#include "ui/widgets/describe.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/qt_convert.h"
#include "ui/widgets/remembered.h"

namespace epsilens::ui {

DataBar::DataBar(LabelledSource& source, QWidget* parent)
    : QWidget(parent),
      m_source(source),
      m_row(new QHBoxLayout(this)),
      m_open(described(new QPushButton(tr("Open te&xts…"), this), "openLabelledPushButton",
                       tr("Open texts"),
                       tr("Texts with their classes or authors: CSV, TSV, JSON Lines, or a label, "
                          "a tab and the text on each line; plain or compressed."))),
      m_folder(described(new QPushButton(tr("Folder…"), this), "openFolderPushButton",
                         tr("Open a folder of texts"),
                         tr("A folder with a subfolder for each class or author, which holds a "
                            "text file for each document."))),
      m_summary(new QLabel(this)),
      m_remark(hintLabel({}, this)),
      m_columns(new QWidget(this)),
      m_text(buildColumn("textColumnLineEdit", tr("Column of the texts"),
                         tr("Name of the column in the header, or its number from 1. Empty: the "
                            "program guesses."))),
      m_label(buildColumn("labelColumnLineEdit", tr("Column of the classes"),
                          tr("Name of the column in the header, or its number from 1. Empty: the "
                             "program guesses."))),
      m_author(buildColumn("authorColumnLineEdit", tr("Column of the authors"),
                           tr("Name of the column in the header, or its number from 1. Empty: "
                              "found only by its name."))) {
    m_summary->setObjectName(QStringLiteral("labelledSummaryLabel"));
    m_summary->setWordWrap(true);
    m_remark->setObjectName(QStringLiteral("labelledRemarkLabel"));
    m_remark->setWordWrap(true);
    auto* columns = new QHBoxLayout(m_columns);
    columns->setContentsMargins(0, 0, 0, 0);
    addLabelled(*columns, tr("Columns: text"), m_text);
    addLabelled(*columns, tr("class"), m_label);
    addLabelled(*columns, tr("author"), m_author);
    columns->addSpacing(kRowSpacing);
    columns->addWidget(m_remark, 1);
    m_row->setContentsMargins(0, 0, 0, 0);
    m_row->setSpacing(kRowSpacing);
    m_row->addWidget(m_open);
    m_row->addWidget(m_folder);
    m_row->addWidget(m_summary, 1);
    connect(m_open, &QPushButton::clicked, this, &DataBar::chooseFile);
    connect(m_folder, &QPushButton::clicked, this, &DataBar::chooseFolder);
    connect(&m_source, &LabelledSource::changed, this, &DataBar::refresh);
    connect(&m_source, &LabelledSource::coverageChanged, this, &DataBar::refresh);
    refresh();
}

QLineEdit* DataBar::buildColumn(const char* objectName, const QString& name,
                                const QString& description) {
    auto* field = described(new QLineEdit(this), objectName, name, description);
    constexpr int kColumnWidth = 150;
    followFont(field, [field](const QFontMetrics& metrics) {
        // A number or a short name; more where there is room.
        field->setMinimumWidth(scaledToText(kColumnWidth / 2, metrics));
        field->setMaximumWidth(scaledToText(kColumnWidth, metrics));
    });
    connect(field, &QLineEdit::editingFinished, this, &DataBar::takeColumns);
    return field;
}

void DataBar::chooseFile() {
    const QString path = dialogs::openFile(
        this, tr("Open texts"), remembered::folder(),
        {tr("All files (*)"),
         tr("Labelled texts (*.csv *.tsv *.txt *.jsonl *.gz *.xz *.bz2 *.zst *.zip)")});
    if (!path.isEmpty()) {
        remembered::setFolder(QFileInfo(path).absolutePath());
        m_source.open(path);
    }
}

void DataBar::chooseFolder() {
    const QString path =
        dialogs::openFolder(this, tr("Open a folder of texts"), remembered::folder());
    if (!path.isEmpty()) {
        remembered::setFolder(path);
        m_source.open(path);
    }
}

void DataBar::refresh() {
    const bool isReading = m_source.reader().isRunning();
    const LabelledTextsHandle& texts = m_source.texts();
    m_summary->setText(isReading ? tr("Reading…") : m_source.summaryText());
    m_summary->setToolTip(m_source.unknownText());
    m_remark->setText(m_source.remarkText());
    const bool hasColumns = texts && texts->data.textColumn;
    m_columns->setVisible(texts != nullptr);
    for (QLineEdit* field : {m_text, m_label, m_author}) {
        field->setEnabled(hasColumns && !isReading);
    }
    if (hasColumns) {
        showColumn(*m_text, texts->source.options.textColumn, texts->data.textColumn);
        showColumn(*m_label, texts->source.options.labelColumn, texts->data.labelColumn);
        showColumn(*m_author, texts->source.options.authorColumn, texts->data.authorColumn);
    }
}

void DataBar::showColumn(QLineEdit& field, const std::string& typed,
                         const std::optional<experiment::Column>& column) {
    field.setText(toQString(typed));
    field.setPlaceholderText(column ? tr("%1 (guessed)").arg(toQString(column->name)) : tr("none"));
}

void DataBar::takeColumns() {
    m_source.setColumns({m_text->text(), m_label->text(), m_author->text()});
}

}  // namespace epsilens::ui
