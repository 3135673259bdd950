#include "ui/tradeoff/numbers_view.h"

#include <algorithm>
#include <utility>

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>
#include <nlohmann/json.hpp>

#include "core/document/csv_rows.h"
#include "core/report/evaluation_report.h"
#include "ui/widgets/describe.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

namespace {

QString csvOf(const document::EvaluationRecord& record) {
    return toQString(document::csvRows(document::evaluationDocument(record), "cells"));
}

/// Each with its name as its caption.
std::vector<report::Table> tablesOf(const evaluation::EvaluationSummary& summary) {
    std::vector<report::Table> tables;
    for (std::size_t i = 0; i < summary.original.size(); ++i) {
        tables.push_back(report::classificationTable(summary, i));
        tables.back().caption =
            toStd(NumbersView::tr("Accuracy, %1")
                      .arg(toQString(evaluation::classifierName(summary.options.classifiers[i]))));
    }
    for (const attack::AttackResults& attack : summary.attacks) {
        tables.push_back(report::attackTable(summary, attack));
        tables.back().caption = report::attackTitle(attack.task);
    }
    return tables;
}

/// Puts the row of the present setting in place of the one of the same name, or behind the others;
/// adds the tables that are not there. What a measurement has not come to yet has fewer columns.
void addKnown(std::vector<report::Table>& tables, const PresentFigures& known) {
    const evaluation::EvaluationSummary& summary = known.result->summary();
    for (report::Table& more : tablesOf(summary)) {
        const auto same = std::find_if(tables.begin(), tables.end(), [&more](const auto& table) {
            return table.caption == more.caption;
        });
        if (same == tables.end()) {
            tables.push_back(std::move(more));
            continue;
        }
        if (same->columns != more.columns) {
            if (same->columns.size() < more.columns.size()) {
                *same = std::move(more);
            }
            continue;
        }
        // Settings stand behind the reference lines.
        const auto& row = more.rows[more.rows.size() - summary.cells.size() + known.cell];
        auto& rows = same->rows;
        const auto place = std::find_if(rows.begin(), rows.end(), [&row](const auto& other) {
            return other.front() == row.front();
        });
        *(place == rows.end() ? rows.insert(place, row) : place) = row;
    }
}

}  // namespace

NumbersView::NumbersView(QWidget* parent)
    : QWidget(parent),
      m_choice(described(new QComboBox(this), "numbersComboBox", tr("Table"),
                         tr("Which figures the table shows."))),
      m_view(new QTableWidget(this)),
      m_copy(described(new QPushButton(tr("Copy CSV"), this), "copyNumbersPushButton",
                       tr("Copy CSV"),
                       tr("Copies all figures of all tables as comma-separated values."))) {
    m_view->setObjectName(QStringLiteral("tradeOffTableView"));
    m_view->setAccessibleName(tr("Figures of the trade-off"));
    describeRows(*m_view, [](int rows) {
        return tr("Rows: %1, the original text, the reference lines and a row for each setting.")
            .arg(counted(rows));
    });
    m_view->setEditTriggers(QAbstractItemView::NoEditTriggers);
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
    m_tables = result ? tablesOf(result->summary()) : std::vector<report::Table>();
    if (m_known) {
        addKnown(m_tables, *m_known);
    }
    // What is found while a measurement goes on adds tables behind the one looked at.
    const int shown = std::max(0, m_choice->currentIndex());
    m_choice->clear();
    for (const report::Table& table : m_tables) {
        m_choice->addItem(toQString(table.caption));
    }
    m_choice->setCurrentIndex(shown < m_choice->count() ? shown : 0);
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
    if (index >= m_tables.size()) {
        return;
    }
    const report::Table& table = m_tables[index];
    m_view->setColumnCount(static_cast<int>(table.columns.size()));
    m_view->setRowCount(static_cast<int>(table.rows.size()));
    for (int column = 0; column < m_view->columnCount(); ++column) {
        const auto place = static_cast<std::size_t>(column);
        m_view->setHorizontalHeaderItem(
            column, new QTableWidgetItem(toQString(table.columns[place].title)));
        for (int row = 0; row < m_view->rowCount(); ++row) {
            auto* item =
                new QTableWidgetItem(toQString(table.rows[static_cast<std::size_t>(row)][place]));
            item->setTextAlignment((column > 0 ? Qt::AlignRight : Qt::AlignLeft) |
                                   Qt::AlignVCenter);
            m_view->setItem(row, column, item);
        }
    }
    m_view->resizeColumnsToContents();
}

void NumbersView::copy() {
    QString csv = csvOf(*m_result->record);
    if (m_known && m_known->result->isOfOneSetting()) {
        csv += QLatin1Char('\n') + csvOf(*m_known->result->record);
    }
    QApplication::clipboard()->setText(csv);
}

}  // namespace epsilens::ui
