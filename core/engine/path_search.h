#pragma once

#include "core/engine/draw_path.h"
#include "core/engine/line_search.h"

namespace epsilens::engine {

/// Smallest rate at and above which the search's draw returns its word: 0 if it always does,
/// infinite if a lower identical row is returned instead.
///
///   rate* = max(0, max over u of 2 projection(u) / squaredDistance(u))
///
/// For the elliptical mechanisms this is the critical epsilon, max 2 z . (u - w) / ||u - w||^2.
/// Found by following the word nearest at the crossing of the best rival so far, which only moves
/// towards larger rates (Dinkelbach 1967); each step is an exact search.
///
/// leastRate  rates below it are not looked at: 0 is also returned when the word is kept there
[[nodiscard]] double criticalRate(LineSearch& search, Row word, double leastRate = 0.0);

/// Whole path of the search's word and draw, with breaks in t = 1/rate: the lower envelope of the
/// score lines, found by asking for the nearest word where two neighbouring pieces cross until no
/// better one appears (Eisner and Severance 1976); each question is an exact search.
///
/// leastRate  where the path ends
[[nodiscard]] DrawPath drawPath(LineSearch& search, double leastRate = 0.0);

}  // namespace epsilens::engine
