#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "core/attack/context_attack.h"
#include "core/base/job_context.h"
#include "core/base/parallel.h"
#include "core/base/pass_on.h"
#include "core/evaluation/attack_task.h"
#include "core/io/memory_limit.h"
#include "core/mechanism/prepared_mechanism.h"

namespace epsilens::evaluation {
namespace {

constexpr std::array kAttacks{std::pair(attack::Task::reconstruct, &reconstruction),
                              std::pair(attack::Task::membership, &membership),
                              std::pair(attack::Task::authorship, &authorship),
                              std::pair(attack::Task::audit, &audit)};

/// What the attackers who guess words hold, beside the text.
double bytesOfGuessing(const EvaluationParts& parts, int threads) {
    // Evidence, and of each thread the products of a block of tokens and the laws of their states.
    const embedding::Row words = parts.space.embedding().wordCount();
    const double row = sizeof(float) * static_cast<double>(words);
    const double scratch =
        std::min(row * static_cast<double>(kAttackedWords),
                 static_cast<double>(attack::kSharedEvidenceBytes)) +
        3.0 * row * static_cast<double>(attack::observationsAtOnce(words)) * threads;
    // Sums and totals of kernels, of every setting and of the rates that are tried.
    constexpr double kBytesOfKernel = sizeof(std::int64_t) + 2.0 * sizeof(float);
    constexpr double kTried = 24.0;
    const double kernels = kTried + static_cast<double>(parts.options.grid.epsilons.size());
    return scratch + kBytesOfKernel * static_cast<double>(words) * kernels;
}

/// Fails with resourceLimit when copies and models need more memory than is free.
Result<void> checkMemory(const EvaluationParts& parts) {
    // Of a model in training and its documents, per word of a training document.
    constexpr double kBytesPerTrainedToken = 64.0;
    const EvaluationOptions& options = parts.options;
    const int threads = options.threads > 0 ? std::min(options.threads, defaultThreadCount())
                                            : defaultThreadCount();
    const auto outputs =
        static_cast<double>(parts.bytesOfCopies(parts.epsilonsAtOnce() * parts.mechanisms())) *
        parts.repeatsTogether();
    const double bytes =
        outputs + static_cast<double>(corpus::Perturber::kScratchBytes) +
        static_cast<double>(parts.tokensOf(parts.splits.front().training)) * kBytesPerTrainedToken *
            threads +
        (options.has(attack::Task::reconstruct) ? bytesOfGuessing(parts, threads) : 0.0);
    return io::MemoryBudget(0).check(bytes, "the perturbed copies and the models",
                                     "ask for fewer settings, or use fewer documents");
}

/// The settings of the grid, with what each promises.
Result<void> describeSettings(const EvaluationParts& parts, EvaluationSummary& summary) {
    const mechanism::Grid& grid = parts.options.grid;
    for (const mechanism::Mechanism& mechanism : grid.mechanisms()) {
        ASSIGN_OR_RETURN(const auto prepared,
                         mechanism::PreparedMechanism::create(parts.space.handle(), mechanism));
        for (const double epsilon : grid.epsilons) {
            ASSIGN_OR_RETURN(auto guarantee, prepared.guarantee(epsilon));
            summary.guarantees.push_back(std::move(guarantee));
            summary.cells.push_back({epsilon, mechanism.lambda(), prepared.gammaAt(epsilon),
                                     mechanism.hasRadius() && grid.gammas.empty()
                                         ? mechanism.parameters().beta
                                         : std::nullopt});
        }
    }
    return {};
}

}  // namespace

Result<EvaluationSummary> Evaluation::run(const JobContext& job, const ShowSummary& show) const {
    const EvaluationOptions& options = m_parts->options;
    RETURN_IF_ERROR(checkMemory(*m_parts));
    ASSIGN_OR_RETURN(const auto perturber,
                     corpus::Perturber::create(m_parts->space, *m_parts->words, options.policies,
                                               options.grid, options.seed, options.threads));
    EvaluationSummary summary{options, m_parts->description};
    summary.options.crew = nullptr;
    RETURN_IF_ERROR(describeSettings(*m_parts, summary));
    const bool isShown = show && options.crew == nullptr;
    const auto showSoFar = [&](EvaluationSummary soFar) {
        soFar.partial = true;
        show(soFar);
    };
    const auto isReached = [](const auto& cell) { return cell.has_value(); };
    const auto tasks = static_cast<double>(options.tasks.size());
    for (std::size_t i = 0; i < options.tasks.size() && !summary.partial; ++i) {
        const auto place = static_cast<double>(i);
        const JobContext part = partOf(job, place / tasks, (place + 1.0) / tasks);
        const TaskInput input{*m_parts, *perturber, part};
        const attack::Task task = options.tasks[i];
        if (task == attack::Task::classify) {
            RETURN_IF_ERROR(
                classify(input, summary,
                         isShown ? std::function<void()>([&] { showSoFar(summary); }) : nullptr));
        } else {
            const auto showAttack = [&](const attack::AttackResults& soFar) {
                EvaluationSummary with = summary;
                with.attacks.push_back(soFar);
                showSoFar(std::move(with));
            };
            const auto* const found =
                std::ranges::find(kAttacks, task, [](const auto& attack) { return attack.first; });
            ASSIGN_OR_RETURN(auto results, found->second(input)->run(
                                               task, isShown ? attack::ShowAttack(showAttack)
                                                             : attack::ShowAttack()));
            summary.partial = !std::ranges::all_of(results.cells, isReached);
            summary.attacks.push_back(std::move(results));
        }
        if (isShown && i + 1 < options.tasks.size()) {
            showSoFar(summary);
        }
    }
    const auto isEmpty = [&](const attack::AttackResults& attack) {
        return std::ranges::none_of(attack.cells, isReached);
    };
    if (summary.partial && summary.repeats == 0 && std::ranges::all_of(summary.attacks, isEmpty)) {
        return fail(ErrorCode::cancelled, "cancelled");
    }
    return summary;
}

}  // namespace epsilens::evaluation
