#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/bound_text.h"
#include "core/base/numbers.h"
#include "core/report/memo_figures.h"
#include "core/report/memo_words.h"
#include "core/report/odds_text.h"
#include "core/report/report_parts.h"

namespace epsilens::report {
namespace {

using calibration::LimitStatistic;
using document::FigureFinding;

/// What was set and what became of it.
struct Judged {
    const std::vector<calibration::LimitCheck>& words;
    std::vector<FigureFinding> texts{};

    document::LimitCounts counts = document::countLimits(words, texts);
};

std::string countedLimits(std::size_t count) {
    return count == 1 ? std::string("1 limit") : fmt::format("{} limits", count);
}

/// Why limits on texts are not judged; empty where all are.
std::vector<std::string> openReasons(const Judged& judged) {
    std::size_t unmeasured = 0;
    std::size_t undecided = 0;
    for (const FigureFinding& finding : judged.texts) {
        unmeasured += !finding.check ? 1U : 0U;
        undecided += finding.isUndecided() ? 1U : 0U;
    }
    std::vector<std::string> reasons;
    const auto add = [&](std::size_t count, std::string_view one, std::string_view more) {
        if (count > 0) {
            reasons.push_back(fmt::format("{} of {} {}", count, countedLimits(judged.counts.all),
                                          count == 1 ? one : more));
        }
    };
    add(unmeasured, "was not measured at this setting", "were not measured at this setting");
    add(undecided, "could not be judged by what was measured",
        "could not be judged by what was measured");
    return reasons;
}

enum class Outcome { open, outside, within };

struct Limits {
    Outcome outcome = Outcome::open;
    std::string text{};
};

Limits limitsClause(const Judged& judged) {
    const std::size_t all = judged.counts.all;
    if (all == 0) {
        return {Outcome::open, "open, because no limits were set"};
    }
    if (const std::size_t missed = judged.counts.missed; missed > 0) {
        const auto others = openReasons(judged);
        return {Outcome::outside, fmt::format("outside the limits: {} of {} {} NOT met{}{}", missed,
                                              all, missed == 1 ? "is" : "are",
                                              others.empty() ? "" : ", ", fmt::join(others, ", "))};
    }
    if (const auto reasons = openReasons(judged); !reasons.empty()) {
        return {Outcome::open, fmt::format("open, because {}", fmt::join(reasons, " and "))};
    }
    return {Outcome::within, all == 1   ? std::string("within the limit")
                             : all == 2 ? std::string("within both limits")
                                        : fmt::format("within all {} limits", all)};
}

/// How far a promise is of use.
struct Promise {
    double reach = 0.0;      ///< infinite where the odds of no two words change by more
    std::size_t pairs = 0;   ///< that the memo shows
    std::size_t useful = 0;  ///< of these, no farther apart

