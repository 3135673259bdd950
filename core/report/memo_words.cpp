#include "core/report/memo_words.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "core/base/enum_names.h"
#include "core/base/numbers.h"
#include "core/report/evaluation_report.h"

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

using calibration::Limit;
using calibration::LimitAggregate;
using calibration::LimitRelation;
using calibration::LimitStatistic;

using Kind = evaluation::FigureName::Kind;

/// Of words, a bound and draws.
constexpr EnumNames<LimitStatistic, 10> kSentences{
    {{"{0} are kept in {1} of {2} draws", LimitStatistic::nw},
     {"{0} have {1} different outputs in {2} draws", LimitStatistic::sw},
     {"{0} are kept in {1} of their draws", LimitStatistic::kept},
     {"{1} of the outputs are words near the original", LimitStatistic::near},
     {"{1} of the outputs are words far from the original", LimitStatistic::far},
     {"{0} have outputs with {1} bits of min-entropy", LimitStatistic::minEntropy},
     {"{0} have outputs with {1} bits of Shannon entropy", LimitStatistic::shannonEntropy},
     {"{0} have outputs that {1} of the words share", LimitStatistic::kw},
     {"the outputs lie {1} from their words on average", LimitStatistic::meanDistance},
     {"the outputs have a mean cosine of {1} with their words", LimitStatistic::meanCosine}}};

/// Of a bound and a classifier.
constexpr EnumNames<Kind, 6> kFigureSentences{
    {{"an attacker guesses at most {0} of 100 words", Kind::best},
     {"an attacker guesses at most {0} of 100 words more than without the release", Kind::gain},
     {"whoever saw the noise itself would guess at most {0} of 100 words", Kind::upper},
     {"{1} puts at least {0} of 100 texts into the right class", Kind::accuracy},
     {"{1} has a macro F1 of at least {0}%", Kind::macroF1},
     {"{1} keeps at least {0}% of its usefulness", Kind::retained}}};

/// A percentile that is at most a value says that of the words below it, one that is at least a
/// value that of the words above.
std::string wordsSpokenOf(const Limit& limit) {
    const bool isAtMost = limit.relation == LimitRelation::atMost;
    const bool isLargest = limit.aggregate == LimitAggregate::max;
    if (isLargest || limit.aggregate == LimitAggregate::min) {
        return isLargest == isAtMost ? "all words" : "some words";
    }
    const std::optional<double> below = calibration::probabilityOf(limit.aggregate);
    if (!below) {
        return "on average words";
    }
    return fmt::format("{:.0f} of 100 words", 100.0 * (isAtMost ? *below : 1.0 - *below));
}

bool isShare(LimitStatistic statistic) {
    return statistic == LimitStatistic::kept || statistic == LimitStatistic::near ||
           statistic == LimitStatistic::far;
}

std::string withUnit(LimitStatistic statistic, const std::string& number) {
    return number + (isShare(statistic) ? "%" : "");
}

/// As people read it: percent of shares.
double shownValue(LimitStatistic statistic, double value) {
    return isShare(statistic) ? 100.0 * value : value;
}

