#include "ui/release/dialog_rows.h"

#include <algorithm>

#include <QDialog>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScreen>

namespace epsilens::ui {

QLabel* wrapped(QLabel* label, const char* objectName) {
    label->setObjectName(QLatin1String(objectName));
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    return label;
}

QHBoxLayout* pathRow(QLineEdit* field, QPushButton* button) {
    auto* row = new QHBoxLayout;
    row->addWidget(field, 1);
    row->addWidget(button);
    button->setAutoDefault(false);
    return row;
}

void addRow(QFormLayout& form, const QString& text, QWidget* control, QLayout* row) {
    auto* label = new QLabel(text, control->parentWidget());
    label->setBuddy(control);
    form.addRow(label, row);
}

void growToContent(QDialog& dialog, int leastWidth) {
    const int height = dialog.layout()->totalHeightForWidth(std::max(dialog.width(), leastWidth));
    dialog.setMinimumHeight(std::min(height, dialog.screen()->availableGeometry().height()));
}

}  // namespace epsilens::ui
