#include "ui/widgets/parameter_control.h"

#include <QGridLayout>
#include <QLabel>

#include "ui/widgets/layout.h"
#include "ui/widgets/qt_convert.h"
#include "ui/widgets/value_slider.h"

namespace epsilens::ui {

ParameterControl::ParameterControl(const ParameterSpec& spec, QWidget* parent)
    : QWidget(parent),
      m_spec(spec),
      m_label(new QLabel(spec.label, this)),
      m_slider(new ValueSlider(this)),
      m_field(new NumberField(spec.typed, this)),
      m_hint(hintLabel({}, this)) {
    setObjectName(spec.id + QStringLiteral("Control"));
    m_slider->setObjectName(spec.id + QStringLiteral("Slider"));
    m_field->setObjectName(spec.id + QStringLiteral("Field"));
    m_hint->setObjectName(spec.id + QStringLiteral("HintLabel"));
    for (QWidget* part : parts()) {
        part->setAccessibleName(spec.accessibleName);
        part->setAccessibleDescription(spec.tooltip);
    }
    m_label->setBuddy(m_field);
    keepFieldWidth(m_field);
    m_slider->setScale(spec.scale);
    m_slider->setSpokenValue([unit = spec.unit](double value) {
        return unit.isEmpty() ? shortest(value) : tr("%1 %2").arg(shortest(value), unit);
    });
    m_hint->setWordWrap(true);
    constexpr int kWidestSlider = 160;
    m_slider->setMaximumWidth(kWidestSlider);
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(kRowSpacing);
    grid->setVerticalSpacing(0);
    grid->addWidget(m_label, 0, 0);
    grid->addWidget(m_slider, 0, 1);
    grid->addWidget(m_field, 0, 2);
    grid->setColumnStretch(1, 1);
    grid->addWidget(m_hint, 1, 0, 1, -1);
    connect(m_slider, &ValueSlider::valueChanged, this, &ParameterControl::takeOver);
    connect(m_field, &NumberField::valueEdited, this, &ParameterControl::takeOver);
    connect(m_field, &NumberField::problemChanged, this, &ParameterControl::showHint);
    connect(m_field, &NumberField::stepRequested, m_slider, &ValueSlider::step);
    setValue(spec.scale.low);
    showHint();
}

std::array<QWidget*, 3> ParameterControl::parts() const {
    return {m_slider, m_field, m_label};
}

double ParameterControl::value() const {
    return m_slider->value();
}

void ParameterControl::setValue(double value) {
    m_slider->setValue(value);
    m_field->setValue(value);
}

void ParameterControl::takeOver(double value) {
    setValue(value);
    Q_EMIT valueChanged(value);
}

void ParameterControl::setSliderRange(double low, double high) {
    ValueScale scale = m_slider->scale();
    scale.low = low;
    scale.high = high;
    m_slider->setScale(scale);
}

void ParameterControl::setScale(const ValueScale& scale) {
    m_slider->setScale(scale);
}

void ParameterControl::setTypedLimits(double low, double high) {
    m_spec.typed.low = low;
    m_spec.typed.high = high;
    m_field->setLimits(m_spec.typed);
}

void ParameterControl::setUnavailable(const QString& reason) {
    m_unavailable = reason;
    for (QWidget* part : parts()) {
        part->setEnabled(reason.isEmpty());
    }
    showHint();
}

void ParameterControl::setNote(const QString& note) {
    m_note = note;
    showHint();
}

void ParameterControl::focusField() {
    m_field->setFocus(Qt::ShortcutFocusReason);
    m_field->selectAll();
}

void ParameterControl::showHint() {
    const QString& problem = m_field->problem();
    const QString& remark = m_unavailable.isEmpty() ? m_note : m_unavailable;
    m_hint->setText(tr("⚠ %1").arg(problem));
    m_hint->setVisible(!problem.isEmpty());
    m_field->setAccessibleDescription(problem.isEmpty() ? m_spec.tooltip : problem);
    for (QWidget* part : parts()) {
        part->setToolTip(remark.isEmpty() ? m_spec.tooltip : m_spec.tooltip + u'\n' + remark);
    }
}

}  // namespace epsilens::ui
