#include "ui/shell/foremost_notice.h"

#include <QList>

#include "ui/widgets/notice_line.h"

namespace epsilens::ui {

void showForemost(NoticeLine& ofWindow, const QWidget* tab) {
    QList<NoticeLine*> lines{&ofWindow};
    if (tab != nullptr) {
        lines += tab->findChildren<NoticeLine*>();
    }
    const NoticeLine* foremost = nullptr;
    for (const NoticeLine* line : lines) {
        if (line->holdsNotice() &&
            (foremost == nullptr || line->severity() >= foremost->severity())) {
            foremost = line;
        }
    }
    for (NoticeLine* line : lines) {
        line->giveWay(foremost != nullptr && line != foremost);
    }
}

}  // namespace epsilens::ui
