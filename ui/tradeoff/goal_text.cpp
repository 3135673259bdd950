#include "ui/tradeoff/goal_text.h"

#include <algorithm>

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

QString adviceText(const experiment::LimitsFound& found, bool areOnWords) {
    const auto misses = [&found](bool isRisk) {
        return std::any_of(found.fresh.begin(), found.fresh.end(), [isRisk](const auto& check) {
            return check.margin < 0.0 && check.limit.figure.isRisk() == isRisk;
        });
    };
    const auto isMet = [](const experiment::FigureCheck& check) { return check.met(); };
    if (std::all_of(found.fresh.begin(), found.fresh.end(), isMet)) {
        return {};
    }
    if (!misses(false)) {
        return misses(true) ? tr("An attacker guesses too much: take a smaller ε.")
                            : tr("It cannot be told with these: measure more texts.");
    }
    // What keeps a larger epsilon from being the answer.
    const QString beyond = found.binding && found.binding->limit.figure.isRisk()
                               ? toQString(report::limitWords(found.binding->limit))
                           : areOnWords ? tr("the limits on words")
                                        : QString();
    const QString advice =
        misses(true) ? tr("A smaller ε leaves less usefulness, and with a larger one an attacker "
                          "guesses more: loosen a limit.")
        : beyond.isEmpty()
            ? tr("Too little usefulness is left: take a larger ε, or loosen that limit.")
            : tr("Too little usefulness is left: loosen that limit, or take a larger ε and loosen "
                 "what it misses: %1.")
                  .arg(beyond);
    return tr("%1 %2").arg(advice, loosenedText(found.fresh)).trimmed();
}

QString triedText(const experiment::LimitsFound& found) {
    QStringList epsilons;
    for (const experiment::TriedEpsilon& tried : found.tried) {
        QStringList values;
        for (const experiment::FigureCheck& check : tried.checks) {
            values.append((check.limit.figure.isRisk() ? tr("attackers %1") : tr("usefulness %1"))
                              .arg(toQString(report::valueWords(check))));
        }
        epsilons.append(tr("ε %1: %2").arg(significant(tried.epsilon, 3), values.join(tr(", "))));
    }
    return tr("Measured by the search, of 100: %1.").arg(epsilons.join(tr("; ")));
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
