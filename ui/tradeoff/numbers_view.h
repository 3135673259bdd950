#pragma once

#include <optional>
#include <vector>

#include <QWidget>

#include "core/report/report_model.h"
#include "ui/tradeoff/trade_off_model.h"

class QComboBox;
class QPushButton;
class QTableWidget;

namespace epsilens::ui {

/// All figures of an evaluation, a table for each classifier and attack.
class NumbersView : public QWidget {
    Q_OBJECT

public:
    explicit NumbersView(QWidget* parent = nullptr);

    /// known  what is known of the present setting, where another result says it
    void setResult(const TradeOffResultHandle& result, const std::optional<PresentFigures>& known);
    /// Results of other settings cannot be copied.
    void setOutdated(bool outdated);

private:
    void showTable();
    void copy();

    TradeOffResultHandle m_result;
    std::optional<PresentFigures> m_known;
    std::vector<report::Table> m_tables;
    QComboBox* m_choice;
    QTableWidget* m_view;
    QPushButton* m_copy;
};

}  // namespace epsilens::ui
