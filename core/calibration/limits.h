#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/calibration/calibrate.h"

namespace epsilens::calibration {

/// What a limit looks at: statistics per word, and shares of all outputs.
enum class LimitStatistic { nw, sw, kept, near, far, minEntropy, shannonEntropy, kw };

/// How the words of a run are summed up.
enum class LimitAggregate { mean, min, max, p1, p5, p25, p50, p75, p95, p99 };

enum class LimitRelation { atMost, atLeast };

/// A bound that the analyst sets, such as "the 95th percentile of N_w is at most 50% of the draws".
///
/// Near and far are shares of the whole run and have no aggregate but the mean.
struct Limit {
    LimitStatistic statistic = LimitStatistic::nw;
    LimitAggregate aggregate = LimitAggregate::mean;
    LimitRelation relation = LimitRelation::atMost;
    /// Share of the draws or outputs in percent when `percent`, else in the statistic's own unit:
    /// draws (nw, sw), a share in [0, 1] (kept, near, far), bits (entropies), words (kw).
    double value = 0.0;
    bool percent = false;

    bool operator==(const Limit&) const = default;
};

/// Reads "nw.p95<=50%", "sw.p5 >= 20", "shannonEntropy.mean>=4": STAT.AGG OP VALUE[%] with
///   STAT  nw, sw, kept, near, far, minEntropy, shannonEntropy, kw
///   AGG   mean, min, max, p1, p5, p25, p50, p75, p95, p99
///   OP    <=, >=
/// and % for nw, sw and shares only. Blanks around the parts do not count.
/// Fails with invalidArgument: the text, what is wrong with it, what is allowed.
[[nodiscard]] Result<Limit> parseLimit(std::string_view text);

/// Reads "nw.max=29.7%", a value that settings shall have: the limit that each of them just meets
/// there. That is <= for nw and kept, which rise with epsilon, and >= for the others. Fails with
/// invalidArgument, also for near, which rises and falls again.
[[nodiscard]] Result<Limit> parseMatch(std::string_view text);

/// The text that parseLimit reads: "nw.p95<=50%".
[[nodiscard]] std::string limitText(const Limit& limit);
/// The text that parseMatch reads: "nw.max=29.7%".
[[nodiscard]] std::string matchText(const Limit& limit);
/// For people: "N_w, 95th percentile: at most 50%".
[[nodiscard]] std::string limitSentence(const Limit& limit);

/// One limit held against one cell.
struct LimitCheck {
    Limit limit{};
    double value = 0.0;  ///< of the cell, in the statistic's own unit
    double bound = 0.0;  ///< of the limit, in the same unit
    /// Distance to the bound, in the same unit: not negative exactly when the limit is met.
    double margin = 0.0;

    [[nodiscard]] bool met() const { return margin >= 0.0; }
};

/// draws  R of the run that made the cell
/// Fails with unsupported when the cell has no such value (kw of a run without independent draws).
[[nodiscard]] Result<LimitCheck> checkLimit(const Limit& limit, const Cell& cell, int draws);

/// All limits held against one cell, in their order.
[[nodiscard]] Result<std::vector<LimitCheck>> checkLimits(const std::vector<Limit>& limits,
                                                          const Cell& cell, int draws);

/// "N_w, 95th percentile: at most 50%; is 43.2%, within the limit by 6.8%"
[[nodiscard]] std::string checkSentence(const LimitCheck& check, int draws);

}  // namespace epsilens::calibration
