#include "ui/dial/dial_text.h"

#include <cmath>

#include <QCoreApplication>

#include "core/report/odds_text.h"
#include "ui/state/odds.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("Dial", text);
}

bool isUseful(double loss) {
    return std::exp(loss) <= report::kLargestUsefulFactor;
}

}  // namespace

QString factorText(double factor) {
    return factor <= report::kLargestUsefulFactor
               ? QStringLiteral("×") + toQString(report::factorAtMost(factor))
               : QStringLiteral("×") + powerOfTen(std::log(factor));
}

QString promiseText(double loss, double distance, const QString& first, const QString& second) {
    const QString one = first.toHtmlEscaped();
    const QString other = second.toHtmlEscaped();
    const QString apart = significant(distance, 2);
    const QString to = tr("Promised to %1, per word").arg(toQString(report::kPromisedTo));
    if (isUseful(loss)) {
        return tr("%1: seeing the output changes the odds of <i>%2</i> against <i>%3</i> (distance "
                  "%4) by at most <b>%5</b>, %6.")
            .arg(to, one, other, apart, factorText(std::exp(loss)),
                 toQString(report::kPromisedAgainst));
    }
    return tr("%1: <b>no useful bound</b> for <i>%2</i> against <i>%3</i> (distance %4), whose "
              "odds could change by up to %5. <a href=\"promise\">Why does it look private, "
              "then?</a>")
        .arg(to, one, other, apart, powerOfTen(loss));
}

QString shortPromiseTo(double loss) {
    return tr("Promised to %1, per word: %2.")
        .arg(toQString(report::kPromisedTo), shortPromise(loss));
}

QString shortPromise(double loss) {
    return isUseful(loss) ? tr("odds change by at most %1").arg(factorText(std::exp(loss)))
                          : tr("no useful bound: up to %1").arg(powerOfTen(loss));
}

std::vector<double> axisNumbers(const ValueScale& axis) {
    std::vector<double> numbers;
    const double low = axis.low - axis.origin;
    const double high = axis.high - axis.origin;
    const int last = static_cast<int>(std::floor(std::log10(high)));
    for (int decade = static_cast<int>(std::floor(std::log10(low))); decade <= last; ++decade) {
        for (const double digit : {1.0, 2.0, 5.0}) {
            const double power = std::pow(10.0, std::abs(decade));
            const double above = decade < 0 ? digit / power : digit * power;
            if (above >= low && above <= high) {
                numbers.push_back(axis.origin + above);
            }
        }
    }
    return numbers;
}

QString axisText(const ValueScale& axis, double number) {
    constexpr double kDecadesWithAllNumbers = 4.0;
    constexpr double kShortDecade = 3.0;
    if (axis.origin != 0.0 || std::log10(axis.high / axis.low) <= kDecadesWithAllNumbers) {
        return shortest(number);
    }
    const double decade = std::log10(number);
    if (std::abs(decade - std::round(decade)) > 1e-9) {
        return {};
    }
    return std::abs(decade) <= kShortDecade + 0.5 ? shortest(number)
                                                  : powerOfTenText(std::lround(decade));
}

}  // namespace epsilens::ui
