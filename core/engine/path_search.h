#pragma once

#include "core/engine/draw_path.h"
#include "core/engine/line_search.h"

namespace epsilens::engine {

/// Smallest rate from which on the draw of the search returns its word: 0 if it always does,
/// infinite if an identical lower row is returned instead.
///
///   rate* = max(0, max over u of 2 projection(u) / squaredDistance(u))
///
/// For the elliptical mechanisms this is the critical epsilon, max 2 z . (u - w) / ||u - w||^2.
/// Found by repeatedly searching for the nearest word at the rate where the scores of the word and
/// of its best rival so far cross; this rate only grows (Dinkelbach 1967). Each step is an exact
/// search.
///
/// leastRate  smaller rates are not searched: 0 is also returned if the word is kept at leastRate
[[nodiscard]] double criticalRate(LineSearch& search, Row word, double leastRate = 0.0);

/// Complete path of the word and draw of the search, with breaks in t = 1/rate: the lower envelope
/// of the score lines. It is found by searching for the nearest word where two neighbouring pieces
/// cross until no better word appears (Eisner and Severance 1976), at all open crossings together.
/// Each step is an exact search.
///
/// leastRate  the rate at which the path ends
[[nodiscard]] DrawPath drawPath(LineSearch& search, double leastRate = 0.0);

}  // namespace epsilens::engine
