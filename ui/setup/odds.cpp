#include "ui/setup/odds.h"

#include <array>
#include <cmath>

#include <QCoreApplication>

#include "ui/common/qt_convert.h"

namespace epsilens::ui {

namespace {

constexpr double kLargestUsefulFactor = 1e6;
constexpr int kFactorDigits = 3;

QString tr(const char* text) {
    return QCoreApplication::translate("Odds", text);
}

/// Three significant digits, never below the value.
double roundedUp(double factor) {
    const double unit = std::pow(10.0, kFactorDigits - 1 - std::floor(std::log10(factor)));
    return std::ceil(factor * unit) / unit;
}

QString factorText(double factor) {
    const double shown = roundedUp(factor);
    return shown >= 100.0 ? counted(std::llround(shown)) : significant(shown, kFactorDigits);
}

}  // namespace

std::optional<WordPair> exampleWords(const embedding::Vocabulary& vocabulary) {
    using namespace std::string_view_literals;
    static constexpr std::array kPairs{
        std::pair{"paris"sv, "london"sv}, std::pair{"Paris"sv, "London"sv},
        std::pair{"cat"sv, "dog"sv}, std::pair{"doctor"sv, "nurse"sv},
        std::pair{"house"sv, "garden"sv}};
    for (const auto& [first, second] : kPairs) {
        const auto one = vocabulary.find(first);
        const auto other = vocabulary.find(second);
        if (one && other) {
            return WordPair{*one, *other};
        }
    }
    return vocabulary.size() >= 2 ? std::optional(WordPair{0, 1}) : std::nullopt;
}

QString oddsSentence(std::optional<double> loss, double distance, std::string_view first,
                     std::string_view second) {
    const QString one = escaped(first);
    const QString other = escaped(second);
    const QString shownDistance = significant(distance, 2);
    if (!loss) {
        return tr("The odds of <i>%1</i> against <i>%2</i> (d = %3): <b>nothing is guaranteed</b>")
            .arg(one, other, shownDistance);
    }
    const double factor = std::exp(*loss);
    if (!(factor <= kLargestUsefulFactor)) {
        return tr("The odds of <i>%1</i> against <i>%2</i> (d = %3): <b>no useful bound</b>")
            .arg(one, other, shownDistance);
    }
    return tr("Seeing the output changes the odds of <i>%1</i> against <i>%2</i> (d = %3) by at "
              "most <b>×%4</b>")
        .arg(one, other, shownDistance, factorText(factor));
}

}  // namespace epsilens::ui
