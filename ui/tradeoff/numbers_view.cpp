#include "ui/tradeoff/numbers_view.h"

#include <algorithm>
#include <utility>

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QPushButton>
#include <QTableView>
#include <QVBoxLayout>

#include "core/experiment/trade_off.h"
#include "core/report/attack_report.h"
#include "core/report/evaluation_report.h"
#include "ui/widgets/describe.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

void NumbersTable::setTable(report::Table table) {
    beginResetModel();
    m_table = std::move(table);
    endResetModel();
}

int NumbersTable::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_table.rows.size());
}

int NumbersTable::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_table.titles.size());
}

QVariant NumbersTable::data(const QModelIndex& index, int role) const {
    if (role == Qt::TextAlignmentRole && index.column() > 0) {
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    }
    return role == Qt::DisplayRole
               ? toQString(m_table.rows[static_cast<std::size_t>(index.row())]
                                       [static_cast<std::size_t>(index.column())])
               : QVariant();
}

QVariant NumbersTable::headerData(int section, Qt::Orientation orientation, int role) const {
    return role == Qt::DisplayRole && orientation == Qt::Horizontal
               ? toQString(m_table.titles[static_cast<std::size_t>(section)])
               : QVariant();
}

namespace {

/// The lines of one table that another with the same columns lacks; nothing where they differ.
QString linesMissing(const QString& table, const QString& more) {
    const QStringList there = table.split(QLatin1Char('\n'));
    const QStringList lines = more.split(QLatin1Char('\n'));
    QString missing;
    if (lines.front() == there.front()) {
        for (const QString& line : lines) {
            missing += there.contains(line) ? QString() : line + QLatin1Char('\n');
        }
    }
    return missing;
}

}  // namespace

NumbersView::NumbersView(QWidget* parent)
    : QWidget(parent),
      m_table(new NumbersTable(this)),
      m_choice(new QComboBox(this)),
      m_view(new QTableView(this)),
      m_copy(new QPushButton(tr("Copy CSV"), this)) {
    describe(*m_choice, "numbersComboBox", tr("Table"), tr("Which figures the table shows."));
    describe(*m_copy, "copyNumbersPushButton", tr("Copy CSV"),
             tr("Copies all figures of all tables as comma-separated values."));
    m_view->setObjectName(QStringLiteral("tradeOffTableView"));
    m_view->setAccessibleName(tr("Figures of the trade-off"));
    m_view->setModel(m_table);
    describeRows(*m_view, [](int rows) {
        return tr("Rows: %1, the original text, the reference lines and a row for each setting.")
            .arg(counted(rows));
    });
    m_view->verticalHeader()->hide();
    m_view->setAlternatingRowColors(true);
    m_view->setTabKeyNavigation(false);
    m_view->setWordWrap(false);
    keepRowHeight(m_view, kLeastTarget);
    auto* row = new QHBoxLayout;
    row->addWidget(m_choice);
    row->addStretch(1);
    row->addWidget(m_copy);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, kRowSpacing, 0, 0);
    column->addLayout(row);
    column->addWidget(m_view, 1);
    connect(m_choice, &QComboBox::activated, this, &NumbersView::showTable);
    connect(m_copy, &QPushButton::clicked, this, &NumbersView::copy);
}

void NumbersView::setResult(const TradeOffResultHandle& result, const TradeOffResultHandle& alone) {
    m_result = result;
    m_alone = result ? alone : nullptr;
    m_tables.clear();
    // What is found while a measurement goes on adds tables behind the one looked at.
    const int shown = m_choice->currentIndex();
    m_choice->clear();
    if (!result) {
        return;
    }
    const experiment::EvaluationSummary& summary = result->summary();
    for (std::size_t i = 0; i < summary.original.size(); ++i) {
        m_tables.push_back(report::classificationTable(summary, i));
        m_choice->addItem(
            tr("Accuracy, %1")
                .arg(toQString(experiment::classifierName(summary.options.classifiers[i]))));
    }
    for (const experiment::AttackResults& attack : summary.attacks) {
        m_tables.push_back(report::attackTable(summary, attack));
        m_choice->addItem(toQString(report::attackTitle(attack.task)));
    }
    addAlone();
    if (shown >= 0 && shown < m_choice->count()) {
        m_choice->setCurrentIndex(shown);
    }
    showTable();
}

/// Behind the rows of the grid, where the same was measured.
void NumbersView::addAlone() {
    if (!m_alone) {
        return;
    }
    const experiment::EvaluationSummary& grid = m_result->summary();
    const experiment::EvaluationSummary& summary = m_alone->summary();
    const auto append = [](report::Table& table, const report::Table& more) {
        if (more.titles == table.titles && !more.rows.empty()) {
            table.rows.push_back(more.rows.back());
        }
    };
    for (std::size_t i = 0; i < std::min(grid.original.size(), summary.original.size()); ++i) {
        if (grid.options.classifiers[i] == summary.options.classifiers[i]) {
            append(m_tables[i], report::classificationTable(summary, i));
        }
    }
    for (std::size_t i = 0; i < grid.attacks.size(); ++i) {
        if (const auto* attack = experiment::attackOf(summary, grid.attacks[i].task)) {
            append(m_tables[grid.original.size() + i], report::attackTable(summary, *attack));
        }
    }
}

void NumbersView::setOutdated(bool outdated) {
    m_view->setEnabled(!outdated);
    m_copy->setEnabled(m_result && !outdated);
    m_copy->setToolTip(outdated ? tr("Results of earlier settings are not exported")
                                : m_copy->accessibleDescription());
}

void NumbersView::showTable() {
    const auto index = static_cast<std::size_t>(m_choice->currentIndex());
    if (index < m_tables.size()) {
        m_table->setTable(m_tables[index]);
        m_view->resizeColumnsToContents();
    }
}

void NumbersView::copy() {
    QString csv = toQString(report::evaluationCsv(m_result->record));
    if (m_alone) {
        csv += linesMissing(csv, toQString(report::evaluationCsv(m_alone->record)));
    }
    QApplication::clipboard()->setText(csv);
}

}  // namespace epsilens::ui
