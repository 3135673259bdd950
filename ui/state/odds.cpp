#include "ui/state/odds.h"

#include <array>
#include <cmath>
#include <cstdlib>

#include "core/embedding/examples.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

namespace {

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

std::optional<WordPair> exampleWords(const embedding::Vocabulary& vocabulary) {
    for (const auto& [first, second] : embedding::examplePairs()) {
        const auto one = vocabulary.find(first);
        const auto other = vocabulary.find(second);
        if (one && other) {
            return WordPair{*one, *other};
        }
    }
    return vocabulary.size() >= 2 ? std::optional(WordPair{0, 1}) : std::nullopt;
}

}  // namespace epsilens::ui
