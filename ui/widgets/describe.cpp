#include "ui/widgets/describe.h"

#include <QAbstractItemView>
#include <QHBoxLayout>
#include <QLabel>
#include <QString>
#include <QWidget>

namespace epsilens::ui {

void describe(QWidget& control, const char* objectName, const QString& name,
              const QString& description) {
    control.setObjectName(QLatin1String(objectName));
    control.setAccessibleName(name);
    control.setAccessibleDescription(description);
    control.setToolTip(description);
}

void describeOffer(QWidget& control, const QString& description, const QString& reason) {
    const QString said = reason.isEmpty() ? description : reason + QLatin1Char('\n') + description;
    control.setAccessibleDescription(said);
    control.setToolTip(said);
}

void describeRows(QAbstractItemView& table, const std::function<QString(int rows)>& sentence) {
    const QAbstractItemModel* model = table.model();
    const auto say = [&table, model, sentence] {
        table.setAccessibleDescription(sentence(model->rowCount()));
    };
    QObject::connect(model, &QAbstractItemModel::modelReset, &table, say);
    QObject::connect(model, &QAbstractItemModel::rowsInserted, &table, say);
    QObject::connect(model, &QAbstractItemModel::rowsRemoved, &table, say);
    say();
}

QLabel* addLabelled(QHBoxLayout& row, const QString& text, QWidget* control, int stretch) {
    auto* label = new QLabel(text, control->parentWidget());
    label->setBuddy(control);
    row.addWidget(label);
    row.addWidget(control, stretch);
    return label;
}

}  // namespace epsilens::ui
