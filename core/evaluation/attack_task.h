#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "core/attack/findings.h"
#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/corpus/perturber.h"
#include "core/evaluation/evaluation_parts.h"

namespace epsilens::evaluation {

/// Numbers of the pools of draws that attacks use, above those of the repeats of a classification
/// and below 2^16. See DrawPool.
inline constexpr std::uint32_t kAttackedTextPool = 40'000;
inline constexpr std::uint32_t kKnownTextsPool = 41'003;
inline constexpr std::uint32_t kUnknownTextsPool = 41'004;
inline constexpr std::uint32_t kAuditPool = 41'005;
inline constexpr std::uint32_t kTargetPool = 42'000;  ///< and one for each further repeat
inline constexpr std::uint32_t kShadowPool = 44'000;  ///< likewise

/// What a task has at hand.
struct TaskInput {
    const EvaluationParts& parts;
    const corpus::Perturber& perturber;
    const JobContext& job;
};

/// Learns from the texts of every condition and fills what a summary says of that, as far as it
/// came.
///
/// show  called after each repeat, when the summary holds it; may be empty
[[nodiscard]] Result<void> classify(const TaskInput& input, EvaluationSummary& summary,
                                    const std::function<void()>& show);

/// A task that attacks the documents of an evaluation at every setting of its grid. Its findings at
/// a setting follow from one released copy of each of its pools: a task says what these are and
/// what it finds in them.
class AttackTask {
public:
    virtual ~AttackTask() = default;
    AttackTask(const AttackTask&) = delete;
    AttackTask& operator=(const AttackTask&) = delete;

    /// A cancelled run returns what was found before, and nothing for the other settings.
    ///
    /// show  called with the results after each setting; may be empty
    [[nodiscard]] Result<attack::AttackResults> run(attack::Task task,
                                                    const attack::ShowAttack& show);

protected:
    explicit AttackTask(const TaskInput& input)
        : m_parts(input.parts), m_perturber(input.perturber), m_job(input.job) {
        m_results.cells.resize(m_parts.cells());
    }

    /// Chooses the documents, and fills what the results say beside findings.
    [[nodiscard]] virtual Result<void> prepare() = 0;
    /// What is released at every setting, after prepare().
    [[nodiscard]] virtual std::vector<corpus::DrawPool> pools() const = 0;
    /// On the original text, and on words that tell nothing.
    [[nodiscard]] virtual Result<void> attackBaselines() = 0;
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
    [[nodiscard]] virtual Result<attack::Findings> findingsAt(
        const std::vector<corpus::PerturbedPool>& released, std::size_t setting,
        const JobContext& job) = 0;
    /// The pools with random words in the place of all that are replaced.
    [[nodiscard]] std::vector<corpus::PerturbedPool> randomWords() const;

    const EvaluationParts& m_parts;
    const corpus::Perturber& m_perturber;
    const JobContext& m_job;
    attack::AttackResults m_results{};

private:
    [[nodiscard]] Result<void> attackUnit(std::size_t unit, const attack::ShowAttack& show);
};

/// Attacks the test documents of the first split, each a line of its own: how often are their
/// words guessed? By guessWords in the views of AttackerView.
[[nodiscard]] std::unique_ptr<AttackTask> reconstruction(const TaskInput& input);

/// Infers which texts a classifier was trained on. The target learns from released texts of one
/// half of the training documents, the shadow from those of one half of the test documents; every
/// repeat halves both by seed. Fails with unsupported where a half would have no documents of two
/// classes.
[[nodiscard]] std::unique_ptr<AttackTask> membership(const TaskInput& input);

/// Asks for the author of each test document from its released text, by the training documents of
/// the first split: these as they were, and in the adaptive case released in the same way. Fails
/// with unsupported where fewer than two authors have training documents, or no test document is by
/// one of them.
[[nodiscard]] std::unique_ptr<AttackTask> authorship(const TaskInput& input);

/// Audits a language model of released texts: is it found out whose texts it was trained on? All
/// documents with an author take part, whatever their split. Fails with unsupported where too few
/// authors have documents for two users.
[[nodiscard]] std::unique_ptr<AttackTask> audit(const TaskInput& input);

}  // namespace epsilens::evaluation
