#include "ui/shell/recent_files.h"

#include <QAction>
#include <QDir>
#include <QFileInfo>
#include <QMenu>
#include <QSettings>

#include "ui/widgets/remembered.h"

namespace epsilens::ui {

namespace {
QString key() {
    return QStringLiteral("files/recent");
}
}  // namespace

QStringList RecentFiles::list() {
    return QSettings().value(key()).toStringList().mid(0, kMost);
}

void RecentFiles::add(const QString& path) {
    if (remembered::nothing()) {
        return;
    }
    QStringList paths = list();
    paths.removeAll(path);
    paths.prepend(path);
    QSettings().setValue(key(), paths.mid(0, kMost));
}

void RecentFiles::clear() {
    QSettings().remove(key());
}

void RecentFiles::fill(QMenu& menu, const std::function<void(const QString&)>& open,
                       const std::function<void()>& cleared) {
    menu.clear();
    const QStringList paths = list();
    for (const QString& path : paths) {
        QAction* action = menu.addAction(QDir::toNativeSeparators(path));
        action->setEnabled(QFileInfo::exists(path));
        QObject::connect(action, &QAction::triggered, &menu, [open, path] { open(path); });
    }
    if (paths.isEmpty()) {
        menu.addAction(QMenu::tr("No recent files"))->setEnabled(false);
        return;
    }
    menu.addSeparator();
    QObject::connect(menu.addAction(QMenu::tr("&Clear")), &QAction::triggered, &menu, [cleared] {
        clear();
        cleared();
    });
}

}  // namespace epsilens::ui
