#pragma once

#include <vector>

#include <QAbstractTableModel>
#include <QWidget>

#include "core/report/report_model.h"
#include "ui/tradeoff/trade_off_model.h"

class QComboBox;
class QPushButton;
class QTableView;

namespace epsilens::ui {

/// A table of the reports, to look at.
class NumbersTable : public QAbstractTableModel {
    Q_OBJECT

public:
    using QAbstractTableModel::QAbstractTableModel;

    void setTable(report::Table table);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;

private:
    report::Table m_table;
};

/// All figures of an evaluation, a table for each classifier and attack.
class NumbersView : public QWidget {
    Q_OBJECT

public:
    explicit NumbersView(QWidget* parent = nullptr);

    /// alone  what was measured of one setting beside the grid of the result; null: nothing
    void setResult(const TradeOffResultHandle& result, const TradeOffResultHandle& alone = {});
    /// Results of other settings cannot be copied.
    void setOutdated(bool outdated);

private:
    void addAlone();
    void showTable();
    void copy();

    TradeOffResultHandle m_result;
    TradeOffResultHandle m_alone;
    std::vector<report::Table> m_tables;
    NumbersTable* m_table;
    QComboBox* m_choice;
    QTableView* m_view;
    QPushButton* m_copy;
};

}  // namespace epsilens::ui
