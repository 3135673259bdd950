#include "core/report/memo_words.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <fmt/format.h>

#include "core/base/numbers.h"

namespace epsilens::report {
namespace {

std::string superscript(std::int64_t number) {
    constexpr std::array kDigits{"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    std::string text;
    for (const char digit : fmt::format("{}", number)) {
        text += kDigits[static_cast<std::size_t>(digit - '0')];
    }
    return text;
}

}  // namespace

Hundredths hundredthsOf(double kept, double near, double far) {
    constexpr int kAll = 100;
    constexpr double kRoundoff = 1e-9;
    Hundredths whole;
    whole.kept = static_cast<int>(std::nearbyint(kAll * kept));
    whole.near = static_cast<int>(std::floor(kAll * near + kRoundoff));
    whole.far = static_cast<int>(std::floor(kAll * far + kRoundoff));
    const int missing = kAll - whole.kept - whole.near - whole.far;
    const bool isNearCloser = kAll * near - whole.near >= kAll * far - whole.far;
    whole.near += missing > 1 || (missing == 1 && isNearCloser) ? 1 : 0;
    whole.far = kAll - whole.kept - whole.near;
    return whole;
}

int percentUnknown(double share) {
    constexpr double kAll = 100.0;
    constexpr double kHalf = 0.5;
    constexpr double kRoundoff = 1e-9;
    return static_cast<int>(std::floor(kAll * share + kHalf + kRoundoff));
}

std::string outOf100(int rounded, double share) {
    if (rounded == 0 && share > 0.0) {
        return "fewer than 1 of 100";
    }
    return rounded == 100 && share < 1.0 ? std::string("more than 99 of 100")
                                         : fmt::format("{} of 100", rounded);
}

CountWords countWords(double value, const std::optional<std::array<double, 2>>& ci95, double least,
                      double most, std::optional<double> apart) {
    constexpr double kWide = 1.5;
    constexpr int kMostDecimals = 6;
    const auto isWhole = [](double number) { return number == std::floor(number); };
    const bool isCoarse = ci95 && ((*ci95)[1] - (*ci95)[0] >= kWide ||
                                   (isWhole(value) && isWhole((*ci95)[0]) && isWhole((*ci95)[1])));
    int decimals = isCoarse ? 0 : 1;
    const auto text = [&](double number) {
        std::string shown = fmt::format("{:.{}f}", std::clamp(number, least, most), decimals);
        // Not "-0".
        return shown.find_first_of("123456789") == std::string::npos && shown.front() == '-'
                   ? shown.substr(1)
                   : shown;
    };
    const auto isUnclear = [&](double number) {
        return apart && number != *apart && text(number) == text(*apart);
    };
    while (decimals < kMostDecimals &&
           (isUnclear(value) || (ci95 && (isUnclear((*ci95)[0]) || isUnclear((*ci95)[1]))))) {
        ++decimals;
    }
    return ci95 ? CountWords{text(value), text((*ci95)[0]), text((*ci95)[1])}
                : CountWords{text(value), {}, {}};
}

CountWords shareWords(double share, const std::optional<std::array<double, 2>>& ci95, double least,
                      std::optional<double> apart) {
    constexpr double kAll = 100.0;
    const auto interval =
        ci95 ? std::optional(std::array{kAll * (*ci95)[0], kAll * (*ci95)[1]}) : std::nullopt;
    return countWords(kAll * share, interval, kAll * least, kAll,
                      apart ? std::optional(kAll * *apart) : std::nullopt);
}

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

std::string reachWords(const mechanism::Guarantee& guarantee, double factor) {
    constexpr int kDigits = 3;
    const double reach = mechanism::protectionRadius(guarantee, factor).value();
    return std::isinf(reach)
               ? fmt::format("the odds of any two words change by at most {}",
                             oddsWords(*guarantee.cap))
               : fmt::format("the odds of two words at most {} apart change by at most ×{}",
                             formatAtLeast(reach, kDigits),
                             factor <= kLargestUsefulFactor ? factorAtMost(factor)
                                                            : formatAtMost(factor, kDigits));
}

std::string evidenceWords(double loss) {
    constexpr double kAll = 100.0;
    constexpr double kRoundoff = 1e-9;
    const double odds = std::exp(loss);
    const std::string_view strength = odds <= 2.0       ? "hardly any"
                                      : odds <= 10.0    ? "weak"
                                      : odds <= 100.0   ? "moderate"
                                      : odds <= 1'000.0 ? "moderately strong"
                                      : odds <= 1e4     ? "strong"
                                                        : "very strong";
    // The largest share of right guesses is e^loss / (1 + e^loss): as many decimals as tell it from
    // all, rounded up.
    const double wrong = kAll / (1.0 + odds);
    const int decimals = std::max(1, static_cast<int>(std::ceil(-std::log10(wrong))));
    const double unit = std::pow(10.0, -decimals);
    return fmt::format("{} evidence: who held both equally likely could be {:.{}f}% sure", strength,
                       kAll - std::floor(wrong / unit + kRoundoff) * unit, decimals);
}

std::string oddsWords(double loss) {
    if (std::exp(loss) <= kLargestUsefulFactor) {
        return oddsAtMost(loss);
    }
    const double power = std::ceil(loss / std::log(10.0));
    return fmt::format("10{}: no useful bound", superscript(static_cast<std::int64_t>(power)));
}

}  // namespace epsilens::report
