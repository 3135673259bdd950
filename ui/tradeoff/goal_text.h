#pragma once

#include <vector>

#include <QString>

#include "core/experiment/figure_search.h"

namespace epsilens::ui {

/// What was measured of a limit, and whether it is met.
[[nodiscard]] QString checkLine(const experiment::FigureCheck& check);

/// A line for each limit: what was measured, and again with other draws.
[[nodiscard]] QString checksText(const experiment::LimitsFound& found);

/// What to do where other draws miss a limit at the epsilon found: it follows from which one, as
/// attackers guess more and more usefulness is left the larger epsilon is. Empty where they meet
/// all.
///
/// areOnWords  the search kept to limits on words, too
[[nodiscard]] QString adviceText(const experiment::LimitsFound& found, bool areOnWords);

/// "Measured by the search, of 100: ε 2: attackers 0.4 (0.1 to 0.9), usefulness 31 (20 to 42);
/// ε 2.7: …", all that a search measured.
[[nodiscard]] QString triedText(const experiment::LimitsFound& found);

/// Limits that would have been met in place of those that were missed, or which one to give way on;
/// empty where there are none.
[[nodiscard]] QString loosenedText(const std::vector<experiment::FigureCheck>& checks);

}  // namespace epsilens::ui