    [[nodiscard]] bool isForAll() const { return std::isinf(reach); }
    /// Whether it covers none of the pairs shown.
    [[nodiscard]] bool isNone() const { return pairs > 0 && useful == 0; }
    [[nodiscard]] std::string distance() const {
        constexpr int kShownDigits = 3;
        return formatAtLeast(reach, kShownDigits);
    }
};

Promise promiseOf(const mechanism::Guarantee& guarantee, const Findings& findings) {
    Promise promise;
    promise.reach = mechanism::protectionRadius(guarantee, kLargestUsefulFactor).value();
    const auto pairs = shownPairs(findings);
    promise.pairs = pairs.size();
    promise.useful = static_cast<std::size_t>(std::count_if(
        pairs.begin(), pairs.end(),
        [&](const Findings::Odds& odds) { return odds.pair.distance <= promise.reach; }));
    return promise;
}

/// What a choice within limits rests on.
std::string basisOf(const Promise& promise) {
    if (promise.isNone()) {
        return "The choice rests on measurements, not on a promise.";
    }
    return promise.isForAll()
               ? std::string("The choice rests on measurements and on a promise for any two words.")
               : fmt::format(
                     "The choice rests on measurements, and on a promise only for words at most {} "
                     "apart.",
                     promise.distance());
}

/// Whether a limit keeps something from who reads the output; others keep the text useful.
std::optional<std::string> dangerOf(const calibration::Limit& limit) {
    const bool isAtMost = limit.relation == calibration::LimitRelation::atMost;
    switch (limit.statistic) {
        case LimitStatistic::nw:
        case LimitStatistic::kept:
            return isAtMost ? std::optional<std::string>("words kept too often") : std::nullopt;
        case LimitStatistic::sw:
        case LimitStatistic::minEntropy:
        case LimitStatistic::shannonEntropy:
        case LimitStatistic::kw:
            return isAtMost ? std::nullopt
                            : std::optional<std::string>("outputs of too little variety");
        case LimitStatistic::near:
        case LimitStatistic::far:
            break;
    }
    return std::nullopt;
}

/// What the limits protect against, which is no more than what was measured.
std::string protectionOf(const Judged& judged) {
    std::vector<std::string> dangers;
    const auto add = [&dangers](const std::string& danger) {
        if (std::find(dangers.begin(), dangers.end(), danger) == dangers.end()) {
            dangers.push_back(danger);
        }
    };
    for (const calibration::LimitCheck& check : judged.words) {
        if (const auto danger = dangerOf(check.limit)) {
            add(*danger);
        }
    }
    for (const FigureFinding& finding : judged.texts) {
        if (finding.limit.figure.isRisk()) {
            add("the attackers that were measured");
        }
    }
    const bool isOnAttackers =
        std::any_of(judged.texts.begin(), judged.texts.end(),
                    [](const FigureFinding& finding) { return finding.limit.figure.isRisk(); });
    if (dangers.empty()) {
        return "The limits keep the text useful; none protects against an attacker.";
    }
    return fmt::format(
        "The limits protect, as far as measured, against {}; {}.", fmt::join(dangers, " and "),
        isOnAttackers ? "a better attacker may learn more" : "none is on what an attacker guesses");
}

/// Of the pairs that the memo shows, how many lie where the promise is of no use.
std::string pairsClause(const Promise& promise) {
    const std::size_t beyond = promise.pairs - promise.useful;
    if (promise.pairs == 0) {
        return {};
    }
    if (promise.pairs == 1) {
        return fmt::format(", as the pair below is{},", beyond == 1 ? "" : " not");
    }
    const auto counted = [](std::size_t count) {
        return formatCount(static_cast<std::int64_t>(count));
    };
    return fmt::format(", as {} of the {} pairs below {},",
                       beyond == promise.pairs ? "all"
                       : beyond == 0           ? "none"
                                               : counted(beyond),
                       counted(promise.pairs), beyond <= 1 ? "is" : "are");
}

std::string promiseSentences(const Promise& promise, const mechanism::Guarantee& guarantee) {
    if (promise.isForAll()) {
        return fmt::format(
            "Promised, whoever attacks: the odds of any two words change by at most "
            "{}.",
            oddsWords(*guarantee.cap));
    }
    return fmt::format(
        "Promised, whoever attacks: the odds of two words at most {} apart change by at most ×{}. "
        "For words farther apart{} no bound is of any use.",
        promise.distance(), formatCount(std::llround(kLargestUsefulFactor)), pairsClause(promise));
}

}  // namespace

std::vector<Block> verdictBlocks(const Report& report, const Findings& findings) {
    const Judged judged{findings.limits, document::figureFindings(report, findings)};
    const mechanism::Guarantee& guarantee = report.run.summary->guarantees[*findings.cell];
    const Promise promise = promiseOf(guarantee, findings);
    const Limits limits = limitsClause(judged);
    const bool isWithin = limits.outcome == Outcome::within;
    return {Paragraph{fmt::format("Verdict: {}.{}", limits.text,
                                  isWithin ? " " + basisOf(promise) : std::string()),
                      true},
            Paragraph{(isWithin ? protectionOf(judged) + " " : std::string()) +
                      promiseSentences(promise, guarantee)}};
}

}  // namespace epsilens::report
