#include "ui/shell/window_layout.h"

#include <QMainWindow>
#include <QSettings>

#include "ui/widgets/remembered.h"

namespace epsilens::ui {

namespace {

constexpr QSize kFirstSize{1200, 800};
constexpr int kLayoutVersion = 3;  ///< of the remembered arrangement; others are ignored

QString geometryKey() {
    return QStringLiteral("window/geometry");
}
QString layoutKey() {
    return QStringLiteral("window/layout");
}

}  // namespace

void restoreLayout(QMainWindow& window) {
    const QSettings settings;
    window.resize(kFirstSize);
    window.restoreGeometry(settings.value(geometryKey()).toByteArray());
    window.restoreState(settings.value(layoutKey()).toByteArray(), kLayoutVersion);
}

void saveLayout(const QMainWindow& window) {
    if (remembered::nothing()) {
        return;
    }
    QSettings settings;
    settings.setValue(geometryKey(), window.saveGeometry());
    settings.setValue(layoutKey(), window.saveState(kLayoutVersion));
}

}  // namespace epsilens::ui
