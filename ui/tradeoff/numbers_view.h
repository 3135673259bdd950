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

    /// known  what is known of the present setting, where another result says it
    void setResult(const TradeOffResultHandle& result,
                   const std::optional<PresentFigures>& known = {});
    /// Results of other settings cannot be copied.
    void setOutdated(bool outdated);

private:
    void showTable();
    void copy();

    TradeOffResultHandle m_result;
    std::optional<PresentFigures> m_known;
    std::vector<report::Table> m_tables;
    NumbersTable* m_table;
    QComboBox* m_choice;
    QTableView* m_view;
    QPushButton* m_copy;
};

}  // namespace epsilens::ui
