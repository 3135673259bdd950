#pragma once

#include <utility>
#include <vector>

#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QStandardItemModel>

#include "ui/state/analysis_state.h"
#include "ui/widgets/describe.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/wheel_guard.h"

namespace epsilens::ui {

/// A list of the values of an enumeration. Values out of use stay in it, disabled, with the reason.
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
    /// Shows a value, or none that is not in the list; emits nothing.
    void show(Value value) {
        const QSignalBlocker blocker(this);
        setCurrentIndex(findData(static_cast<int>(value)));
    }
    /// reason  why the value cannot be chosen; empty if it can
    void setRefusal(Value value, const QString& reason) {
        auto* items = static_cast<QStandardItemModel*>(model());
        QStandardItem* item = items->item(findData(static_cast<int>(value)));
        item->setEnabled(reason.isEmpty());
        item->setToolTip(reason);
        item->setData(reason, Qt::AccessibleDescriptionRole);
    }
};

/// Adds a row of a labelled control to a grid of two columns. Returns the label.
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

/// Lets a list show a part of the settings, and set it.
///
/// get  gives the part, of the settings
/// set  takes what was chosen into the settings
template <typename Value, typename Get, typename Set>
void bindTo(AnalysisState& state, ChoiceList<Value>& list, Get get, Set set) {
    QObject::connect(&list, &QComboBox::currentIndexChanged, &state, [&state, &list, set] {
        state.edit([&](AnalysisSettings& settings) { set(settings, list.value()); });
    });
    const auto show = [&state, &list, get] { list.show(get(state.settings())); };
    state.onChange(get, &list, show);
    show();
}

/// A list, bound to the settings, of what becomes of words that the vocabulary does not have.
[[nodiscard]] QComboBox* unknownWordsList(AnalysisState& state, const char* objectName,
                                          const QString& description, QWidget* parent);
/// The same of how words are looked up.
[[nodiscard]] QComboBox* letterCaseList(AnalysisState& state, const char* objectName,
                                        const QString& description, QWidget* parent);

}  // namespace epsilens::ui
