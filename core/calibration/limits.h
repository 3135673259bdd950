#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/calibration/calibrate.h"

namespace epsilens::calibration {

/// What a limit looks at: statistics per word, and figures of all outputs.
enum class LimitStatistic {
    nw,
    sw,
    kept,
    near,
    far,
    minEntropy,
    shannonEntropy,
    kw,
    meanDistance,
    meanCosine
};

/// The member of a cell that holds the values of a statistic over the words of a run; null of
/// figures of all outputs and K_w.
[[nodiscard]] Summary Cell::*memberOf(LimitStatistic statistic);

/// How the words of a run are summed up.
enum class LimitAggregate { mean, min, max, p1, p5, p25, p50, p75, p95, p99 };

/// The member of a summary that an aggregate names.
[[nodiscard]] double Summary::*memberOf(LimitAggregate aggregate);
/// The share of words below a percentile, 0 of the minimum, 1 of the maximum; none of the mean.
[[nodiscard]] std::optional<double> probabilityOf(LimitAggregate aggregate);

enum class LimitRelation { atMost, atLeast };

/// A bound that the analyst sets, such as "the 95th percentile of N_w is at most 50% of the draws".
///
/// Near, far, meanDistance and meanCosine are of the whole run and have no aggregate but the mean.
struct Limit {
    LimitStatistic statistic = LimitStatistic::nw;
    LimitAggregate aggregate = LimitAggregate::mean;
    LimitRelation relation = LimitRelation::atMost;
    /// Share of the draws or outputs in percent when `percent`, else in the statistic's own unit:
    /// draws (nw, sw), a share in [0, 1] (kept, near, far), bits (entropies), words (kw), units of
    /// the mechanism's metric (meanDistance), a cosine (meanCosine).
    double value = 0.0;
    bool percent = false;

    bool operator==(const Limit&) const = default;
};

/// What stands around the relation in the text of a limit, without blanks.
struct LimitParts {
    std::string_view subject{};
    std::string_view relation{};  ///< "<=", ">=", "=" or what is neither; empty without one
    std::string_view value{};
};
[[nodiscard]] LimitParts limitParts(std::string_view text);

/// A number of a limit, as typed.
struct LimitValue {
    double value = 0.0;
    bool percent = false;
};
/// typed    such as 50% or 0.5
/// isShare  whether a number that is no percentage is at most 1
/// Fails with invalidArgument for what is no number >= 0 of that range.
[[nodiscard]] Result<LimitValue> parseLimitValue(std::string_view text, std::string_view typed,
                                                 bool isShare);
[[nodiscard]] std::string limitValueText(double value, bool percent);
/// "limit "nw.p95": problem"
[[nodiscard]] tl::unexpected<Error> refuseLimit(std::string_view text, std::string_view problem);

/// Reads "nw.p95<=50%", "sw.p5 >= 20", "shannonEntropy.mean>=4": STAT.AGG OP VALUE[%] with
///   STAT  nw, sw, kept, near, far, minEntropy, shannonEntropy, kw, meanDistance, meanCosine
///   AGG   mean, min, max, p1, p5, p25, p50, p75, p95, p99
///   OP    <=, >=
/// and % for nw, sw and shares only. Blanks around the parts do not count.
/// Fails with invalidArgument: the text, what is wrong with it, what is allowed.
[[nodiscard]] Result<Limit> parseLimit(std::string_view text);

/// Reads "nw.max=29.7%", a value that settings shall have: the limit that each of them just meets
/// there. That is <= for nw, kept and meanCosine, which rise with epsilon, and >= for the others.
/// Fails with invalidArgument, also for near, which rises and falls again.
[[nodiscard]] Result<Limit> parseMatch(std::string_view text);

/// The text that parseLimit reads: "nw.p95<=50%".
[[nodiscard]] std::string limitText(const Limit& limit);
/// The text that parseMatch reads: "nw.max=29.7%".
[[nodiscard]] std::string matchText(const Limit& limit);

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
/// Fails with unsupported when the cell has no such value (kw of a run without independent draws, a
/// cosine where all vectors are zero).
[[nodiscard]] Result<LimitCheck> checkLimit(const Limit& limit, const Cell& cell, int draws);

/// All limits held against one cell, in their order.
[[nodiscard]] Result<std::vector<LimitCheck>> checkLimits(const std::vector<Limit>& limits,
                                                          const Cell& cell, int draws);

[[nodiscard]] bool allMet(const std::vector<LimitCheck>& checks);

/// By how much a limit is missed, as a share of what its statistic can differ by: R, 1, log2 R
/// bits, the number of words, or the bound itself of a distance; negative when it is met.
///
/// draws  R;  words  of the run
[[nodiscard]] double shareMissed(const LimitCheck& check, int draws, std::int64_t words);

/// The check that is missed by most, as a share of what its statistic can be; nothing when all are
/// met.
[[nodiscard]] std::optional<LimitCheck> mostMissed(const std::vector<LimitCheck>& checks, int draws,
                                                   std::int64_t words);

/// Least and largest epsilon of an axis or of a search.
struct EpsilonSpan {
    double low = 0.0;
    double high = 0.0;

    bool operator==(const EpsilonSpan&) const = default;
};

/// The largest epsilon that meets all limits, as far as a search can tell.
///
/// Check  what the limits come to
template <typename Check>
struct LargestEpsilon {
    std::optional<double> epsilon{};  ///< the safe end: every limit was seen met there
    /// The smallest epsilon above it that was seen to miss a limit; nothing where all limits are
    /// met up to the end of what was looked at.
    std::optional<double> above{};
    /// The limit that is missed by most at `above`; without an epsilon, at `closest`.
    std::optional<Check> binding{};
    /// Without an epsilon: where the limit that is missed by most is missed by least.
    double closest = 0.0;
    EpsilonSpan searched{};  ///< where it was looked for
};

/// The same within limits on words.
struct EpsilonFound : LargestEpsilon<LimitCheck> {
    /// Whether every epsilon searched was decided, by known steps or because the limits fail for
    /// good above some epsilon; else maxima between those looked at may have been missed.
    bool everywhere = false;
    int looked = 0;  ///< how many epsilons were looked at; 0 where all were
};

}  // namespace epsilens::calibration
