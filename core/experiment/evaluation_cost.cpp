#include "core/experiment/evaluation_cost.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/base/parallel.h"
#include "core/base/pass_on.h"
#include "core/experiment/attack/context_attack.h"
#include "core/experiment/attack/evidence.h"
#include "core/experiment/attack/learned_attack.h"
#include "core/experiment/attack/model_audit.h"
#include "core/experiment/attack_run.h"
#include "core/experiment/membership_run.h"
#include "core/experiment/perturbing_trial.h"
#include "core/experiment/reconstruction_run.h"
#include "core/io/memory_limit.h"

namespace epsilens::experiment {
namespace {

// Of a model in training and its documents, per word of a training document.
constexpr double kBytesPerTrainedToken = 64.0;

// Words of the documents of a small run: a quarter of all, within these bounds.
constexpr std::int64_t kFewestTrialTokens = 4'000;
constexpr std::int64_t kMostTrialTokens = 40'000;
// Of few texts the search for authors counts nearly all pieces of words, of many only the
// commonest.
constexpr std::int64_t kMostAuthoredTokens = 160'000;
// How much smaller the smaller run of a pair is.
constexpr std::int64_t kSmaller = 4;

int threadsUsed(int threads) {
    return std::min(threads > 0 ? threads : defaultThreadCount(), defaultThreadCount());
}

std::vector<std::int64_t> everyNth(const std::vector<std::int64_t>& documents, std::int64_t step) {
    std::vector<std::int64_t> some;
    std::copy_if(documents.begin(), documents.end(), std::back_inserter(some),
                 [&](std::int64_t document) { return document % step == 0; });
    return some;
}

/// What the attackers who guess words hold, beside the text.
double bytesOfGuessing(const EvaluationParts& parts) {
    // Evidence, and of each thread the distances of a block of tokens, their likelihoods and those
    // of states.
    const Row words = parts.space.embedding().wordCount();
    const double row = sizeof(float) * static_cast<double>(words);
    const double scratch = std::min(row * static_cast<double>(kAttackedWords),
                                    static_cast<double>(kSharedEvidenceBytes)) +
                           3.0 * row * static_cast<double>(Evidence::observationsAtOnce(words)) *
                               threadsUsed(parts.options.threads);
    if (parts.options.grid.mechanism.isExact()) {
        return scratch;
    }
    const auto settings = std::min(kSettingsAtOnce, parts.options.grid.epsilons.size());
    return scratch + static_cast<double>(words) * static_cast<double>(settings) * bytesOfLearning();
}

/// Whether a task has repeats, whose settings are shared among the threads. A trial has too few
/// settings for that and takes one thread.
bool isRepeated(Task task) {
    return task == Task::classify || task == Task::membership;
}

/// A task alone, without settings, on every step-th document.
EvaluationParts thinned(const EvaluationParts& parts, Task task, std::int64_t step) {
    const DocumentSplit& split = parts.splits.front();
    EvaluationParts some{parts.space,
                         parts.data,
                         parts.options,
                         parts.words.everyNth(step),
                         {{everyNth(split.training, step), everyNth(split.test, step)}}};
    some.options.tasks = {task};
    some.options.crew = nullptr;
    some.options.grid.epsilons.clear();
    // The figures of one repeat alone are resampled, those of several are not.
    some.options.repeats = std::min(parts.options.repeats, 2);
    some.splits.resize(static_cast<std::size_t>(some.options.repeats), some.splits.front());
    if (isRepeated(task)) {
        some.options.threads = 1;
    }
    return some;
}

/// What one repeat of a task takes but for the perturbing, on all the threads of the options.
Result<double> secondsOf(Task task, const EvaluationParts& parts, const JobContext& job) {
    if (task == Task::classify) {
        ASSIGN_OR_RETURN(const auto summary, runEvaluation(parts, {}, job));
        return summary.classifySeconds / parts.options.repeats;
    }
    ASSIGN_OR_RETURN(
        const auto perturber,
        Perturber::create(parts.space, parts.words, parts.options.policies, parts.options.grid,
                          parts.options.seed, parts.options.threads));
    ASSIGN_OR_RETURN(const auto results, runAttack(task, parts, *perturber, job));
    return results.seconds / (isRepeated(task) ? parts.options.repeats : 1);
}

class CostEstimate {
public:
    CostEstimate(const EvaluationParts& parts, const JobContext& job)
        : m_parts(parts),
          m_options(parts.options),
          m_job{job.stop, {}},
          m_perturbing(parts, m_job),
          m_learned(parts.tokensOf(parts.splits.front().training)),
          m_tested(parts.tokensOf(parts.splits.front().test)) {}

    [[nodiscard]] Result<double> secondsOfTask(Task task) {
        switch (task) {
            case Task::classify:
                return sumOf(withoutSettings(task, kBaselines),
                             perturbing(m_parts.perturbedTokens(), m_options.perturbTest ? 2 : 1,
                                        {m_options.repeats, m_parts.repeatGroups()},
                                        m_parts.epsilonsAtOnce()));
            case Task::membership:
                return sumOf(withoutSettings(task, 2.0),
                             perturbing((m_learned + m_tested) / 2, 2,
                                        {m_options.repeats, m_options.repeats},
                                        std::min(kMembershipEpsilons, m_parts.epsilonsAtOnce())));
            case Task::authorship:
                // Who perturbs his own texts has nothing to attack in original ones.
                return sumOf(withoutSettings(task, 1.5),
                             perturbing(m_learned + m_tested, 2, {}, 1));
            case Task::audit: {
                // Two settings and the shadow models of the naive auditor.
                const double shadows = AuditOptions{}.shadowModels;
                return sumOf(withoutSettings(task, 2.0 + shadows / (1.0 + shadows)),
                             perturbing(m_parts.words.tokens(), 1, {}, 1));
            }
            case Task::reconstruct:
                return reconstruction();
        }
        return 0.0;
    }

private:
    static Result<double> sumOf(const Result<double>& first, const Result<double>& second) {
        return first && second ? Result<double>(*first + *second) : first ? second : first;
    }

