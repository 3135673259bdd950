#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/document/evaluation_document.h"
#include "core/experiment/trade_off.h"
#include "core/report/report_model.h"

/// What an evaluation answers first: at which epsilon the task still works, and what attackers get
/// there.
namespace epsilens::report {

/// Index of the cell with the smallest epsilon of a family from which on every one of its settings
/// surely keeps nine tenths of what the replaced words are worth to a classifier: the lower end of
/// the 95 % interval of ClassifierResults::retained is at least 0.9, or its accuracy is that of the
/// ceiling in every repeat. Nothing where there is none.
///
/// classifier  index into the classifiers asked for
[[nodiscard]] std::optional<std::size_t> firstThatWorks(
    const experiment::EvaluationSummary& summary, const experiment::SettingFamily& family,
    std::size_t classifier);

/// The answer for each family and classifier: where the task works, what the best attackers reach
/// there, and what is promised there; before them that the run is partial, where it is. Where no
/// setting works, of the largest epsilon. Last, that no
/// attacker or no task was measured, where that is so. In the families' order, several sentences
/// each.
[[nodiscard]] std::vector<std::vector<std::string>> answers(
    const experiment::EvaluationSummary& summary);

/// N_w and S_w of each setting with 95 % intervals; nothing where they were not measured.
[[nodiscard]] std::optional<Table> survivalTable(const document::EvaluationRecord& record);

/// Usefulness against risk, a drawing for each task that attacks, with its table: the settings of a
/// family are joined, and those that another one beats in both are drawn faint. Empty unless texts
/// were classified and attacked.
[[nodiscard]] std::vector<Figure> frontierFigures(const experiment::EvaluationSummary& summary);

}  // namespace epsilens::report
