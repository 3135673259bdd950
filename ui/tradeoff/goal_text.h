#pragma once

#include <vector>

#include <QString>

#include "core/experiment/figure_search.h"

namespace epsilens::ui {

/// What was measured of a limit, and whether it is met.
[[nodiscard]] QString checkLine(const experiment::FigureCheck& check);

/// A line for each limit: what was measured, and again with other draws.
[[nodiscard]] QString checksText(const experiment::LimitsFound& found);

/// Limits that would have been met in place of those that were missed, or which one to give way on;
/// empty where there are none.
[[nodiscard]] QString loosenedText(const std::vector<experiment::FigureCheck>& checks);

}  // namespace epsilens::ui
