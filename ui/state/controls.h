#pragma once

#include <functional>
#include <utility>
#include <vector>

#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QStandardItemModel>
#include <QWidget>

#include "core/report/report_model.h"
#include "ui/state/analysis_state.h"
#include "ui/widgets/describe.h"
#include "ui/widgets/layout.h"

class QPushButton;
class QTableWidget;

namespace epsilens::ui {

/// A list of values, each shown as a text; one that cannot be had stays listed with the reason.
template <typename Value>
class ChoiceList final : public QComboBox {
public:
    using Entries = std::vector<std::pair<Value, QString>>;

    ChoiceList(const char* objectName, const QString& name, const QString& tooltip,
               const Entries& entries, QWidget* parent)
        : QComboBox(parent) {
        describe(*this, objectName, name, tooltip);
        setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        guardWheel(this);
        for (const auto& [value, text] : entries) {
            addItem(text, static_cast<int>(value));
        }
    }

    [[nodiscard]] Value value() const { return static_cast<Value>(currentData().toInt()); }
    void show(Value value) {
        const QSignalBlocker blocker(this);
        setCurrentIndex(findData(static_cast<int>(value)));
    }
    void setRefusal(Value value, const QString& reason) {
        auto* items = static_cast<QStandardItemModel*>(model());
        QStandardItem* item = items->item(findData(static_cast<int>(value)));
        item->setEnabled(reason.isEmpty());
        item->setToolTip(reason);
        item->setData(reason, Qt::AccessibleDescriptionRole);
    }
};

inline QLabel* addLabelledRow(QGridLayout& grid, const QString& text, QWidget* control) {
    auto* label = new QLabel(text, control->parentWidget());
    label->setBuddy(control);
    label->setMinimumWidth(kLabelWidth);
    label->setToolTip(control->toolTip());
    const int row = grid.rowCount();
    grid.addWidget(label, row, 0);
    grid.addWidget(control, row, 1);
    grid.setColumnStretch(1, 1);
    return label;
}

/// Lets a list set what `get` gives of the settings, and show it whenever it changes.
template <typename Value, typename Get, typename Set>
void bindTo(AnalysisState& state, ChoiceList<Value>& list, Get get, Set set) {
    QObject::connect(&list, &QComboBox::currentIndexChanged, &state, [&state, &list, set] {
        state.edit([&](AnalysisSettings& settings) { set(settings, list.value()); });
    });
    const auto show = [&state, &list, get] { list.show(get(state.settings())); };
    state.onChange(get, &list, show);
    show();
}

[[nodiscard]] QComboBox* unknownWordsList(AnalysisState& state, const char* objectName,
                                          const QString& description, QWidget* parent);
[[nodiscard]] QComboBox* letterCaseList(AnalysisState& state, const char* objectName,
                                        const QString& description, QWidget* parent);

/// Tables of numbers, one at a time, which can be copied as comma-separated values.
class NumbersView : public QWidget {
    Q_OBJECT

public:
    NumbersView(const char* objectName, const QString& name, QWidget* parent = nullptr);

    void setTables(std::vector<report::Table> tables, std::function<QString()> csv);
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