/// Without what multiplying by a hundredth adds to a number of few digits.
std::string boundWords(double bound) {
    constexpr double kFinest = 1e9;
    return formatNumber(std::round(bound * kFinest) / kFinest);
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

std::string CountWords::interval(std::string_view what) const {
    return low.empty() ? "" : fmt::format(" ({}{} to {})", what, low, high);
}

CountWords countWords(const corpus::Measured& count, double least, double most, double apart) {
    constexpr double kWide = 1.5;
    constexpr int kMostDecimals = 6;
    const double value = count.value;
    const auto [low, high] = count.ci95.value_or(std::array{value, value});
    const auto isWhole = [](double number) { return number == std::floor(number); };
    const bool isCoarse =
        count.ci95 && (high - low >= kWide || (isWhole(value) && isWhole(low) && isWhole(high)));
    int decimals = isCoarse ? 0 : 1;
    const auto text = [&](double number) {
        std::string shown = fmt::format("{:.{}f}", std::clamp(number, least, most), decimals);
        // Not "-0".
        return shown.find_first_of("123456789") == std::string::npos && shown.front() == '-'
                   ? shown.substr(1)
                   : shown;
    };
    const auto isUnclear = [&](double number) {
        return number != apart && text(number) == text(apart);
    };
    while (decimals < kMostDecimals && (isUnclear(value) || isUnclear(low) || isUnclear(high))) {
        ++decimals;
    }
    return count.ci95 ? CountWords{text(value), text(low), text(high)} : CountWords{text(value)};
}

CountWords shareWords(const corpus::Measured& share, double least, double apart) {
    constexpr double kAll = 100.0;
    corpus::Measured count{kAll * share.value, share.ci95};
    if (count.ci95) {
        count.ci95 = {kAll * (*share.ci95)[0], kAll * (*share.ci95)[1]};
    }
    return countWords(count, kAll * least, kAll, kAll * apart);
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

std::string certaintyWords(double loss) {
    constexpr double kAll = 100.0;
    constexpr double kRoundoff = 1e-9;
    const double odds = std::exp(loss);
    // The largest share of right guesses is e^loss / (1 + e^loss): as many decimals as tell it from
    // all, rounded up.
    const double wrong = kAll / (1.0 + odds);
    const int decimals = std::max(1, static_cast<int>(std::ceil(-std::log10(wrong))));
    const double unit = std::pow(10.0, -decimals);
    return fmt::format("who held both equally likely could be {:.{}f}% sure",
                       kAll - std::floor(wrong / unit + kRoundoff) * unit, decimals);
}

std::string powerOfTen(double loss) {
    return std::isfinite(loss)
               ? "10" + superscript(static_cast<std::int64_t>(std::ceil(loss / std::log(10.0))))
               : "∞";
}

std::string oddsWords(double loss) {
    return std::exp(loss) <= kLargestUsefulFactor
               ? oddsAtMost(loss)
               : fmt::format("{}: no useful bound", powerOfTen(loss));
}

std::string limitWords(const Limit& limit, int draws) {
    const double whole = isShare(limit.statistic) ? 1.0 : draws;
    const double shown =
        shownValue(limit.statistic, limit.percent ? 0.01 * limit.value * whole : limit.value);
    const bool isAtMost = limit.relation == LimitRelation::atMost;
    const std::string bound = isAtMost && shown == 0.0
                                  ? std::string("none")
                                  : fmt::format("{} {}", isAtMost ? "at most" : "at least",
                                                withUnit(limit.statistic, boundWords(shown)));
    return fmt::format(fmt::runtime(nameIn(kSentences, limit.statistic)), wordsSpokenOf(limit),
                       bound, formatCount(draws));
}

std::string limitCountWords(const document::LimitCounts& counts) {
    if (counts.areAllMet()) {
        return fmt::format("{0} of {0} met", counts.all);
    }
    if (counts.missed == 0) {
        return fmt::format("{} of {} not measured", counts.open(), counts.all);
    }
    return fmt::format("{} of {} not met{}", counts.missed, counts.all,
                       counts.open() > 0 ? fmt::format(", {} not measured", counts.open()) : "");
}

std::string wordsBeyond(const calibration::Measurement& text, const std::vector<Limit>& limits,
                        double epsilon, std::string_view name) {
    for (const Limit& limit : limits) {
        const auto within = calibration::probabilityOf(limit.aggregate);
        if (limit.statistic != LimitStatistic::nw || limit.relation != LimitRelation::atMost ||
            !within) {
            continue;
        }
        const double most = limit.percent ? 0.01 * limit.value * text.options().draws : limit.value;
        double all = 0.0;
        double beyond = 0.0;
        for (std::size_t word = 0; word < text.words().size(); ++word) {
            all += text.weights()[word];
            beyond += text.wordAt(word, epsilon).nw > most ? text.weights()[word] : 0.0;
        }
        if (beyond > (1.0 - *within) * all) {
            return fmt::format("{} of {} words of {}", formatCount(std::llround(beyond)),
                               formatCount(std::llround(all)), name);
        }
    }
    return {};
}

std::string valueWords(const calibration::LimitCheck& check) {
    constexpr int kFewDigits = 3;
    constexpr int kMostDigits = 15;
    const double value = shownValue(check.limit.statistic, check.value);
    const double bound = shownValue(check.limit.statistic, check.bound);
    int digits = kFewDigits;
    while (digits < kMostDigits && check.margin != 0.0 &&
           formatSignificant(value, digits) == formatSignificant(bound, digits)) {
        ++digits;
    }
    return withUnit(check.limit.statistic, value == std::floor(value)
                                               ? formatNumber(value)
                                               : formatSignificant(value, digits));
}

std::string checkWords(const calibration::LimitCheck& check, int draws) {
    return fmt::format("{}: {}, {}", limitWords(check.limit, draws), check.met() ? "yes" : "NO",
                       valueWords(check));
}

std::string limitWords(const evaluation::FigureLimit& limit) {
    if (limit.figure.kind == Kind::gain && limit.value == 0.0) {
        return "an attacker guesses no more words than without the release";
    }
    return fmt::format(fmt::runtime(nameIn(kFigureSentences, limit.figure.kind)),
                       boundWords(100.0 * limit.share()), classifierWords(limit.figure.classifier));
}

std::string valueWords(const evaluation::FigureCheck& check) {
    if (std::isnan(check.margin)) {
        return "undetermined; the gap between original and random text is within the variation "
               "between repeats";
    }
    const Kind kind = check.limit.figure.kind;
    const double least = kind == Kind::gain ? -1.0 : 0.0;
    const CountWords count = shareWords(check.figure, least, check.limit.share());
    // Others are counts of 100 words or texts.
    return count.value + (kind == Kind::retained || kind == Kind::macroF1 ? "%" : "") +
           count.interval();
}

std::string checkWords(const evaluation::FigureCheck& check) {
    const char* const verdict = check.met() ? "yes, " : check.margin < 0.0 ? "NO, " : "";
    return fmt::format("{}: {}{}", limitWords(check.limit), verdict, valueWords(check));
}

}  // namespace epsilens::report
