#include "ui/release/dialog_rows.h"

#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

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

}  // namespace epsilens::ui
