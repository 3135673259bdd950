#include "core/experiment/attack_task.h"

#include <algorithm>
#include <chrono>
#include <span>
#include <utility>

#include "core/base/crew.h"
#include "core/base/job_part.h"
#include "core/base/pass_on.h"

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

namespace {

// Share of the work on some epsilons that is perturbing, for the progress.
constexpr double kPerturbingShare = 0.2;

std::unique_ptr<AttackTask> taskOf(Task task, const EvaluationParts& parts,
                                   const Perturber& perturber, const JobContext& job,
                                   const ShowAttack& show) {
    switch (task) {
        case Task::reconstruct:
            return reconstruction(parts, perturber, job, show);
        case Task::membership:
            return membership(parts, perturber, job);
        case Task::authorship:
            return authorship(parts, perturber, job);
        case Task::audit:
            return audit(parts, perturber, job);
        case Task::classify:
            break;
    }
    return nullptr;
}

}  // namespace

Result<AttackResults> ReleaseAttack::run() {
    auto done = prepare();
    if (done) {
        done = attackAll();
    }
    if (!done && done.error().code != ErrorCode::cancelled) {
        return tl::unexpected(std::move(done.error()));
    }
    return std::move(m_results);
}

// First what has no setting, then every mechanism at some epsilons after the other.
Result<void> ReleaseAttack::attackAll() {
    const std::size_t epsilons = m_parts.options.grid.epsilons.size();
    const std::size_t atOnce = epsilonsAtOnce();
    const std::size_t units = 1 + (epsilons + atOnce - 1) / atOnce;
    return inUnits(
        m_parts.options.crew, static_cast<std::int64_t>(units),
        [&](std::int64_t unit) { return attackUnit(static_cast<std::size_t>(unit)); },
        [&](auto& archive, std::int64_t unit) {
            archive(m_results.sentences);
            if (unit == 0) {
                archive(m_results.original, m_results.floor);
            }
            for (std::size_t cell = 0; cell < m_results.cells.size(); ++cell) {
                if (static_cast<std::int64_t>(1 + cell % epsilons / atOnce) == unit) {
                    archive(m_results.cells[cell]);
                }
            }
        });
}

Result<void> ReleaseAttack::attackUnit(std::size_t unit) {
    if (unit == 0) {
        return attackBaselines();
    }
    const std::vector<double>& epsilons = m_parts.options.grid.epsilons;
    const std::size_t first = (unit - 1) * epsilonsAtOnce();
    const std::size_t count = std::min(epsilonsAtOnce(), epsilons.size() - first);
    const auto all = static_cast<double>(epsilons.size());
    const JobContext job =
        partOf(m_job, static_cast<double>(first) / all, static_cast<double>(first + count) / all);
    ASSIGN_OR_RETURN(const auto released,
                     m_perturber.perturb(pools(), std::span(epsilons).subspan(first, count),
                                         partOf(job, 0.0, kPerturbingShare)));
    return attackEpsilons(released, first, count, partOf(job, kPerturbingShare, 1.0));
}

Result<void> ReleaseAttack::attackEpsilons(const std::vector<PerturbedPool>& released,
                                           std::size_t first, std::size_t count,
                                           const JobContext& job) {
    const std::size_t settings = m_parts.mechanisms() * count;
    for (std::size_t setting = 0; setting < settings; ++setting) {
        const std::size_t cell =
            setting / count * m_parts.options.grid.epsilons.size() + first + setting % count;
        ASSIGN_OR_RETURN(m_results.cells[cell], findingsAt(released, setting));
        job.progress(static_cast<double>(setting + 1) / static_cast<double>(settings), "Attacking");
    }
    return {};
}

Result<Findings> ReleaseAttack::findingsAt(const std::vector<PerturbedPool>& /*released*/,
                                           std::size_t /*setting*/) {
    return fail(ErrorCode::internal, "a task without findings");
}

std::vector<PerturbedPool> ReleaseAttack::randomWords() const {
    std::vector<PerturbedPool> random;
    for (const DrawPool& pool : pools()) {
        random.push_back(m_perturber.uniform(pool));
    }
    return random;
}

Result<AttackResults> runAttack(Task task, const EvaluationParts& parts, const Perturber& perturber,
                                const JobContext& job, const ShowAttack& show) {
    const auto start = std::chrono::steady_clock::now();
    const std::unique_ptr<AttackTask> attack = taskOf(task, parts, perturber, job, show);
    ASSIGN_OR_RETURN(auto results, attack->run());
    results.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return results;
}

}  // namespace epsilens::experiment
