#pragma once

#include <functional>
#include <vector>

#include <QWidget>

#include "core/report/report_model.h"

class QComboBox;
class QPushButton;
class QTableWidget;

namespace epsilens::ui {

/// Tables of results, one of which is shown, and all figures as comma-separated values.
class NumbersView : public QWidget {
    Q_OBJECT

public:
    /// objectName, name  of the table
    NumbersView(const char* objectName, const QString& name, QWidget* parent = nullptr);

    /// tables  each with its name as its caption
    void setTables(std::vector<report::Table> tables, std::function<QString()> csv);
    /// Results of other settings cannot be copied.
    void setOutdated(bool outdated);

private:
    void showTable();

    std::vector<report::Table> m_tables;
    std::function<QString()> m_csv;
    QComboBox* m_choice;
    QTableWidget* m_view;
    QPushButton* m_copy;
};

}  // namespace epsilens::ui
