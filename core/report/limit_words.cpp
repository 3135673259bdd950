#include "core/report/limit_words.h"

#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "core/base/enum_names.h"
#include "core/base/numbers.h"
#include "core/report/evaluation_report.h"
#include "core/report/memo_words.h"

namespace epsilens::report {
namespace {

using calibration::Limit;
using calibration::LimitAggregate;
using calibration::LimitRelation;
using calibration::LimitStatistic;

using Kind = evaluation::FigureName::Kind;

/// Of words, a bound and draws.
constexpr EnumNames<LimitStatistic, 8> kSentences{
    {{"{0} are kept in {1} of {2} draws", LimitStatistic::nw},
     {"{0} have {1} different outputs in {2} draws", LimitStatistic::sw},
     {"{0} are kept in {1} of their draws", LimitStatistic::kept},
     {"{1} of the outputs are words near the original", LimitStatistic::near},
     {"{1} of the outputs are words far from the original", LimitStatistic::far},
     {"{0} have outputs with {1} bits of min-entropy", LimitStatistic::minEntropy},
     {"{0} have outputs with {1} bits of Shannon entropy", LimitStatistic::shannonEntropy},
     {"{0} have outputs that {1} of the words share", LimitStatistic::kw}}};

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
