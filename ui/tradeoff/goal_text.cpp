#include "ui/tradeoff/goal_text.h"

#include <QCoreApplication>
#include <QStringList>

#include "core/report/limit_words.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

namespace {
QString tr(const char* text) {
    return QCoreApplication::translate("GoalText", text);
}
}  // namespace

QString checkLine(const experiment::FigureCheck& check) {
    QString line = tr("%1 %2").arg(check.met() ? QStringLiteral("✓") : QStringLiteral("✗"),
                                   toQString(report::checkWords(check)));
    // A value within the limit beside NO would look like a mistake.
    if (!check.isValueWithin() || check.met()) {
        return line;
    }
    return line + (check.limit.figure.isRisk()
                       ? tr("; the whole interval must meet the limit")
                       : tr("; the whole interval must meet the limit, and more repeats "
                            "make it narrower"));
}

QString checksText(const experiment::LimitsFound& found) {
    QStringList lines;
    for (std::size_t i = 0; i < found.checks.size(); ++i) {
        QString line = checkLine(found.checks[i]);
        if (i < found.fresh.size()) {
            line += tr("; again with other random draws %1%2")
                        .arg(found.fresh[i].met() ? QString() : QStringLiteral("✗ "),
                             toQString(report::valueWords(found.fresh[i])));
        }
        lines.append(line);
    }
    return lines.join(QLatin1Char('\n'));
}

QString loosenedText(const std::vector<experiment::FigureCheck>& checks) {
    QStringList limits;
    for (const experiment::FigureCheck& check : checks) {
        if (const auto looser = check.loosened()) {
            limits.append(toQString(report::limitWords(*looser)));
        } else if (!check.met()) {
            return check.limit.figure.isRisk()
                       ? QString()
                       : tr("Nothing is surely left of the usefulness there: let an attacker guess "
                            "more. ");
        }
    }
    return limits.isEmpty()
               ? QString()
               : tr("To meet them there, loosen to: %1. ").arg(limits.join(QStringLiteral("; ")));
}

}  // namespace epsilens::ui
