#pragma once

#include <span>
#include <vector>

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/experiment/evaluation_parts.h"
#include "core/experiment/perturber.h"

namespace epsilens::experiment {

/// The perturbed pools of the repeats of a classification, one repeat after the other. Those of a
/// group of repeats are made together, when the first of them is asked for.
class RepeatCopies {
public:
    /// Both outlive this object.
    RepeatCopies(const EvaluationParts& parts, const Perturber& perturber)
        : m_parts(parts), m_perturber(perturber) {}

    /// The pool of the training documents and, if they are perturbed too, that of the test
    /// documents, as Perturber::perturb. Repeats are taken in their order.
    ///
    /// epsilons  all of the grid where repeats are perturbed together
    /// job       unused where the repeat is at hand
    /// Fails with cancelled.
    [[nodiscard]] Result<std::vector<PerturbedPool>> take(int repeat,
                                                          std::span<const double> epsilons,
                                                          const JobContext& job);

private:
    const EvaluationParts& m_parts;
    const Perturber& m_perturber;
    int m_first = 0;                                    ///< repeat of the first pools at hand
    std::vector<std::vector<PerturbedPool>> m_ready{};  ///< by repeat
};

}  // namespace epsilens::experiment
