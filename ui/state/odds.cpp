#include "ui/state/odds.h"

#include <cmath>
#include <cstdlib>

#include <QCoreApplication>

#include "core/report/odds_text.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("Odds", text);
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

}  // namespace

QString powerOfTenText(qint64 exponent) {
    return QStringLiteral("10") + superscript(exponent);
}

QString powerOfTen(double loss) {
    return std::isfinite(loss)
               ? powerOfTenText(static_cast<qint64>(std::ceil(loss / std::log(10.0))))
               : QStringLiteral("∞");
}

const std::array<embedding::ExamplePair, 5>& everydayPairs() {
    static constexpr std::array<embedding::ExamplePair, 5> kPairs{{{"paris", "london"},
                                                                   {"Paris", "London"},
                                                                   {"cat", "dog"},
                                                                   {"doctor", "nurse"},
                                                                   {"house", "garden"}}};
    return kPairs;
}

std::optional<WordPair> exampleWords(const embedding::Vocabulary& vocabulary) {
    for (const auto& [first, second] : everydayPairs()) {
        const auto one = vocabulary.find(first);
        const auto other = vocabulary.find(second);
        if (one && other) {
            return WordPair{*one, *other};
        }
    }
    return vocabulary.size() >= 2 ? std::optional(WordPair{0, 1}) : std::nullopt;
}

QString oddsSentence(double loss, double distance, std::string_view first,
                     std::string_view second) {
    const QString one = escaped(first);
    const QString other = escaped(second);
    const QString shownDistance = significant(distance, 2);
    const double factor = std::exp(loss);
    if (!(factor <= report::kLargestUsefulFactor)) {
        return tr("The odds of <i>%1</i> against <i>%2</i> (distance %3): <b>no useful bound</b> "
                  "(%4)")
            .arg(one, other, shownDistance, powerOfTen(loss));
    }
    return tr("Seeing the output changes the odds of <i>%1</i> against <i>%2</i> (distance %3) by "
              "at "
              "most <b>×%4</b>")
        .arg(one, other, shownDistance, toQString(report::factorAtMost(factor)));
}

}  // namespace epsilens::ui
