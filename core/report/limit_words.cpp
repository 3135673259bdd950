#include "core/report/limit_words.h"

#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "core/base/numbers.h"
#include "core/report/memo_words.h"
#include "core/report/trade_off_text.h"

namespace epsilens::report {
namespace {

using calibration::Limit;
using calibration::LimitAggregate;
using calibration::LimitRelation;
using calibration::LimitStatistic;

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

double boundOf(const Limit& limit, int draws) {
    if (!limit.percent) {
        return limit.value;
    }
    return 0.01 * limit.value * (isShare(limit.statistic) ? 1.0 : draws);
}

}  // namespace

std::string limitWords(const Limit& limit, int draws) {
    // Without what multiplying by a hundredth adds to a number of few digits.
    constexpr double kFinest = 1e9;
    const double shown = shownValue(limit.statistic, boundOf(limit, draws));
    const std::string words = wordsSpokenOf(limit);
    const bool isNone = limit.relation == LimitRelation::atMost && shown == 0.0;
    const std::string bound =
        isNone
            ? std::string("none")
            : fmt::format(
                  "{} {}", limit.relation == LimitRelation::atMost ? "at most" : "at least",
                  withUnit(limit.statistic, formatNumber(std::round(shown * kFinest) / kFinest)));
    switch (limit.statistic) {
        case LimitStatistic::nw:
            return fmt::format("{} are kept in {} of {} draws", words, bound, formatCount(draws));
        case LimitStatistic::sw:
            return fmt::format("{} have {} different outputs in {} draws", words, bound,
                               formatCount(draws));
        case LimitStatistic::kept:
            return fmt::format("{} are kept in {} of their draws", words, bound);
        case LimitStatistic::near:
            return fmt::format("{} of the outputs are words near the original", bound);
        case LimitStatistic::far:
            return fmt::format("{} of the outputs are words far from the original", bound);
        case LimitStatistic::minEntropy:
            return fmt::format("{} have outputs with {} bits of min-entropy", words, bound);
        case LimitStatistic::shannonEntropy:
            return fmt::format("{} have outputs with {} bits of Shannon entropy", words, bound);
        case LimitStatistic::kw:
            return fmt::format("{} have outputs that {} of the words share", words, bound);
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
    using Kind = evaluation::FigureName::Kind;
    constexpr double kFinest = 1e9;
    const std::string bound = formatNumber(std::round(100.0 * limit.share() * kFinest) / kFinest);
    const std::string classifier = classifierWords(limit.figure.classifier);
    switch (limit.figure.kind) {
        case Kind::best:
            return fmt::format("an attacker guesses at most {} of 100 words", bound);
        case Kind::gain:
            return limit.relation == LimitRelation::atMost && limit.value == 0.0
                       ? std::string("an attacker guesses no more words than without the release")
                       : fmt::format(
                             "an attacker guesses at most {} of 100 words more than "
                             "without the release",
                             bound);
        case Kind::upper:
            return fmt::format("whoever saw the noise itself would guess at most {} of 100 words",
                               bound);
        case Kind::accuracy:
            return fmt::format("{} puts at least {} of 100 texts into the right class", classifier,
                               bound);
        case Kind::macroF1:
            return fmt::format("{} has a macro F1 of at least {}%", classifier, bound);
        case Kind::retained:
            return fmt::format("{} keeps at least {}% of its usefulness", classifier, bound);
    }
    return {};
}

std::string valueWords(const evaluation::FigureCheck& check) {
    using Kind = evaluation::FigureName::Kind;
    if (std::isnan(check.margin)) {
        return "undetermined; the gap between original and random text is within the variation "
               "between repeats";
    }
    const Kind kind = check.limit.figure.kind;
    const double least = kind == Kind::gain ? -1.0 : 0.0;
    const CountWords count =
        shareWords(check.figure.value, check.figure.ci95, least, check.limit.share());
    // Others are counts of 100 words or texts.
    const std::string value =
        count.value + (kind == Kind::retained || kind == Kind::macroF1 ? "%" : "");
    return check.figure.ci95 ? fmt::format("{} ({} to {})", value, count.low, count.high) : value;
}

std::string checkWords(const evaluation::FigureCheck& check) {
    const char* const verdict = check.met() ? "yes, " : check.margin < 0.0 ? "NO, " : "";
    return fmt::format("{}: {}{}", limitWords(check.limit), verdict, valueWords(check));
}

}  // namespace epsilens::report
