#include "ui/widgets/field_problem.h"

#include <QLineEdit>
#include <QScrollArea>
#include <QString>
#include <QVariant>

namespace epsilens::ui {

namespace {
constexpr auto kProblemProperty = "epsilensProblem";
}  // namespace

void setFieldProblem(QLineEdit& field, const QString& problem) {
    field.setProperty(kProblemProperty, problem);
}

QLineEdit* fieldWithProblem(const QWidget& part) {
    QLineEdit* found = nullptr;
    const auto fields = part.findChildren<QLineEdit*>();
    for (QLineEdit* field : fields) {
        if ((found == nullptr || field->hasFocus()) && field->isEnabledTo(&part) &&
            field->isVisibleTo(&part) && !field->property(kProblemProperty).toString().isEmpty()) {
            found = field;
        }
    }
    return found;
}

void showField(QWidget& field) {
    field.setFocus(Qt::OtherFocusReason);
    for (QWidget* part = field.parentWidget(); part != nullptr; part = part->parentWidget()) {
        if (auto* area = qobject_cast<QScrollArea*>(part)) {
            area->ensureWidgetVisible(&field);
        }
    }
}

}  // namespace epsilens::ui