    [[nodiscard]] Result<double> perturbing(std::int64_t tokens, int pools, PerturbingTimes times,
                                            std::size_t epsilonsAtOnce) {
        return m_perturbing.seconds({m_parts.words, tokens, pools, times,
                                     std::min(epsilonsAtOnce, m_options.grid.epsilons.size())});
    }

    /// A run without settings on every step-th document.
    struct Trial {
        std::int64_t step = 1;
        std::int64_t tokens = 0;
        double seconds = 0.0;
    };

    [[nodiscard]] Result<Trial> tryOn(Task task, std::int64_t step) const {
        const EvaluationParts some = thinned(m_parts, task, step);
        ASSIGN_OR_RETURN(const double seconds, secondsOf(task, some, m_job));
        if (m_job.stopRequested()) {
            return fail(ErrorCode::cancelled, "cancelled");
        }
        return Trial{step, some.words.tokens(), seconds};
    }

    /// On more documents where those have too few classes or authors.
    [[nodiscard]] Result<Trial> tryOnEnough(Task task, std::int64_t step) const {
        auto trial = tryOn(task, step);
        while (!trial && trial.error().code != ErrorCode::cancelled && step > 1) {
            step = std::max<std::int64_t>(1, step / kSmaller);
            trial = tryOn(task, step);
        }
        return trial;
    }

    /// A task but for the perturbing, from two runs without settings: linear in the words.
    ///
    /// settings  that a run without settings is worth
    [[nodiscard]] Result<double> withoutSettings(Task task, double settings) const {
        const std::int64_t all = m_parts.words.tokens();
        const std::int64_t most = task == Task::authorship ? kMostAuthoredTokens : kMostTrialTokens;
        ASSIGN_OR_RETURN(
            const Trial large,
            tryOnEnough(task, std::max<std::int64_t>(
                                  1, all / std::clamp(all / kSmaller, kFewestTrialTokens, most))));
        const auto small = large.step > 1 ? tryOn(task, large.step * kSmaller) : Result<Trial>();
        const double perWord =
            small && small->tokens < large.tokens
                ? std::max(0.0, large.seconds - small->seconds) /
                      static_cast<double>(large.tokens - small->tokens)
                : large.seconds / static_cast<double>(std::max<std::int64_t>(1, large.tokens));
        const double whole = large.seconds + perWord * static_cast<double>(all - large.tokens);
        const int repeats = isRepeated(task) ? m_options.repeats : 1;
        const int threads = isRepeated(task) ? threadsUsed(m_options.threads) : 1;
        return whole * repeats / threads * (settings + static_cast<double>(m_parts.cells())) /
               settings;
    }

    [[nodiscard]] Result<double> reconstruction() {
        ASSIGN_OR_RETURN(const ReconstructionTrial trial, tryReconstruction(m_parts, m_job));
        ASSIGN_OR_RETURN(double seconds,
                         perturbing(std::min(m_tested, kAttackedWords), 1, {},
                                    m_options.grid.epsilons.size()));
        if (!trial.learning.empty()) {
            const auto words = TokenisedDocuments::ofWords(trial.learning);
            ASSIGN_OR_RETURN(const double learning,
                             m_perturbing.seconds({words,
                                                   words.tokens(),
                                                   static_cast<int>(trial.learning.size()),
                                                   {},
                                                   m_options.grid.epsilons.size()}));
            seconds += learning;
        }
        return seconds + trial.seconds;
    }

    const EvaluationParts& m_parts;
    const EvaluationOptions& m_options;
    JobContext m_job;
    PerturbingTrial m_perturbing;
    std::int64_t m_learned;  ///< words of the training documents
    std::int64_t m_tested;   ///< and of the test documents
};

}  // namespace

Result<EvaluationCost> estimateCost(const EvaluationParts& parts, const JobContext& job) {
    const EvaluationOptions& options = parts.options;
    const auto cells = static_cast<std::int64_t>(parts.cells());
    EvaluationCost cost;
    if (options.has(Task::classify)) {
        cost.models = (cells + static_cast<std::int64_t>(kBaselines)) *
                      static_cast<std::int64_t>(options.classifiers.size()) * options.repeats;
        cost.substitutions = parts.perturbedTokens() * cells * options.repeats;
    }
    const auto outputs =
        static_cast<double>(parts.perturbedTokens() * Perturber::bytesPerOutput() *
                            static_cast<std::int64_t>(parts.epsilonsAtOnce() * parts.mechanisms()) *
                            parts.repeatsTogether());
    const double bytes = outputs + static_cast<double>(Perturber::kScratchBytes) +
                         static_cast<double>(parts.tokensOf(parts.splits.front().training)) *
                             kBytesPerTrainedToken * threadsUsed(options.threads) +
                         (options.has(Task::reconstruct) ? bytesOfGuessing(parts) : 0.0);
    cost.bytes = static_cast<std::uint64_t>(bytes);
    RETURN_IF_ERROR(io::MemoryBudget(0).check(bytes, "the perturbed copies and the models",
                                              "ask for fewer settings, or use fewer documents"));
    CostEstimate estimate(parts, job);
    for (const Task task : options.tasks) {
        ASSIGN_OR_RETURN(const double seconds, estimate.secondsOfTask(task));
        cost.taskSeconds.push_back(seconds);
        cost.seconds += seconds;
    }
    return cost;
}

}  // namespace epsilens::experiment
