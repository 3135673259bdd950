#include "ui/widgets/number_field.h"

#include <cmath>

#include <QKeyEvent>

#include "core/base/numbers.h"
#include "ui/widgets/field_problem.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

namespace {
constexpr int kPageSteps = 10;
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
    setText(shortest(value));
    setModified(false);
    setProblem({});
}

Result<double> NumberField::parsed() const {
    const std::string typed = toStd(text());
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
    setModified(false);
    setProblem({});
    const bool changed = *number != m_value;
    m_value = *number;
    if (changed) {
        Q_EMIT valueEdited(m_value);
    }
}

void NumberField::setProblem(const QString& problem) {
    if (problem == m_problem) {
        return;
    }
    m_problem = problem;
    setFieldProblem(*this, problem);
    Q_EMIT problemChanged(m_problem);
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
    switch (event->key()) {
        case Qt::Key_Up:
            Q_EMIT stepRequested(1);
            return;
        case Qt::Key_Down:
            Q_EMIT stepRequested(-1);
            return;
        case Qt::Key_PageUp:
            Q_EMIT stepRequested(kPageSteps);
            return;
        case Qt::Key_PageDown:
            Q_EMIT stepRequested(-kPageSteps);
            return;
        case Qt::Key_Escape:
            if (isModified()) {
                setValue(m_value);
                return;
            }
            break;
        default:
            break;
    }
    QLineEdit::keyPressEvent(event);
}

}  // namespace epsilens::ui
