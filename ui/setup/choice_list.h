#pragma once

#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QStandardItemModel>

#include "ui/widgets/layout.h"
#include "ui/widgets/wheel_guard.h"

namespace epsilens::ui {

/// A list of the values of an enumeration. Values out of use stay in it, disabled, with the reason.
template <typename Value>
class ChoiceList final : public QComboBox {
public:
    ChoiceList(const char* objectName, const QString& name, const QString& tooltip, QWidget* parent)
        : QComboBox(parent) {
        setObjectName(QLatin1String(objectName));
        setAccessibleName(name);
        setToolTip(tooltip);
        setAccessibleDescription(tooltip);
        setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        guardWheel(this);
    }

    void add(Value value, const QString& text) { addItem(text, static_cast<int>(value)); }
    [[nodiscard]] Value value() const { return static_cast<Value>(currentData().toInt()); }
    /// Shows a value; emits nothing.
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

/// Adds a row of a labelled control to a grid of two columns.
inline void addLabelledRow(QGridLayout& grid, const QString& text, QWidget* control) {
    auto* label = new QLabel(text, control->parentWidget());
    label->setBuddy(control);
    label->setMinimumWidth(kLabelWidth);
    label->setToolTip(control->toolTip());
    const int row = grid.rowCount();
    grid.addWidget(label, row, 0);
    grid.addWidget(control, row, 1);
    grid.setColumnStretch(1, 1);
}

}  // namespace epsilens::ui
