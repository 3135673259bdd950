#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/attack/findings.h"
#include "core/base/job_context.h"
#include "core/corpus/perturber.h"
#include "core/evaluation/evaluation_run.h"

namespace epsilens::evaluation {

using Pools = std::vector<corpus::DrawPool>;
using ReleasedPools = std::vector<corpus::PerturbedPool>;

/// A task that attacks the documents of an evaluation at every setting of its grid. Its findings at
/// a setting follow from one released copy of each of its pools: a task says what these are and
/// what it finds in them.
class AttackTask {
public:
    explicit AttackTask(const TaskInput& input)
        : m_evaluation(input.evaluation),
          m_options(m_evaluation.options),
          m_perturber(input.perturber),
          m_job(input.job) {
        m_results.cells.resize(m_evaluation.cells());
    }
    virtual ~AttackTask() = default;
    AttackTask(const AttackTask&) = delete;
    AttackTask& operator=(const AttackTask&) = delete;

    /// As attackTexts: first what has no setting, then every mechanism at some epsilons after the
    /// other.
    Result<attack::AttackResults> run(attack::Task task, const attack::ShowAttack& show);

protected:
    /// Chooses the documents, and fills what the results say beside findings.
    [[nodiscard]] virtual Result<void> prepare() = 0;
    /// What is released at every setting, after prepare().
    [[nodiscard]] virtual Pools pools() const = 0;
    [[nodiscard]] virtual Result<attack::Findings> onOriginal() = 0;
    /// On the original text, and on words that tell nothing.
    [[nodiscard]] virtual Result<void> attackBaselines() {
        ASSIGN_OR_RETURN(m_results.original, onOriginal());
        ASSIGN_OR_RETURN(m_results.floor, findingsAt(randomWords(), 0, {}));
        return {};
    }
    /// Epsilons that are released and attacked together, and that a cancelled run may lose
    /// together.
    [[nodiscard]] virtual std::size_t epsilonsAtOnce() const { return 1; }
    /// Share of the work on a mechanism that learn() does.
    [[nodiscard]] virtual double learningShare() const { return 0.0; }
    /// Learns a mechanism before it is attacked at some epsilons.
    [[nodiscard]] virtual Result<void> learn(const mechanism::Mechanism& /*mechanism*/,
                                             std::span<const double> /*epsilons*/,
                                             const JobContext& /*job*/) {
        return {};
    }
    /// What is found at one of the settings that the pools were released at: epsilons of the first
    /// mechanism, then those of the next.
    [[nodiscard]] virtual Result<attack::Findings> findingsAt(const ReleasedPools& released,
                                                              std::size_t setting,
                                                              const JobContext& job) = 0;

    /// The pools with random words in the place of all that are replaced.
    [[nodiscard]] ReleasedPools randomWords() const {
        ReleasedPools random;
        for (const corpus::DrawPool& pool : pools()) {
            random.push_back(m_perturber.uniform(pool));
        }
        return random;
    }
    [[nodiscard]] JobContext quietly() const { return {m_job.stop, {}}; }

    const Evaluation& m_evaluation;
    const EvaluationOptions& m_options;
    const corpus::Perturber& m_perturber;
    const JobContext& m_job;
    attack::AttackResults m_results{};

private:
    [[nodiscard]] Result<void> attackUnit(std::size_t unit, const attack::ShowAttack& show);
};

}  // namespace epsilens::evaluation
