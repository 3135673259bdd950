#pragma once

#include <cstdint>
#include <span>

#include "core/experiment/attack/attacked_text.h"
#include "core/experiment/evaluation_parts.h"

namespace epsilens::experiment {

/// Documents as an attacker faces them, a line each.
[[nodiscard]] AttackedText attackedText(const EvaluationParts& parts,
                                        std::span<const std::int64_t> documents);

}  // namespace epsilens::experiment
