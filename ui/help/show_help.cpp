#include "ui/help/show_help.h"

#include "ui/help/help_window.h"

namespace epsilens::ui {

void showHelp(QWidget& asking, const QString& topic) {
    auto* help = asking.findChild<HelpWindow*>({}, Qt::FindDirectChildrenOnly);
    if (help == nullptr) {
        help = new HelpWindow(&asking);
    }
    help->showTopic(topic);
    help->show();
    help->raise();
    help->activateWindow();
    help->focusPage();
}

}  // namespace epsilens::ui
