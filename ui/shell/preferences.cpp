#include "ui/shell/preferences.h"

#include <algorithm>

#include <QApplication>
#include <QFont>
#include <QSettings>
#include <QString>
#include <QTimer>
#include <QWidget>

#include "core/base/thread_limit.h"
#include "ui/widgets/remembered.h"

namespace epsilens::ui {

namespace {

constexpr double kPercent = 100.0;

QString themeKey() {
    return QStringLiteral("window/theme");
}
QString textKey() {
    return QStringLiteral("preferences/textPercent");
}
QString threadsKey() {
    return QStringLiteral("preferences/threads");
}

/// Widgets with a style sheet keep the font of the time when it was set.
void restyleWidgets() {
    const QWidgetList widgets = QApplication::allWidgets();
    for (QWidget* widget : widgets) {
        const QString style = widget->styleSheet();
        if (!style.isEmpty()) {
            widget->setStyleSheet({});
            widget->setStyleSheet(style);
        }
    }
}

template <typename T>
T inRange(T value, T low, T high, T otherwise) {
    return value >= low && value <= high ? value : otherwise;
}

}  // namespace

Preferences Preferences::load() {
    const QSettings settings;
    Preferences preferences;
    preferences.theme = static_cast<ThemeChoice>(
        inRange(settings.value(themeKey(), 0).toInt(), 0, static_cast<int>(ThemeChoice::dark), 0));
    preferences.textPercent = inRange(settings.value(textKey(), preferences.textPercent).toInt(),
                                      kLeastTextPercent, kMostTextPercent, preferences.textPercent);
    preferences.threads = inRange(settings.value(threadsKey(), 0).toInt(), 0, kMostThreads, 0);
    preferences.memoryGiB = remembered::memoryLimitGiB();
    preferences.rememberNothing = remembered::nothing();
    return preferences;
}

void Preferences::save() const {
    QSettings settings;
    settings.setValue(themeKey(), static_cast<int>(theme));
    settings.setValue(textKey(), textPercent);
    settings.setValue(threadsKey(), threads);
    remembered::setMemoryLimitGiB(memoryGiB);
    remembered::setNothing(rememberNothing);
}

void Preferences::apply() const {
    applyTheme(theme);
    applyTextSize(textPercent);
    setThreadLimit(threads);
}

void changeTheme(ThemeChoice theme) {
    applyTheme(theme);
    QSettings().setValue(themeKey(), static_cast<int>(theme));
}

void applyTextSize(int percent) {
    static const double desktopSize = QApplication::font().pointSizeF();
    const double before = QApplication::font().pointSizeF();
    const double after = desktopSize * percent / kPercent;
    if (before == after) {
        return;
    }
    QFont font = QApplication::font();
    font.setPointSizeF(after);
    QApplication::setFont(font);
    const QWidgetList widgets = QApplication::allWidgets();
    for (QWidget* widget : widgets) {
        // Fonts with a size of their own do not follow that of the program.
        const bool hasOwnSize = widget->testAttribute(Qt::WA_SetFont) &&
                                (widget->font().resolveMask() & QFont::SizeResolved) != 0;
        if (hasOwnSize && widget->font().pointSizeF() > 0.0) {
            QFont own = widget->font();
            own.setPointSizeF(own.pointSizeF() * after / before);
            widget->setFont(own);
        }
    }
    // The font of the program reaches its widgets with the next events.
    auto* later = new QTimer(qApp);
    later->setSingleShot(true);
    QObject::connect(later, &QTimer::timeout, later, [later] {
        restyleWidgets();
        later->deleteLater();
    });
    later->start(0);
}

int changeTextSize(int percent) {
    Preferences preferences = Preferences::load();
    preferences.textPercent =
        std::clamp(percent, Preferences::kLeastTextPercent, Preferences::kMostTextPercent);
    preferences.save();
    applyTextSize(preferences.textPercent);
    return preferences.textPercent;
}

}  // namespace epsilens::ui
