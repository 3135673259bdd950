#pragma once

#include "core/embedding/vocabulary.h"
#include "core/experiment/attack/exact_reconstruction.h"
#include "core/experiment/attack/sampled_reconstruction.h"
#include "core/experiment/findings.h"

namespace epsilens::experiment {

/// What an exact and a sampled reconstruction found, as figures. Words are named by the vocabulary.
[[nodiscard]] Findings findingsOf(const ExactReconstruction& result,
                                  const embedding::Vocabulary& vocabulary);
[[nodiscard]] Findings findingsOf(const SampledReconstruction& result,
                                  const embedding::Vocabulary& vocabulary);

}  // namespace epsilens::experiment
