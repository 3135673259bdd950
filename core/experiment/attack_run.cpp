#include "core/experiment/attack_run.h"

#include <chrono>

#include "core/base/pass_on.h"
#include "core/experiment/audit_run.h"
#include "core/experiment/authorship_run.h"
#include "core/experiment/membership_run.h"
#include "core/experiment/reconstruction_run.h"

namespace epsilens::experiment {
namespace {

Result<AttackResults> attacked(Task task, const EvaluationParts& parts, const Perturber& perturber,
                               const JobContext& job, const ShowAttack& show) {
    switch (task) {
        case Task::reconstruct:
            return runReconstruction(parts, perturber, job, show);
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
                                const JobContext& job, const ShowAttack& show) {
    const auto start = std::chrono::steady_clock::now();
    ASSIGN_OR_RETURN(auto results, attacked(task, parts, perturber, job, show));
    results.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return results;
}

}  // namespace epsilens::experiment
