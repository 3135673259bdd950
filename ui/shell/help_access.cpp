#include "ui/shell/help_access.h"

#include <QApplication>
#include <QDialog>
#include <QKeyEvent>
#include <QWhatsThis>
#include <QWhatsThisClickedEvent>

#include "ui/help/help_topics.h"
#include "ui/help/help_window.h"

namespace epsilens::ui {

namespace {

bool asksForHelp(const QKeyEvent& key) {
    return key.key() == Qt::Key_F1 && key.modifiers() == Qt::NoModifier;
}

}  // namespace

HelpAccess::HelpAccess(QWidget& window) : m_window(window) {
    // Dialogs come and go, and a main window's actions do not reach them.
    QApplication::instance()->installEventFilter(this);
}

void HelpAccess::showForFocus() {
    showHelp(m_window, helpTopicOf(m_window.focusWidget()));
}

bool HelpAccess::isDialogOfTheWindow(const QWidget& widget) const {
    if (qobject_cast<const QDialog*>(&widget) == nullptr) {
        return false;
    }
    const QWidget* owner = widget.parentWidget();
    while (owner != nullptr && owner != &m_window) {
        owner = owner->parentWidget();
    }
    return owner != nullptr;
}

bool HelpAccess::followLink(QWidget& top, const QString& link) {
    const QString topic = topicOfLink(link);
    if (topic.isEmpty()) {
        return false;
    }
    QWhatsThis::hideText();
    showHelp(top, topic);
    return true;
}

bool HelpAccess::eventFilter(QObject* watched, QEvent* event) {
    const QEvent::Type type = event->type();
    if (type != QEvent::Show && type != QEvent::KeyPress && type != QEvent::WhatsThisClicked) {
        return false;
    }
    auto* widget = qobject_cast<QWidget*>(watched);
    if (widget == nullptr) {
        return false;
    }
    QWidget& top = *widget->window();
    const bool isDialog = isDialogOfTheWindow(top);
    if (type == QEvent::WhatsThisClicked && (isDialog || &top == &m_window)) {
        return followLink(top, static_cast<QWhatsThisClickedEvent*>(event)->href());
    }
    if (type == QEvent::Show && isDialog && widget == &top) {
        explainControls(top);
    }
    if (type == QEvent::KeyPress && isDialog && asksForHelp(*static_cast<QKeyEvent*>(event))) {
        showHelp(top, helpTopicOf(widget));
        return true;
    }
    return false;
}

}  // namespace epsilens::ui
