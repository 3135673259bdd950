#pragma once

#include <cstddef>
#include <cstdint>

#include "core/base/crew.h"
#include "core/experiment/evaluation_parts.h"
#include "core/experiment/findings.h"

namespace epsilens::experiment {

// What processes that share an attack tell each other; see Packer.

template <typename Archive>
void transfer(Archive& archive, Figure& figure) {
    archive(figure.path, figure.title, figure.value, figure.ci95, figure.kind);
}
template <typename Archive>
void transfer(Archive& archive, FoundWord& found) {
    archive(found.word, found.success, found.tokens);
}
template <typename Archive>
void transfer(Archive& archive, Findings& findings) {
    archive(findings.figures, findings.chosen, findings.words);
}

/// Attacks in units: first what has no setting, then every mechanism at one epsilon after the
/// other.
///
/// baselines  Result<void>(): keeps the original and the floor
/// atEpsilon  Result<void>(std::size_t): keeps the cells of the epsilon with this index
/// Fails as these and as inUnits.
template <typename Baselines, typename AtEpsilon>
[[nodiscard]] Result<void> attackInUnits(const EvaluationParts& parts, AttackResults& results,
                                         const Baselines& baselines, const AtEpsilon& atEpsilon) {
    const std::size_t epsilons = parts.options.grid.epsilons.size();
    return inUnits(
        parts.options.crew, 1 + static_cast<std::int64_t>(epsilons),
        [&](std::int64_t unit) -> Result<void> {
            return unit == 0 ? baselines() : atEpsilon(static_cast<std::size_t>(unit - 1));
        },
        [&](auto& archive, std::int64_t unit) {
            archive(results.sentences);
            if (unit == 0) {
                archive(results.original, results.floor);
                return;
            }
            for (auto cell = static_cast<std::size_t>(unit - 1); cell < results.cells.size();
                 cell += epsilons) {
                archive(results.cells[cell]);
            }
        });
}

}  // namespace epsilens::experiment
