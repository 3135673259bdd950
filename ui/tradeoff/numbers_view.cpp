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
#include <nlohmann/json.hpp>

#include "core/document/csv_rows.h"
#include "core/document/evaluation_document.h"
#include "core/experiment/trade_off.h"
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
    return parent.isValid() ? 0 : static_cast<int>(m_table.columns.size());
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
               ? toQString(m_table.columns[static_cast<std::size_t>(section)].title)
               : QVariant();
}

namespace {

QString csvOf(const document::EvaluationRecord& record) {
    return toQString(document::csvRows(document::evaluationDocument(record), "cells"));
}

struct NamedTable {
    QString name{};
    report::Table table{};
};

std::vector<NamedTable> tablesOf(const experiment::EvaluationSummary& summary) {
    std::vector<NamedTable> tables;
    for (std::size_t i = 0; i < summary.original.size(); ++i) {
        tables.push_back(
            {NumbersView::tr("Accuracy, %1")
                 .arg(toQString(experiment::classifierName(summary.options.classifiers[i]))),
             report::classificationTable(summary, i)});
    }
    for (const experiment::AttackResults& attack : summary.attacks) {
        tables.push_back(
            {toQString(report::attackTitle(attack.task)), report::attackTable(summary, attack)});
    }
    return tables;
}

/// Puts the row of the present setting in place of the one of the same name, or behind the others.
///
/// isPartial  the tables lack what a measurement has not come to
void addKnown(std::vector<NamedTable>& tables, const PresentFigures& known, bool isPartial) {
    const experiment::EvaluationSummary& summary = known.result->summary();
    for (NamedTable& more : tablesOf(summary)) {
        const auto same = std::find_if(tables.begin(), tables.end(), [&more](const auto& table) {
            return table.name == more.name;
        });
        if (same == tables.end()) {
            if (isPartial) {
                tables.push_back(std::move(more));
            }
            continue;
        }
        if (same->table.columns != more.table.columns) {
            if (isPartial) {
                same->table = std::move(more.table);
            }
            continue;
        }
        // Settings stand behind the reference lines.
        const auto& row =
            more.table.rows[more.table.rows.size() - summary.cells.size() + known.cell];
        auto& rows = same->table.rows;
        const auto place = std::find_if(rows.begin(), rows.end(), [&row](const auto& other) {
            return other.front() == row.front();
        });
        if (place == rows.end()) {
            rows.push_back(row);
        } else {
            *place = row;
        }
    }
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

void NumbersView::setResult(const TradeOffResultHandle& result,
                            const std::optional<PresentFigures>& known) {
    m_result = result;
    m_known = result && known && known->result != result ? known : std::nullopt;
    m_tables.clear();
    // What is found while a measurement goes on adds tables behind the one looked at.
    const int shown = m_choice->currentIndex();
    m_choice->clear();
    if (!result) {
        return;
    }
    std::vector<NamedTable> tables = tablesOf(result->summary());
    if (m_known) {
        addKnown(tables, *m_known, result->summary().partial);
    }
    for (NamedTable& table : tables) {
        m_choice->addItem(table.name);
        m_tables.push_back(std::move(table.table));
    }
    if (shown >= 0 && shown < m_choice->count()) {
        m_choice->setCurrentIndex(shown);
    }
    showTable();
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
    QString csv = csvOf(m_result->record);
    if (m_known && isOfOneSetting(m_known->result->summary().options)) {
        csv += QLatin1Char('\n') + csvOf(m_known->result->record);
    }
    QApplication::clipboard()->setText(csv);
}

}  // namespace epsilens::ui
