#include "ui/widgets/number_field.h"

#include <cmath>

#include <QKeyEvent>
#include <QLabel>
#include <QScrollArea>

#include "core/base/numbers.h"
#include "ui/widgets/qt_convert.h"
#include "ui/widgets/value_slider.h"

namespace epsilens::ui {

namespace {
constexpr auto kProblemProperty = "epsilensProblem";
}

NumberField::NumberField(const Limits& limits, QWidget* parent)
    : QLineEdit(parent), m_limits(limits) {
    setAlignment(Qt::AlignRight);
    setMaxLength(32);
    connect(this, &QLineEdit::editingFinished, this, &NumberField::commit);
    connect(this, &QLineEdit::textEdited, this, [this] { setProblem({}); });
}

void NumberField::setValue(double value) {
    m_value = value;
    setText(std::isnan(value) ? QString() : shortest(value));
    setModified(false);
    setProblem({});
}

Result<double> NumberField::parsed() const {
    const std::string typed = toStd(text());
    if (m_limits.mayBeEmpty && text().trimmed().isEmpty()) {
        return std::nan("");
    }
    auto number = parseNumber(typed, toStd(m_limits.name));
    const bool isTaken = number && isAllowed(*number);
    if (isTaken || (!number && !m_limits.whole)) {
        return number;
    }
    return fail(ErrorCode::invalidArgument, toStd(rangeText()) + thousandsHint(typed));
}

bool NumberField::isAllowed(double number) const {
    const bool aboveLow = m_limits.lowExcluded ? number > m_limits.low : number >= m_limits.low;
    const bool wholeIfAsked = !m_limits.whole || number == std::floor(number);
    return aboveLow && number <= m_limits.high && wholeIfAsked;
}

QString NumberField::rangeText() const {
    const QString kind = m_limits.whole ? tr("a whole number") : tr("a number");
    const QString low = m_limits.lowExcluded ? tr("above %1").arg(shortest(m_limits.low))
                                             : tr("from %1").arg(shortest(m_limits.low));
    const QString range = m_limits.high < std::numeric_limits<double>::max()
                              ? tr("%1 to %2").arg(low, shortest(m_limits.high))
                              : low;
    return tr("%1 must be %2 %3").arg(m_limits.name, kind, range);
}

void NumberField::commit() {
    if (!isModified()) {
        return;
    }
    const auto number = parsed();
    if (!number) {
        setProblem(toQString(number.error().message));
        return;
    }
    const bool isOther = *number != m_value && !(std::isnan(*number) && std::isnan(m_value));
    setValue(*number);
    if (isOther) {
        Q_EMIT valueEdited(m_value);
    }
}

void NumberField::setProblem(const QString& problem) {
    if (problem != this->problem()) {
        setFieldProblem(*this, problem);
        Q_EMIT problemChanged(problem);
    }
}

bool NumberField::event(QEvent* event) {
    // Escape belongs to the field while there is something to take back, not to the menu.
    if (event->type() == QEvent::ShortcutOverride && isModified() &&
        static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        event->accept();
        return true;
    }
    return QLineEdit::event(event);
}

void NumberField::keyPressEvent(QKeyEvent* event) {
    const int key = event->key();
    const bool isWithinText = key == Qt::Key_Left || key == Qt::Key_Right;
    if (const int steps = isWithinText ? 0 : stepsOfKey(key); steps != 0) {
        Q_EMIT stepRequested(steps);
    } else if (key == Qt::Key_Escape && isModified()) {
        setValue(m_value);
    } else {
        QLineEdit::keyPressEvent(event);
    }
}

void showProblem(QLabel& where, const QString& problem) {
    where.setText(problem.isEmpty() ? problem : NumberField::tr("⚠ %1").arg(problem));
    where.setVisible(!problem.isEmpty());
}

void setFieldProblem(QLineEdit& field, const QString& problem) {
    field.setProperty(kProblemProperty, problem);
}

QString fieldProblem(const QLineEdit& field) {
    return field.property(kProblemProperty).toString();
}

QLineEdit* fieldWithProblem(const QWidget& part) {
    QLineEdit* found = nullptr;
    const auto fields = part.findChildren<QLineEdit*>();
    for (QLineEdit* field : fields) {
        if ((found == nullptr || field->hasFocus()) && field->isEnabledTo(&part) &&
            field->isVisibleTo(&part) && !fieldProblem(*field).isEmpty()) {
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
