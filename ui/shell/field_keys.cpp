#include "ui/shell/field_keys.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QAction>
#include <QApplication>
#include <QDockWidget>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTextDocument>

#include "ui/widgets/field_problem.h"
#include "ui/widgets/number_field.h"

namespace epsilens::ui {

namespace {

struct TypingHistory {
    bool canUndo = false;
    bool canRedo = false;
};

/// Nothing for other widgets than fields with text. Spin boxes get the keys of the line in them.
std::optional<TypingHistory> typingHistory(const QWidget& widget) {
    const auto* line = qobject_cast<const QAbstractSpinBox*>(&widget) != nullptr
                           ? widget.findChild<const QLineEdit*>()
                           : qobject_cast<const QLineEdit*>(&widget);
    if (line != nullptr) {
        return TypingHistory{line->isUndoAvailable(), line->isRedoAvailable()};
    }
    if (const auto* text = qobject_cast<const QPlainTextEdit*>(&widget)) {
        return TypingHistory{text->document()->isUndoAvailable(),
                             text->document()->isRedoAvailable()};
    }
    return std::nullopt;
}

bool isEscape(const QEvent& event) {
    return static_cast<const QKeyEvent&>(event).key() == Qt::Key_Escape;
}

/// Escape in an open list, which would else be the shortcut of the window that ends its jobs.
bool closesList(const QWidget& widget, const QEvent& event) {
    return event.type() == QEvent::ShortcutOverride && isEscape(event) &&
           widget.window()->windowType() == Qt::Popup;
}

/// The open pane that Escape closes when it is pressed in this part of it; null where a field has
/// something to take back, or there is no pane.
QDockWidget* paneToClose(QWidget& widget) {
    const auto* field = qobject_cast<const NumberField*>(&widget);
    if (field != nullptr && field->isModified()) {
        return nullptr;
    }
    for (QWidget* part = &widget; part != nullptr; part = part->parentWidget()) {
        if (qobject_cast<const QAbstractItemView*>(part) != nullptr &&
            qobject_cast<const QLineEdit*>(&widget) != nullptr) {
            return nullptr;  // a cell is being edited
        }
        if (auto* pane = qobject_cast<QDockWidget*>(part)) {
            return pane;
        }
    }
    return nullptr;
}

}  // namespace

void commitTyping(const QWidget& window) {
    QWidget* focused = window.focusWidget();
    if (auto* spinBox = qobject_cast<QAbstractSpinBox*>(focused)) {
        spinBox->interpretText();
    } else if (auto* field = qobject_cast<QLineEdit*>(focused);
               field != nullptr && field->isModified()) {
        // By this signal fields learn of Return, and of a focus that leaves.
        Q_EMIT field->editingFinished();
    }
}

void connectCommand(const QAction& action, QWidget& window, std::function<void()> command) {
    QObject::connect(&action, &QAction::triggered, &window,
                     [&window, command = std::move(command)] {
                         commitTyping(window);
                         if (QLineEdit* refusing = fieldWithProblem(window)) {
                             showField(*refusing);
                         } else {
                             command();
                         }
                     });
}

FieldKeys::FieldKeys(QWidget& window) : m_window(window) {
    // Fields come and go, with the rows of limits for one.
    QApplication::instance()->installEventFilter(this);
}

bool FieldKeys::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::ShortcutOverride && event->type() != QEvent::Shortcut &&
        event->type() != QEvent::KeyPress) {
        return false;
    }
    auto* widget = qobject_cast<QWidget*>(watched);
    if (widget == nullptr) {
        return false;
    }
    if (closesList(*widget, *event)) {
        event->accept();  // the list gets the key, and no shortcut does
        return true;
    }
    if (widget->window() != &m_window) {
        return false;
    }
    if (event->type() != QEvent::Shortcut && isEscape(*event)) {
        if (QDockWidget* pane = paneToClose(*widget)) {
            if (event->type() == QEvent::KeyPress) {
                pane->close();
                Q_EMIT paneClosed(pane);
            }
            event->accept();
            return true;
        }
    }
    if (event->type() == QEvent::KeyPress) {
        return pressButton(*widget, static_cast<QKeyEvent&>(*event));
    }
    if (event->type() == QEvent::Shortcut) {
        if (qobject_cast<const QAbstractButton*>(widget) != nullptr) {
            commitTyping(m_window);
        }
        return false;
    }
    if (!isForTheWindow(*widget, static_cast<QKeyEvent&>(*event))) {
        return false;
    }
    event->ignore();
    return true;
}

/// As in dialogs, where Qt does this by itself.
bool FieldKeys::pressButton(QWidget& widget, const QKeyEvent& key) {
    auto* button = qobject_cast<QPushButton*>(&widget);
    const bool isReturn = key.key() == Qt::Key_Return || key.key() == Qt::Key_Enter;
    if (button == nullptr || !isReturn || key.isAutoRepeat()) {
        return false;
    }
    button->click();
    return true;
}

bool FieldKeys::isForTheWindow(const QWidget& field, QKeyEvent& key) const {
    const std::optional<TypingHistory> history = typingHistory(field);
    if (!history) {
        return false;
    }
    if (key.matches(QKeySequence::Undo)) {
        return !history->canUndo;
    }
    if (key.matches(QKeySequence::Redo)) {
        return !history->canRedo;
    }
    // Under X11 fields would take Ctrl+E and Ctrl+D for themselves, as Emacs does.
    return key.modifiers().testFlag(Qt::ControlModifier) && isShortcut(key);
}

bool FieldKeys::isShortcut(const QKeyEvent& key) const {
    const QKeySequence pressed(key.keyCombination());
    const auto actions = m_window.findChildren<QAction*>();
    return std::any_of(actions.begin(), actions.end(), [&pressed](const QAction* action) {
        return action->isEnabled() && action->shortcuts().contains(pressed);
    });
}

}  // namespace epsilens::ui
