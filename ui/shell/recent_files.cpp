#include "ui/shell/recent_files.h"

#include <QSettings>

#include "ui/common/remembered.h"

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

}  // namespace epsilens::ui
