#include "core/report/odds_text.h"

#include <cmath>

#include "core/base/numbers.h"
#include "core/base/rounded_up.h"

namespace epsilens::report {

std::string factorAtMost(double factor) {
    constexpr int kDigits = 3;
    const double shown = roundedUp(factor, kDigits);
    return shown >= 100.0 ? formatCount(std::llround(shown)) : formatSignificant(shown, kDigits);
}

std::string upperText(double value, int digits) {
    return formatSignificant(roundedUp(value, digits), digits);
}

std::string lowerText(double value, int digits) {
    return formatSignificant(-roundedUp(-value, digits), digits);
}

std::string boundText(const mechanism::Guarantee& guarantee) {
    if (!guarantee.bound) {
        return "none";
    }
    return *guarantee.bound == guarantee.epsilon ? formatNumber(guarantee.epsilon)
                                                 : upperText(*guarantee.bound, 4);
}

}  // namespace epsilens::report
