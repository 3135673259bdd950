#pragma once

#include <cmath>
#include <string>
#include <string_view>

#include "core/calibration/limits.h"
#include "core/document/report_document.h"
#include "core/evaluation/figure_limit.h"
#include "core/mechanism/guarantee.h"

/// Numbers and limits as people are told them who do not know the program. Upper bounds are never
/// below the bound itself, however they are rounded.
namespace epsilens::report {

/// Whole numbers out of 100 that add up to 100.
struct Hundredths {
    int kept = 0;
    int near = 0;
    int far = 0;
};

/// That of the kept ones is the nearest, as in every other place that tells it. The others are
/// rounded down, and what is missing goes to the one that lost most by it.
///
/// kept, near, far  in [0, 1], with the sum 1
[[nodiscard]] Hundredths hundredthsOf(double kept, double near, double far);
/// The same of what has these shares as members.
template <typename Shares>
[[nodiscard]] Hundredths hundredthsOf(const Shares& shares) {
    return hundredthsOf(shares.kept, shares.near, shares.far);
}

/// Percent of words that an embedding does not know, rounded half up. That of the words known is
/// 100 less it, so that the two add up wherever one of them is told.
///
/// share  of the words, in [0, 1]
[[nodiscard]] int percentUnknown(double share);

/// "53 of 100"; what rounds to none or all says that it is neither.
///
/// rounded  the share out of 100
[[nodiscard]] std::string outOf100(int rounded, double share);

/// "4.2 (3.9 to 4.5)": a count with its 95% interval, if it has one.
struct CountWords {
    std::string value{};
    std::string low{};  ///< empty without an interval
    std::string high{};

    /// " (3.9 to 4.5)"; empty without an interval.
    ///
    /// what  stands before its ends
    [[nodiscard]] std::string interval(std::string_view what = {}) const;
};

/// No more decimals than the interval carries: none where it is 1.5 wide or wider, else one. What
/// is counted bounds the count and its interval, which the formula of an interval does not know.
///
/// apart  the text of this number is told from that of the ends and the value, unless they are
///        equal, by more decimals if need be; NaN: no number
/// least, most  bounds of the count
[[nodiscard]] CountWords countWords(const corpus::Measured& count, double least, double most,
                                    double apart = std::nan(""));

/// The same of a share, counted out of 100, of which it is at most all.
///
/// least, apart  shares
[[nodiscard]] CountWords shareWords(const corpus::Measured& share, double least,
                                    double apart = std::nan(""));

using mechanism::kLargestUsefulFactor;

/// To whom a promise is made, wherever there is one, and against whom.
inline constexpr std::string_view kPromisedTo = "anyone a text is about";
inline constexpr std::string_view kPromisedAgainst = "whatever readers know besides";

/// A factor by which odds change at most, rounded up to three significant digits: "9.98", "165" of
/// 164.02, "22,100".
///
/// factor  in [1, kLargestUsefulFactor]
[[nodiscard]] std::string factorAtMost(double factor);

/// The same of the loss of a pair or text, for a column of odds: "×165", "no useful bound" above
/// the largest useful factor.
[[nodiscard]] std::string oddsAtMost(double loss);

/// The factor of the metric: an epsilon as it was typed, another one rounded up to four digits.
[[nodiscard]] std::string boundText(const mechanism::Guarantee& guarantee);

/// How far a promise reaches: "the odds of two words at most 13.8 apart change by at most
/// ×1,000,000", or of any two words where a cap keeps them.
///
/// factor  > 1
[[nodiscard]] std::string reachWords(const mechanism::Guarantee& guarantee, double factor);

/// How sure somebody can become of a word against another, rounded up: "who held both equally
/// likely could be 75.0% sure".
///
/// loss  of the two words, at most the log of the largest useful factor
[[nodiscard]] std::string certaintyWords(double loss);

/// "10²⁸": exp(loss) rounded up to a power of ten, "∞" of an infinite loss.
[[nodiscard]] std::string powerOfTen(double loss);

/// "×165", "10²⁸: no useful bound": the power of ten is rounded up.
///
/// loss  log of the factor by which odds change at most
[[nodiscard]] std::string oddsWords(double loss);

/// "95 of 100 words are kept in at most 50 of 100 draws".
///
/// draws  R of the run that the limit is held against, > 0
[[nodiscard]] std::string limitWords(const calibration::Limit& limit, int draws);

/// "1 of 3 not met, 1 not measured", "2 of 2 met".
///
/// counts  of at least one
[[nodiscard]] std::string limitCountWords(const document::LimitCounts& counts);

/// "3 of 7 words of sms.tsv": of a text, those kept more often than a limit says, where they are
/// more than it lets pass; else empty.
[[nodiscard]] std::string wordsBeyond(const calibration::Measurement& text,
                                      const std::vector<calibration::Limit>& limits, double epsilon,
                                      std::string_view name);

/// "43.2": three significant digits, or as many as tell it from the bound.
[[nodiscard]] std::string valueWords(const calibration::LimitCheck& check);
/// The same with limit and verdict: "…: yes, 43.2", "…: NO, 56.1".
[[nodiscard]] std::string checkWords(const calibration::LimitCheck& check, int draws);

/// "an attacker guesses at most 5 of 100 words more than without the release".
[[nodiscard]] std::string limitWords(const evaluation::FigureLimit& limit);

/// The same with the verdict: "…: yes, 4.2 (3.9 to 4.5)". The brackets hold a 95% interval, the
/// whole of which has to be within the limit.
[[nodiscard]] std::string checkWords(const evaluation::FigureCheck& check);

/// "4.2 (3.9 to 4.5)": out of 100, with the 95% interval, told from the bound of the limit.
[[nodiscard]] std::string valueWords(const evaluation::FigureCheck& check);

}  // namespace epsilens::report
