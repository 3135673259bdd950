#include "ui/shell/field_keys.h"

#include <algorithm>
#include <utility>

#include <QtWidgets>

#include "ui/help/help_window.h"
#include "ui/widgets/describe.h"
#include "ui/widgets/number_field.h"

namespace epsilens::ui {

namespace {

/// Whether a key that a field would take is meant for the window.
bool isForTheWindow(const QWidget& window, const QWidget& field, const QKeyEvent& key) {
    const auto* line = qobject_cast<const QLineEdit*>(&field);
    const auto* text = qobject_cast<const QPlainTextEdit*>(&field);
    if (line == nullptr && text == nullptr) {
        return false;
    }
    if (key.matches(QKeySequence::Undo)) {
        return line != nullptr ? !line->isUndoAvailable() : !text->document()->isUndoAvailable();
    }
    if (key.matches(QKeySequence::Redo)) {
        return line != nullptr ? !line->isRedoAvailable() : !text->document()->isRedoAvailable();
    }
    // Under X11 fields would take Ctrl+E and Ctrl+D for themselves, as Emacs does.
    const QKeySequence pressed(key.keyCombination());
    const auto actions = window.findChildren<QAction*>();
    return key.modifiers().testFlag(Qt::ControlModifier) &&
           std::ranges::any_of(actions, [&pressed](const QAction* action) {
               return action->isEnabled() && action->shortcuts().contains(pressed);
           });
}

/// The open pane that Escape closes in this part of it; null where a field has something to take
/// back.
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

bool route(QWidget& window, QObject* watched, QEvent& event) {
    auto* widget = qobject_cast<QWidget*>(watched);
    const QEvent::Type type = event.type();
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
        event.accept();
        return true;
    }
    if (type == QEvent::Shortcut) {
        if (top == &window && qobject_cast<const QAbstractButton*>(widget) != nullptr) {
            commitTyping(window);
        }
        return false;
    }
    const auto& key = static_cast<const QKeyEvent&>(event);
    if (type == QEvent::KeyPress && key.keyCombination() == QKeyCombination(Qt::Key_F1) &&
        qobject_cast<const QDialog*>(top) != nullptr) {
        showHelp(*top, helpTopicOf(widget));
        return true;
    }
    const bool isEscape = key.key() == Qt::Key_Escape;
    if (isEscape && type == QEvent::ShortcutOverride && top->windowType() == Qt::Popup) {
        event.accept();  // the list gets the key, and no shortcut does
        return true;
    }
    if (top != &window) {
        return false;
    }
    if (QDockWidget* pane = isEscape ? paneToClose(*widget) : nullptr) {
        if (type == QEvent::KeyPress) {
            pane->toggleViewAction()->trigger();
        }
        event.accept();
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
    if (!isForTheWindow(window, *widget, key)) {
        return false;
    }
    event.ignore();
    return true;
}

}  // namespace

void commitTyping(const QWidget& window) {
    auto* field = qobject_cast<QLineEdit*>(window.focusWidget());
    if (field != nullptr && field->isModified()) {
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

void routeKeys(QWidget& window) {
    // Of the whole program: fields come and go.
    filterEvents(qApp, &window, [&window](QObject* watched, QEvent& event) {
        return route(window, watched, event);
    });
}

}  // namespace epsilens::ui
