#include "ui/state/estimated_duration.h"

#include <cmath>

#include <QCoreApplication>

#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

QString estimatedDuration(double seconds) {
    const auto tr = [](const char* text) { return QCoreApplication::translate("Duration", text); };
    constexpr double kMinute = 60.0;
    if (seconds < 1.0) {
        return tr("under 1 s");
    }
    const double whole = std::ceil(seconds);
    return tr("about %1")
        .arg(whole < kMinute ? tr("%1 s").arg(static_cast<int>(whole)) : duration(whole));
}

}  // namespace epsilens::ui
