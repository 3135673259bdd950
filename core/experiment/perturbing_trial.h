#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/calibration/trial_runs.h"
#include "core/experiment/evaluation_parts.h"

namespace epsilens::experiment {

/// How often documents are perturbed, and in how many calls of Perturber::perturb.
struct PerturbingTimes {
    int times = 1;
    int calls = 1;
};

/// Documents that are to be perturbed at every setting.
struct PerturbingWork {
    const TokenisedDocuments& words;
    std::int64_t tokens = 0;  ///< of all pools of one time, replaced or not
    int pools = 1;
    PerturbingTimes often{};
    std::size_t epsilonsAtOnce = 1;  ///< at most those of the grid
};

/// Foretells what a Perturber takes by perturbing some words of the documents.
class PerturbingTrial {
public:
    /// parts  outlive this object, with at least one replaced word
    PerturbingTrial(const EvaluationParts& parts, JobContext job);

    /// Fails as Perturber does.
    [[nodiscard]] Result<double> seconds(const PerturbingWork& work);

private:
    [[nodiscard]] Result<calibration::RunRates> ratesFor(std::size_t epsilonsAtOnce);
    [[nodiscard]] Result<double> quickest(const calibration::RunSize& size,
                                          std::size_t epsilonsAtOnce);

    const EvaluationParts& m_parts;
    JobContext m_job;
    std::vector<Row> m_rows{};  ///< that are replaced in the documents
    std::int64_t m_wordsAtOnce = 1;
    /// Of a block with R = 100, by the epsilons at once: `once` for the draws of a pool, perWord
    /// and perWordAndDraw for a word and each time it occurs.
    std::map<std::size_t, calibration::RunRates> m_rates{};
};

}  // namespace epsilens::experiment
