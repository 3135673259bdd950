#include "ui/shell/field_keys.h"

#include <QAbstractButton>
#include <QApplication>
#include <QEvent>
#include <QLineEdit>

namespace epsilens::ui {

void commitTyping(const QWidget& window) {
    auto* field = qobject_cast<QLineEdit*>(window.focusWidget());
    if (field != nullptr && field->isModified()) {
        // By this signal fields learn of Return, and of a focus that leaves.
        Q_EMIT field->editingFinished();
    }
}

FieldKeys::FieldKeys(QWidget& window) : m_window(window) {
    // Fields come and go, with the rows of limits for one.
    QApplication::instance()->installEventFilter(this);
}

bool FieldKeys::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Shortcut) {
        const auto* button = qobject_cast<QAbstractButton*>(watched);
        if (button != nullptr && button->window() == &m_window) {
            commitTyping(m_window);
        }
    }
    return false;
}

}  // namespace epsilens::ui
