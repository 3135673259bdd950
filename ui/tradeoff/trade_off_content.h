#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/report/report_model.h"
#include "ui/plot/xy_plot.h"
#include "ui/tradeoff/trade_off_model.h"

namespace epsilens::ui {

/// How many texts of 100 each classifier puts into the right class against epsilon, with what it
/// does without noise, with random words, and without looking, and where limits on that lie. Points
/// have the cells of the result as their ids, then the places of those beside it.
[[nodiscard]] PlotContent utilityContent(const TradeOffResult& result, std::size_t family,
                                         const std::vector<evaluation::FigureLimit>& limits,
                                         const std::vector<evaluation::TriedEpsilon>& beside);

/// The same of the words of 100 that the best attacker guesses.
[[nodiscard]] PlotContent riskContent(const TradeOffResult& result, std::size_t family,
                                      const std::vector<evaluation::FigureLimit>& limits,
                                      const std::vector<evaluation::TriedEpsilon>& beside);

/// What settings are worth against what they cost: a line for each family, points labelled with
/// their epsilon; a setting that another one beats in both is faint.
[[nodiscard]] PlotContent frontierContent(const TradeOffResult& result);

/// All figures of an evaluation, a table for each classifier and attack.
[[nodiscard]] std::vector<report::Table> figureTables(const TradeOffResult& result);

}  // namespace epsilens::ui
