#include "ui/shell/preferences.h"

#include <algorithm>

#include <QApplication>
#include <QFont>
#include <QSettings>
#include <QString>
#include <QTimer>
#include <QWidget>

#include "core/base/parallel.h"
#include "ui/widgets/remembered.h"

namespace epsilens::ui {

namespace {

constexpr double kPercent = 100.0;

constexpr QLatin1String kTheme{"window/theme"};
constexpr QLatin1String kText{"preferences/textPercent"};
constexpr QLatin1String kThreads{"preferences/threads"};

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

int inRange(const QVariant& kept, int low, int high, int otherwise) {
    bool isNumber = false;
    const int value = kept.toInt(&isNumber);
    return isNumber && value >= low && value <= high ? value : otherwise;
}

}  // namespace

Preferences Preferences::load() {
    const QSettings settings;
    Preferences kept;
    kept.theme = static_cast<ThemeChoice>(
        inRange(settings.value(kTheme), 0, static_cast<int>(ThemeChoice::dark), 0));
    kept.textPercent =
        inRange(settings.value(kText), kLeastTextPercent, kMostTextPercent, kept.textPercent);
    kept.threads = inRange(settings.value(kThreads), 0, kMostThreads, 0);
    kept.memoryGiB = remembered::memoryLimitGiB();
    kept.rememberNothing = remembered::nothing();
    return kept;
}

void Preferences::save() const {
    QSettings settings;
    settings.setValue(kTheme, static_cast<int>(theme));
    settings.setValue(kText, textPercent);
    settings.setValue(kThreads, threads);
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
    QSettings().setValue(kTheme, static_cast<int>(theme));
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
    QTimer::singleShot(0, qApp, restyleWidgets);
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
