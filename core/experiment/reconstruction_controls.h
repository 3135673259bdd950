#pragma once

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/experiment/attack/exact_reconstruction.h"
#include "core/experiment/attack/reconstruction.h"
#include "core/experiment/attack/sampled_reconstruction.h"
#include "core/experiment/attack/word_chain.h"
#include "core/experiment/evaluation_parts.h"
#include "core/experiment/findings.h"
#include "core/experiment/learning_draws.h"

namespace epsilens::experiment {

/// A text that is attacked as if nothing were replaced, and as if any word stood for each.
struct ControlledText {
    const EvaluationParts& parts;
    const AttackedText& text;
    const VectorD& prior;
    const WordChain* chain = nullptr;      ///< null: without context
    const AttackerDraws* draws = nullptr;  ///< of whoever learns from draws; null: exact attackers
    const std::vector<Row>& random;        ///< uniformly random words, one for each token
};

struct ControlFindings {
    Findings original{};
    Findings random{};
};

/// Runs the attackers of reconstruct on the original text and on random words. They know that, as
/// they know a mechanism. Fails as reconstructControls and reconstructFromDraws.
[[nodiscard]] Result<ControlFindings> attackControls(const ControlledText& text,
                                                     const JobContext& job);

/// What the attackers of reconstruct are told of the options.
[[nodiscard]] ReconstructionOptions reconstructionOptions(const EvaluationOptions& options);

}  // namespace epsilens::experiment
