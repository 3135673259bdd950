#include "core/report/odds_text.h"

#include <cmath>

#include "core/base/numbers.h"

namespace epsilens::report {

std::string factorAtMost(double factor) {
    constexpr int kDigits = 3;
    const double shown = roundedUp(factor, kDigits);
    return shown >= 100.0 ? formatCount(std::llround(shown)) : formatSignificant(shown, kDigits);
}

std::string oddsAtMost(double loss) {
    const double odds = std::exp(loss);
    return odds <= kLargestUsefulFactor ? "×" + factorAtMost(odds) : "no useful bound";
}

std::string boundText(const mechanism::Guarantee& guarantee) {
    return guarantee.bound == guarantee.epsilon ? formatNumber(guarantee.epsilon)
                                                : formatAtMost(guarantee.bound, 4);
}

}  // namespace epsilens::report
