#include "ui/dial/dial_text.h"

#include <array>
#include <cmath>
#include <cstdlib>

#include <QCoreApplication>

#include "core/report/odds_text.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("Dial", text);
}

/// 38: "³⁸"
QString superscript(qint64 number) {
    static constexpr std::array<char16_t, 10> kDigits{u'⁰', u'¹', u'²', u'³', u'⁴',
                                                      u'⁵', u'⁶', u'⁷', u'⁸', u'⁹'};
    QString text = number < 0 ? QStringLiteral("⁻") : QString();
    for (const QChar digit : QString::number(std::abs(number))) {
        text += QChar(kDigits.at(static_cast<std::size_t>(digit.digitValue())));
    }
    return text;
}

/// exp(loss) rounded up to a power of ten: "10³⁸".
QString powerOfTen(double loss) {
    return powerOfTenText(static_cast<qint64>(std::ceil(loss / std::log(10.0))));
}

bool isUseful(double loss) {
    return std::exp(loss) <= report::kLargestUsefulFactor;
}

}  // namespace

QString powerOfTenText(qint64 exponent) {
    return QStringLiteral("10") + superscript(exponent);
}

QString factorText(double factor) {
    return factor <= report::kLargestUsefulFactor
               ? QStringLiteral("×") + toQString(report::factorAtMost(factor))
               : QStringLiteral("×") + powerOfTen(std::log(factor));
}

QString promiseText(std::optional<double> loss, const QString& first, const QString& second) {
    const QString one = first.toHtmlEscaped();
    const QString other = second.toHtmlEscaped();
    if (!loss) {
        return tr("<b>Nothing is promised</b> for <i>%1</i> against <i>%2</i>: some outputs give "
                  "the word away.")
            .arg(one, other);
    }
    if (isUseful(*loss)) {
        return tr("Seeing the output changes the odds of <i>%1</i> against <i>%2</i> by at most "
                  "<b>%3</b>.")
            .arg(one, other, factorText(std::exp(*loss)));
    }
    return tr("<b>No useful bound</b> for <i>%1</i> against <i>%2</i>: the odds could change by "
              "up to %3. <a href=\"promise\">Why does it look private, then?</a>")
        .arg(one, other, powerOfTen(*loss));
}

QString shortPromise(std::optional<double> loss) {
    if (!loss) {
        return tr("nothing promised");
    }
    return isUseful(*loss) ? tr("odds change by at most %1").arg(factorText(std::exp(*loss)))
                           : tr("no useful bound: up to %1").arg(powerOfTen(*loss));
}

}  // namespace epsilens::ui
