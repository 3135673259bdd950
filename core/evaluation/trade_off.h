#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/evaluation/evaluation.h"

namespace epsilens::evaluation {

/// Settings of an evaluation that differ in epsilon only.
struct SettingFamily {
    mechanism::Mechanism mechanism{mechanism::Laplace{}};
    std::vector<std::size_t> cells{};  ///< indices into the cells of the summary, epsilon rising
};

/// The families of a summary, in the order of its cells.
[[nodiscard]] std::vector<SettingFamily> familiesOf(const EvaluationSummary& summary);

/// Index of the family whose lambda or radius is nearest to that of a mechanism of the same kind.
///
/// families  at least one
[[nodiscard]] std::size_t nearestFamily(const std::vector<SettingFamily>& families,
                                        const mechanism::Mechanism& mechanism);

/// The cell of a family whose epsilon has the least ratio to the one given; nothing where that lies
/// outside the epsilons measured, about which an evaluation says nothing.
[[nodiscard]] std::optional<std::size_t> nearestCell(const EvaluationSummary& summary,
                                                     const SettingFamily& family, double epsilon);

/// Results of the attackers of a task; null where there are none.
[[nodiscard]] const attack::AttackResults* attackOf(const EvaluationSummary& summary,
                                                    attack::Task task);

struct TradeOffPoint {
    std::size_t cell = 0;
    std::size_t family = 0;
    double utility = 0.0;  ///< accuracy
    double risk = 0.0;     ///< the figure that a task is judged by: AttackResults::risk
    bool isDominated =
        false;  ///< another one has no more risk and no less utility, not both the same
};

/// The settings with both, family after family, epsilon rising within each. Empty unless texts were
/// classified and attacked by the task.
///
/// classifier  index into the classifiers asked for
/// task        whose risk; reconstruct: gain of the best attacker who guesses words
[[nodiscard]] std::vector<TradeOffPoint> tradeOffOf(const EvaluationSummary& summary,
                                                    std::size_t classifier,
                                                    attack::Task task = attack::Task::reconstruct);

}  // namespace epsilens::evaluation
