#include "core/report/odds_text.h"

#include <cmath>

#include "core/base/numbers.h"

namespace epsilens::report {

std::string factorAtMost(double factor) {
    constexpr int kDigits = 3;
    const double unit = std::pow(10.0, kDigits - 1 - std::floor(std::log10(factor)));
    const double shown = std::ceil(factor * unit) / unit;
    return shown >= 100.0 ? formatCount(std::llround(shown)) : formatSignificant(shown, kDigits);
}

}  // namespace epsilens::report
