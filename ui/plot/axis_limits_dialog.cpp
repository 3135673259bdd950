#include "ui/plot/axis_limits_dialog.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "ui/widgets/layout.h"
#include "ui/widgets/number_field.h"

namespace epsilens::ui {

namespace {

constexpr double kFarthest = 1e12;

QHBoxLayout* fromTo(NumberField* low, NumberField* high) {
    auto* row = new QHBoxLayout;
    row->addWidget(low);
    row->addWidget(new QLabel(AxisLimitsDialog::tr("to")));
    row->addWidget(high);
    return row;
}

}  // namespace

AxisLimitsDialog::AxisLimitsDialog(const Limits& shown, QWidget* parent)
    : QDialog(parent),
      m_xLogarithmic(shown.xLogarithmic),
      m_xLow(addField("xLow", tr("smallest x"), shown.x.low, shown.xLogarithmic)),
      m_xHigh(addField("xHigh", tr("largest x"), shown.x.high, shown.xLogarithmic)),
      m_yLow(addField("yLow", tr("smallest y"), shown.y.low, false)),
      m_yHigh(addField("yHigh", tr("largest y"), shown.y.high, false)),
      m_problem(hintLabel({}, this)),
      m_buttons(new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this)) {
    setWindowTitle(tr("Axis limits"));
    setObjectName(QStringLiteral("axisLimitsDialog"));
    m_problem->setObjectName(QStringLiteral("axisLimitsProblemLabel"));
    auto* form = new QFormLayout;
    form->addRow(tr("Horizontal"), fromTo(m_xLow, m_xHigh));
    form->addRow(tr("Vertical"), fromTo(m_yLow, m_yHigh));
    auto* column = new QVBoxLayout(this);
    column->addLayout(form);
    column->addWidget(m_problem);
    column->addWidget(m_buttons);
    connect(m_buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(m_buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    check();
}

NumberField* AxisLimitsDialog::addField(const char* id, const QString& name, double value,
                                        bool positive) {
    auto* field =
        new NumberField({positive ? 0.0 : -kFarthest, kFarthest, positive, false, name}, this);
    field->setObjectName(QLatin1String(id) + QLatin1String("Field"));
    field->setAccessibleName(name);
    field->setAccessibleDescription(positive
                                        ? tr("A number above 0, since the axis is logarithmic; the "
                                             "first of the two is the smaller one.")
                                        : tr("A number; the first of the two is the smaller one."));
    field->setToolTip(field->accessibleDescription());
    field->setValue(value);
    connect(field, &NumberField::valueEdited, this, &AxisLimitsDialog::check);
    connect(field, &NumberField::problemChanged, this, &AxisLimitsDialog::check);
    return field;
}

AxisLimitsDialog::Limits AxisLimitsDialog::limits() const {
    return {
        {m_xLow->value(), m_xHigh->value()}, {m_yLow->value(), m_yHigh->value()}, m_xLogarithmic};
}

QString AxisLimitsDialog::problem() const {
    for (const NumberField* field : {m_xLow, m_xHigh, m_yLow, m_yHigh}) {
        if (!field->problem().isEmpty()) {
            return field->problem();
        }
    }
    const Limits wanted = limits();
    return wanted.x.low < wanted.x.high && wanted.y.low < wanted.y.high
               ? QString()
               : tr("The first limit of an axis must be less than the second.");
}

void AxisLimitsDialog::check() {
    const QString text = problem();
    m_problem->setText(text);
    m_buttons->button(QDialogButtonBox::Ok)->setEnabled(text.isEmpty());
}

}  // namespace epsilens::ui
