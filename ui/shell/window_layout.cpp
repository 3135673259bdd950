#include "ui/shell/window_layout.h"

#include <QMainWindow>
#include <QSettings>
#include <QTabWidget>

#include "ui/widgets/collapsible_section.h"
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

QString tabKey() {
    return QStringLiteral("window/tab");
}
QString sectionKey(const CollapsibleSection& section) {
    return QStringLiteral("window/open/") + section.objectName();
}

QTabWidget* tabsOf(const QMainWindow& window) {
    return window.findChild<QTabWidget*>(QStringLiteral("tabs"));
}

}  // namespace

void restoreLayout(QMainWindow& window) {
    const QSettings settings;
    window.resize(kFirstSize);
    window.restoreGeometry(settings.value(geometryKey()).toByteArray());
    window.restoreState(settings.value(layoutKey()).toByteArray(), kLayoutVersion);
}

void restoreOpen(const QMainWindow& window) {
    const QSettings settings;
    tabsOf(window)->setCurrentIndex(settings.value(tabKey(), 0).toInt());
    for (CollapsibleSection* section : window.findChildren<CollapsibleSection*>()) {
        section->setOpen(settings.value(sectionKey(*section), section->isOpen()).toBool());
    }
}

void saveLayout(const QMainWindow& window) {
    if (remembered::nothing()) {
        return;
    }
    QSettings settings;
    settings.setValue(geometryKey(), window.saveGeometry());
    settings.setValue(layoutKey(), window.saveState(kLayoutVersion));
    settings.setValue(tabKey(), tabsOf(window)->currentIndex());
    for (const CollapsibleSection* section : window.findChildren<CollapsibleSection*>()) {
        settings.setValue(sectionKey(*section), section->isOpen());
    }
}

}  // namespace epsilens::ui
