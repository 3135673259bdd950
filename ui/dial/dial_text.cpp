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

QString promiseText(std::optional<double> loss, double distance, const QString& first,
                    const QString& second) {
    const QString one = first.toHtmlEscaped();
    const QString other = second.toHtmlEscaped();
    const QString apart = significant(distance, 2);
    if (!loss) {
        return tr("<b>Nothing is promised</b> for <i>%1</i> against <i>%2</i>: some outputs give "
                  "the word away.")
            .arg(one, other);
    }
    if (isUseful(*loss)) {
        return tr("Seeing the output changes the odds of <i>%1</i> against <i>%2</i> (d = %3) by "
                  "at "
                  "most <b>%4</b>.")
            .arg(one, other, apart, factorText(std::exp(*loss)));
    }
    return tr("<b>No useful bound</b> for <i>%1</i> against <i>%2</i> (d = %3): the odds could "
              "change by up to %4. <a href=\"promise\">Why does it look private, then?</a>")
        .arg(one, other, apart, powerOfTen(*loss));
}

QString shortPromise(std::optional<double> loss) {
    if (!loss) {
        return tr("nothing promised");
    }
    return isUseful(*loss) ? tr("odds change by at most %1").arg(factorText(std::exp(*loss)))
                           : tr("no useful bound: up to %1").arg(powerOfTen(*loss));
}

}  // namespace epsilens::ui
