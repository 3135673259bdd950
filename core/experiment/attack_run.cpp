#include "core/experiment/attack_run.h"

#include <chrono>

#include "core/base/pass_on.h"
#include "core/experiment/audit_run.h"
#include "core/experiment/authorship_run.h"
#include "core/experiment/membership_run.h"
#include "core/experiment/reconstruction_run.h"

namespace epsilens::experiment {
namespace {

// Of one thread in the attackers on words.
constexpr double kMultiplicationsPerSecond = 1.2e10;
// Of one thread in the other attackers: a word in all rounds of the search for its author, a word
// that is written or learned from, a word that is ranked by the models of an audit, and a document
// that the attackers on members score and resample.
constexpr double kSecondsPerAttributedWord = 6.4e-6;
constexpr double kSecondsPerWord = 3.0e-6;
constexpr double kSecondsPerAuditedWord = 1.0e-5;
constexpr double kSecondsPerScoredDocument = 3.0e-4;
// Conditions without noise that every attack is tried on.
constexpr std::size_t kControls = 2;

Result<AttackResults> attacked(Task task, const EvaluationParts& parts, const Perturber& perturber,
                               const JobContext& job) {
    switch (task) {
        case Task::reconstruct:
            return runReconstruction(parts, perturber, job);
        case Task::membership:
            return runMembership(parts, perturber, job);
        case Task::authorship:
            return runAuthorship(parts, perturber, job);
        case Task::audit:
            return runAudit(parts, perturber, job);
        case Task::classify:
            break;
    }
    return fail(ErrorCode::internal, "not a task that attacks");
}

}  // namespace

Result<AttackResults> runAttack(Task task, const EvaluationParts& parts, const Perturber& perturber,
                                const JobContext& job) {
    const auto start = std::chrono::steady_clock::now();
    ASSIGN_OR_RETURN(auto results, attacked(task, parts, perturber, job));
    results.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return results;
}

double attackSeconds(Task task, const EvaluationParts& parts) {
    const DocumentSplit& split = parts.splits.front();
    const auto test = static_cast<double>(parts.tokensOf(split.test));
    const auto all = test + static_cast<double>(parts.tokensOf(split.training));
    const auto conditions = static_cast<double>(parts.cells() + kControls);
    switch (task) {
        case Task::reconstruct:
            return reconstructionWork(parts) / kMultiplicationsPerSecond;
        case Task::authorship:
            return conditions * (2.0 * test * kSecondsPerAttributedWord + all * kSecondsPerWord);
        case Task::audit:
            return conditions * all * kSecondsPerAuditedWord;
        case Task::membership:
            return conditions * static_cast<double>(parts.options.repeats) *
                   static_cast<double>(parts.options.classifiers.size()) *
                   (all * kSecondsPerWord +
                    static_cast<double>(split.training.size() + split.test.size()) *
                        kSecondsPerScoredDocument);
        case Task::classify:
            break;
    }
    return 0.0;
}

}  // namespace epsilens::experiment
