#include "ui/state/controls.h"

#include <algorithm>

#include <QtWidgets>

#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

QComboBox* unknownWordsList(AnalysisState& state, const char* objectName,
                            const QString& description, QWidget* parent) {
    using release::UnknownPolicy;
    auto* list = new ChoiceList<UnknownPolicy>(objectName, tr("Unknown words"), description,
                                               {{UnknownPolicy::mask, tr("Mask")},
                                                {UnknownPolicy::random, tr("Any word at random")},
                                                {UnknownPolicy::drop, tr("Drop")},
                                                {UnknownPolicy::keep, tr("Keep, unprotected")}},
                                               parent);
    bindTo(
        state, *list,
        [](const AnalysisSettings& settings) { return settings.textPolicies.unknownWords; },
        [](AnalysisSettings& settings, UnknownPolicy chosen) {
            settings.textPolicies.unknownWords = chosen;
        });
    return list;
}

QComboBox* letterCaseList(AnalysisState& state, const char* objectName, const QString& description,
                          QWidget* parent) {
    using text::CasePolicy;
    auto* list = new ChoiceList<CasePolicy>(objectName, tr("Letter case"), description,
                                            {{CasePolicy::automatic, tr("Automatic")},
                                             {CasePolicy::keep, tr("As typed")},
                                             {CasePolicy::lower, tr("Lower case")}},
                                            parent);
    bindTo(
        state, *list,
        [](const AnalysisSettings& settings) { return settings.textPolicies.letterCase; },
        [](AnalysisSettings& settings, CasePolicy chosen) {
            settings.textPolicies.letterCase = chosen;
        });
    return list;
}

NumbersView::NumbersView(const char* objectName, const QString& name, QWidget* parent)
    : QWidget(parent),
      m_choice(described(new QComboBox(this), "numbersComboBox", tr("Table"),
                         tr("Which figures the table shows."))),
      m_view(new QTableWidget(this)),
      m_copy(described(new QPushButton(tr("Copy CSV"), this), "copyNumbersPushButton",
                       tr("Copy CSV"),
                       tr("Copies all figures of all tables as comma-separated values."))) {
    setUpRows(*m_view, objectName, name);
    describeRows(*m_view, [](int rows) { return tr("Rows: %1.").arg(counted(rows)); });
    m_view->setAlternatingRowColors(true);
    followFont(m_view, [this](const QFontMetrics&) { m_view->resizeColumnsToContents(); });
    auto* column = columnIn(this, kRowSpacing / 2);
    QHBoxLayout* row = rowOf({m_choice, m_copy}, kRowSpacing);
    row->setStretch(0, 0);
    row->insertStretch(1, 1);
    column->addLayout(row);
    column->addWidget(m_view, 1);
    connect(m_choice, &QComboBox::activated, this, &NumbersView::showTable);
    connect(m_copy, &QPushButton::clicked, this,
            [this] { QApplication::clipboard()->setText(m_csv()); });
}

void NumbersView::setTables(std::vector<report::Table> tables, std::function<QString()> csv) {
    m_tables = std::move(tables);
    m_csv = std::move(csv);
    // What is found while a measurement goes on adds tables behind the one looked at.
    const int shown = std::max(0, m_choice->currentIndex());
    m_choice->clear();
    for (const report::Table& table : m_tables) {
        m_choice->addItem(toQString(table.caption));
    }
    m_choice->setCurrentIndex(shown < m_choice->count() ? shown : 0);
    m_choice->setVisible(m_choice->count() > 1);
    showTable();
}

void NumbersView::setOutdated(bool outdated) {
    m_view->setEnabled(!outdated);
    m_copy->setEnabled(!m_tables.empty() && !outdated);
    m_copy->setToolTip(outdated ? tr("Results of earlier settings are not exported")
                                : m_copy->accessibleDescription());
}

void NumbersView::showTable() {
    const auto index = static_cast<std::size_t>(m_choice->currentIndex());
    m_view->clear();
    m_view->setRowCount(0);
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
            item->setTextAlignment((table.isLeft(place) ? Qt::AlignLeft : Qt::AlignRight) |
                                   Qt::AlignVCenter);
            m_view->setItem(row, column, item);
        }
    }
    m_view->resizeColumnsToContents();
}

}  // namespace epsilens::ui
