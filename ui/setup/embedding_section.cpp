#include "ui/setup/embedding_section.h"

#include <QCheckBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "ui/setup/embedding_loader.h"
#include "ui/setup/load_summary.h"
#include "ui/state/analysis_state.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/large_text.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/number_field.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

namespace {
constexpr double kDefaultRowLimit = 100'000;
constexpr double kLargestRowLimit = 1e9;
}  // namespace

EmbeddingSection::EmbeddingSection(AnalysisState& state, EmbeddingLoader& loader, QWidget* parent)
    : QWidget(parent),
      m_state(state),
      m_loader(loader),
      m_name(new ElidedLabel(tr("No file open"), this)),
      m_open(new QPushButton(tr("Open…"), this)),
      m_summary(new QGridLayout),
      m_limit(new QCheckBox(tr("Only the first"), this)),
      m_limitRows(
          new NumberField({1.0, kLargestRowLimit, false, true, tr("number of rows")}, this)),
      m_reload(new QPushButton(tr("Reload"), this)) {
    m_name->setObjectName(QStringLiteral("embeddingNameLabel"));
    m_open->setObjectName(QStringLiteral("openButton"));
    m_open->setToolTip(
        tr("Open an embedding: GloVe, word2vec or fastText, text or binary, plain or "
           "compressed."));
    m_open->setAccessibleDescription(m_open->toolTip());
    connect(m_open, &QPushButton::clicked, this, &EmbeddingSection::openRequested);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kRowSpacing);
    layout->addWidget(headingLabel(tr("Embedding"), this));
    auto* nameRow = new QHBoxLayout;
    nameRow->addWidget(m_name, 1);
    nameRow->addWidget(m_open);
    layout->addLayout(nameRow);
    m_summary->setContentsMargins(0, 0, 0, 0);
    m_summary->setHorizontalSpacing(8);
    m_summary->setVerticalSpacing(3);
    m_summary->setColumnMinimumWidth(0, kLabelWidth);
    m_summary->setColumnStretch(1, 1);
    layout->addLayout(m_summary);
    auto* limitGrid = new QGridLayout;
    buildLimitRow(*limitGrid, 0);
    layout->addLayout(limitGrid);

    connect(&m_state, &AnalysisState::embeddingChanged, this, &EmbeddingSection::showSummary);
    showSummary();
}

void EmbeddingSection::buildLimitRow(QGridLayout& grid, int row) {
    m_limit->setObjectName(QStringLiteral("rowLimitCheckBox"));
    m_limit->setToolTip(
        tr("Load only the first rows of the file. In most files the frequent words "
           "come first."));
    m_limit->setAccessibleDescription(m_limit->toolTip());
    m_limitRows->setObjectName(QStringLiteral("rowLimitField"));
    m_limitRows->setAccessibleName(tr("Number of rows to load"));
    m_limitRows->setAccessibleDescription(m_limit->toolTip());
    keepFieldWidth(m_limitRows);
    m_limitRows->setValue(kDefaultRowLimit);
    m_limitRows->setEnabled(false);
    m_reload->setObjectName(QStringLiteral("reloadButton"));
    m_reload->setToolTip(tr("Load the file again with this option."));
    m_reload->setAccessibleDescription(m_reload->toolTip());
    m_reload->hide();
    grid.setContentsMargins(0, 0, 0, 0);
    grid.setHorizontalSpacing(8);
    grid.addWidget(m_limit, row, 0);
    auto* rows = new QLabel(tr("rows"), this);
    followFont(m_limit, [this, rows, row, &grid](const QFontMetrics& metrics) {
        const bool isLarge = isLargeText(metrics);
        const int below = isLarge ? row + 1 : row;
        const int column = isLarge ? 0 : 1;
        grid.addWidget(m_limitRows, below, column);
        grid.addWidget(rows, below, column + 1);
        grid.addWidget(m_reload, isLarge ? row + 2 : row, isLarge ? 0 : 3);
    });
    grid.setColumnStretch(4, 1);
    const auto offerReload = [this] {
        // Also of a file that could not be opened as a whole.
        const auto& embedding = m_state.embedding();
        const qint64 loaded = embedding ? embedding->embedding.report.limitedTo.value_or(0) : -1;
        m_reload->setVisible(!reloadPath().isEmpty() &&
                             (m_limitIsOfFailed || rowLimit() != loaded));
    };
    connect(m_limit, &QCheckBox::toggled, m_limitRows, &QWidget::setEnabled);
    connect(m_limit, &QCheckBox::toggled, this, offerReload);
    connect(m_limitRows, &NumberField::valueEdited, this, offerReload);
    const auto takeOver = [this] { m_limitIsOfSession = false; };
    connect(m_limit, &QCheckBox::clicked, this, takeOver);
    connect(m_limitRows, &NumberField::valueEdited, this, takeOver);
    connect(m_reload, &QPushButton::clicked, this,
            [this] { Q_EMIT reloadRequested(reloadPath()); });
    connect(&m_loader, &EmbeddingLoader::loadingStarted, this,
            [this] { m_limitIsOfFailed = false; });
}

