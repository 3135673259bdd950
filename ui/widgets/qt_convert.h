#pragma once

#include <string>
#include <string_view>

#include <QCoreApplication>
#include <QString>

namespace epsilens::ui {

/// Words of the program, for functions outside classes with tr() of their own.
[[nodiscard]] inline QString tr(const char* text) {
    return QCoreApplication::translate("Epsilens", text);
}

[[nodiscard]] QString toQString(std::string_view text);

[[nodiscard]] std::string toStd(const QString& text);

[[nodiscard]] std::string toStdPath(const QString& path);

/// `digits` significant digits in the C locale: "0.050", "12.3".
[[nodiscard]] QString significant(double value, int digits);

/// Shortest text that reads back as the same number.
[[nodiscard]] QString shortest(double value);

/// An epsilon in at most three digits, as the window shows it; files have all: "10", "12.9".
[[nodiscard]] QString epsilonText(double epsilon);

[[nodiscard]] inline QString oneDecimal(double value) {
    return QString::number(value, 'f', 1);
}

/// "400,000".
[[nodiscard]] QString counted(qint64 value);

/// "0.8 s", "12 s", "3 min 20 s"; at most two units.
[[nodiscard]] QString duration(double seconds);

}  // namespace epsilens::ui
