#include "ui/widgets/qt_convert.h"

#include <cmath>

#include <QFile>

#include "core/base/numbers.h"

namespace epsilens::ui {

QString toQString(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

std::string toStd(const QString& text) {
    const QByteArray bytes = text.toUtf8();
    return {bytes.constData(), static_cast<std::size_t>(bytes.size())};
}

std::string toStdPath(const QString& path) {
    const QByteArray bytes = QFile::encodeName(path);
    return {bytes.constData(), static_cast<std::size_t>(bytes.size())};
}

QString significant(double value, int digits) {
    return toQString(formatSignificant(value, digits));
}

QString shortest(double value) {
    return toQString(formatNumber(value));
}

QString epsilonText(double epsilon) {
    return shortest(significant(epsilon, 3).toDouble());
}

QString counted(qint64 value) {
    return toQString(formatCount(value));
}

QString duration(double seconds) {
    if (!(seconds >= 0.0) || !std::isfinite(seconds)) {
        return tr("unknown");
    }
    if (seconds < 0.05) {
        return tr("under 0.1 s");
    }
    if (seconds < 9.95) {
        return tr("%1 s").arg(oneDecimal(seconds));
    }
    const auto whole = static_cast<qint64>(std::llround(seconds));
    return whole < 60     ? tr("%1 s").arg(whole)
           : whole < 3600 ? tr("%1 min %2 s").arg(whole / 60).arg(whole % 60)
                          : tr("%1 h %2 min").arg(whole / 3600).arg(whole % 3600 / 60);
}

}  // namespace epsilens::ui
