#pragma once

#include <optional>

#include "core/calibration/limits.h"

namespace epsilens::calibration {

/// Least and largest epsilon of an axis or of a search.
struct EpsilonSpan {
    double low = 0.0;
    double high = 0.0;

    bool operator==(const EpsilonSpan&) const = default;
};

/// The largest epsilon that meets all limits, as far as a search can tell.
struct EpsilonFound {
    std::optional<double> epsilon{};  ///< the safe end: every limit was seen met there
    /// The smallest epsilon above it that was seen to miss a limit; nothing where all limits are
    /// met up to the end of what was looked at.
    std::optional<double> above{};
    /// The limit that is missed by most at `above`; without an epsilon, at `closest`.
    std::optional<LimitCheck> binding{};
    /// Without an epsilon: where the limit that is missed by most is missed by least.
    double closest = 0.0;
    EpsilonSpan searched{};  ///< where it was looked for
    /// Whether every epsilon searched was decided, by known steps or because the limits fail for
    /// good above some epsilon; else maxima between those looked at may have been missed.
    bool everywhere = false;
    int looked = 0;  ///< how many epsilons were looked at; 0 where all were
};

}  // namespace epsilens::calibration