QString EmbeddingSection::reloadPath() const {
    return m_limitIsOfFailed || !m_state.embedding() ? m_loader.lastPath() : m_loader.openPath();
}

qint64 EmbeddingSection::rowLimit() const {
    return m_limit->isChecked() ? static_cast<qint64>(m_limitRows->value()) : 0;
}

void EmbeddingSection::setRowLimit(qint64 rows) {
    m_limit->setChecked(rows > 0);
    if (rows > 0) {
        m_limitRows->setValue(static_cast<double>(rows));
    }
    m_limitIsOfSession = rows > 0;
    m_reload->hide();
}

void EmbeddingSection::forgetRowLimitOfSession() {
    if (m_limitIsOfSession) {
        setRowLimit(0);
    }
}

void EmbeddingSection::askForRowLimit() {
    m_limitIsOfFailed = true;
    m_limit->setChecked(true);
    m_limitIsOfSession = false;
    m_limitRows->setFocus(Qt::OtherFocusReason);
    m_limitRows->selectAll();
}

void EmbeddingSection::showSummary() {
    while (QLayoutItem* item = m_summary->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    const auto& embedding = m_state.embedding();
    if (!embedding) {
        return;
    }
    m_reload->hide();
    const bool builtIn = embedding->embedding.path.empty();
    const bool poincare = embedding->embedding.name == embedding::kPoincareSampleName;
    if (!builtIn) {
        m_name->setText(toQString(embedding->embedding.name));
        m_name->setToolTip(toQString(embedding->embedding.path));
    } else {
        m_name->setText(poincare ? tr("Built-in Poincaré sample") : tr("Built-in sample"));
        m_name->setToolTip(poincare
                               ? tr("14,065 English nouns in the Poincaré ball, trained on the "
                                    "hypernyms of WordNet")
                               : tr("12,000 English words, made from WordNet"));
    }
    for (const SummaryRow& entry : loadSummary(*embedding)) {
        addSummaryRow(entry);
    }
}

void EmbeddingSection::addSummaryRow(const SummaryRow& entry) {
    const int row = m_summary->count() / 2;  // rows of a grid are never taken away
    auto* value = new QLabel(entry.needsCare ? tr("⚠ %1").arg(entry.value) : entry.value, this);
    value->setTextFormat(Qt::PlainText);
    value->setWordWrap(true);
    value->setToolTip(entry.detail);
    value->setAccessibleName(tr("%1: %2").arg(entry.label, entry.value));
    value->setAccessibleDescription(entry.detail);
    value->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_summary->addWidget(hintLabel(entry.label, this), row, 0, Qt::AlignTop);
    m_summary->addWidget(value, row, 1);
}

}  // namespace epsilens::ui
