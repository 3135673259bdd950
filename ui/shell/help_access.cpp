#include "ui/shell/help_access.h"

#include <QApplication>
#include <QWhatsThis>
#include <QWhatsThisClickedEvent>

#include "ui/help/help_topics.h"
#include "ui/help/help_window.h"

namespace epsilens::ui {

void HelpAccess::show(const QString& topic) {
    if (m_help == nullptr) {
        m_help = new HelpWindow(&m_window);
    }
    m_help->showTopic(topic);
    m_help->show();
    m_help->raise();
    m_help->activateWindow();
}

void HelpAccess::showForFocus() {
    show(helpTopicOf(QApplication::focusWidget()));
}

bool HelpAccess::followLink(QEvent& event) {
    if (event.type() != QEvent::WhatsThisClicked) {
        return false;
    }
    const QString topic = topicOfLink(static_cast<QWhatsThisClickedEvent&>(event).href());
    if (topic.isEmpty()) {
        return false;
    }
    QWhatsThis::hideText();
    show(topic);
    return true;
}

}  // namespace epsilens::ui
