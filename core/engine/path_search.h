#pragma once

#include "core/engine/block_search.h"
#include "core/engine/draw_path.h"

namespace epsilens::engine {

/// Smallest epsilon at and above which the search's draw returns its word: 0 if it always does,
/// infinite if a lower identical row is returned instead.
///
///   epsilon* = max(0, max over u of 2 z . (u - w) / ||u - w||^2)
///
/// Found by following the word nearest at the crossing of the best rival so far, which only moves
/// towards larger epsilon (Dinkelbach 1967); each step is an exact search.
[[nodiscard]] double criticalEpsilon(NearestSearch& search, Row word);

/// Whole path of the search's word and draw: the lower envelope of the score lines, found by asking
/// for the nearest word where two neighbouring pieces cross until no better one appears
/// (Eisner and Severance 1976); each question is an exact search.
[[nodiscard]] DrawPath drawPath(NearestSearch& search);

}  // namespace epsilens::engine
