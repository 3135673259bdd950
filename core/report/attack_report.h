#pragma once

#include <string>
#include <vector>

#include "core/experiment/evaluation.h"
#include "core/report/report_model.h"

/// The attackers' part of the reports of an evaluation.
namespace epsilens::report {

/// "How often would an attacker guess the word?"
[[nodiscard]] std::string attackTitle(experiment::Task task);

/// What an attack is called in headings, by the name of its task: "Guessing the words"; another
/// name as it is.
[[nodiscard]] std::string_view attackHeading(std::string_view task);

/// Title of the figure that a task is judged by: "gain over prior".
[[nodiscard]] std::string riskTitle(const experiment::AttackResults& attack);

/// That figure at a setting: "AUC 0.562 (0.542 to 0.581) at ε 74".
[[nodiscard]] std::string riskText(const experiment::EvaluationSummary& summary,
                                   const experiment::AttackResults& attack, std::size_t cell);

/// How the figure that a task is judged by runs with epsilon, a sentence for each family, and
/// whether it is told from chance on random words.
[[nodiscard]] std::vector<std::string> attackFindings(const experiment::EvaluationSummary& summary,
                                                      const experiment::AttackResults& attack);

/// Figures of all conditions as rows.
[[nodiscard]] Table attackTable(const experiment::EvaluationSummary& summary,
                                const experiment::AttackResults& attack);

/// An attack on a page: finding, drawing with its table, and what each attacker was assumed to
/// know.
[[nodiscard]] Section attackSection(const experiment::EvaluationSummary& summary,
                                    const experiment::AttackResults& attack);

/// That no attacker found is no guarantee.
[[nodiscard]] std::string noGuaranteeSentence();

}  // namespace epsilens::report
