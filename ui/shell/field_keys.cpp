#include "ui/shell/field_keys.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <QAbstractButton>
#include <QAbstractSpinBox>
#include <QAction>
#include <QApplication>
#include <QDialog>
#include <QDockWidget>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTextDocument>
#include <QWhatsThis>

#include "ui/help/help_window.h"
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

/// The open pane that Escape closes when it is pressed in this part of it; null where a field has
/// something to take back, or there is no pane.
QDockWidget* paneToClose(QWidget& widget) {
    const auto* field = qobject_cast<const NumberField*>(&widget);
    if (field != nullptr && field->isModified()) {
        return nullptr;
    }
    QWidget* part = &widget;
    while (part != nullptr && qobject_cast<QDockWidget*>(part) == nullptr) {
        part = part->parentWidget();
    }
    return qobject_cast<QDockWidget*>(part);
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
    auto* widget = qobject_cast<QWidget*>(watched);
    const QEvent::Type type = event->type();
    if (widget == nullptr ||
        (type != QEvent::ShortcutOverride && type != QEvent::Shortcut && type != QEvent::KeyPress &&
         type != QEvent::QueryWhatsThis && type != QEvent::WhatsThis)) {
        return false;
    }
    QWidget* top = widget->window();
    if (type == QEvent::QueryWhatsThis || type == QEvent::WhatsThis) {
        if (type == QEvent::WhatsThis) {
            QWhatsThis::leaveWhatsThisMode();
            showHelp(*top, helpTopicOf(widget));
        }
        event->accept();
        return true;
    }
    if (type == QEvent::Shortcut) {
        if (top == &m_window && qobject_cast<const QAbstractButton*>(widget) != nullptr) {
            commitTyping(m_window);
        }
        return false;
    }
    const auto& key = static_cast<const QKeyEvent&>(*event);
    if (type == QEvent::KeyPress && key.keyCombination() == QKeyCombination(Qt::Key_F1) &&
        qobject_cast<const QDialog*>(top) != nullptr) {
        showHelp(*top, helpTopicOf(widget));
        return true;
    }
    const bool isEscape = key.key() == Qt::Key_Escape;
    if (isEscape && type == QEvent::ShortcutOverride && top->windowType() == Qt::Popup) {
        event->accept();  // the list gets the key, and no shortcut does
        return true;
    }
    if (top != &m_window) {
        return false;
    }
    if (QDockWidget* pane = isEscape ? paneToClose(*widget) : nullptr) {
        if (type == QEvent::KeyPress) {
            pane->toggleViewAction()->trigger();
        }
        event->accept();
        return true;
    }
    if (type == QEvent::KeyPress) {
        // As in dialogs, where Qt does this by itself.
        auto* button = qobject_cast<QPushButton*>(widget);
        const bool isReturn = key.key() == Qt::Key_Return || key.key() == Qt::Key_Enter;
        if (button == nullptr || !isReturn || key.isAutoRepeat()) {
            return false;
        }
        button->click();
        return true;
    }
    if (!isForTheWindow(*widget, key)) {
        return false;
    }
    event->ignore();
    return true;
}

bool FieldKeys::isForTheWindow(const QWidget& field, const QKeyEvent& key) const {
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
    const QKeySequence pressed(key.keyCombination());
    const auto actions = m_window.findChildren<QAction*>();
    return key.modifiers().testFlag(Qt::ControlModifier) &&
           std::any_of(actions.begin(), actions.end(), [&pressed](const QAction* action) {
               return action->isEnabled() && action->shortcuts().contains(pressed);
           });
}

}  // namespace epsilens::ui
