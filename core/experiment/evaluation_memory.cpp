#include "core/experiment/evaluation_memory.h"

#include <algorithm>

#include "core/base/parallel.h"
#include "core/experiment/attack/context_attack.h"
#include "core/experiment/attack/evidence.h"
#include "core/io/memory_limit.h"

namespace epsilens::experiment {
namespace {

// Of a model in training and its documents, per word of a training document.
constexpr double kBytesPerTrainedToken = 64.0;

/// What the attackers who guess words hold, beside the text.
double bytesOfGuessing(const EvaluationParts& parts, int threads) {
    // Evidence, and of each thread the products of a block of tokens and the laws of their states.
    const Row words = parts.space.embedding().wordCount();
    const double row = sizeof(float) * static_cast<double>(words);
    const double scratch =
        std::min(row * static_cast<double>(kAttackedWords),
                 static_cast<double>(kSharedEvidenceBytes)) +
        3.0 * row * static_cast<double>(Evidence::observationsAtOnce(words)) * threads;
    // Sums and totals of kernels, of every setting and of the rates that are tried.
    constexpr double kBytesOfKernel = sizeof(std::int64_t) + 2.0 * sizeof(float);
    constexpr double kTried = 24.0;
    const double kernels = kTried + static_cast<double>(parts.options.grid.epsilons.size());
    return scratch + kBytesOfKernel * static_cast<double>(words) * kernels;
}

}  // namespace

Result<void> checkMemory(const EvaluationParts& parts) {
    const EvaluationOptions& options = parts.options;
    const int threads = options.threads > 0 ? std::min(options.threads, defaultThreadCount())
                                            : defaultThreadCount();
    const auto outputs =
        static_cast<double>(parts.perturbedTokens() * Perturber::bytesPerOutput() *
                            static_cast<std::int64_t>(parts.epsilonsAtOnce() * parts.mechanisms()) *
                            parts.repeatsTogether());
    const double bytes = outputs + static_cast<double>(Perturber::kScratchBytes) +
                         static_cast<double>(parts.tokensOf(parts.splits.front().training)) *
                             kBytesPerTrainedToken * threads +
                         (options.has(Task::reconstruct) ? bytesOfGuessing(parts, threads) : 0.0);
    return io::MemoryBudget(0).check(bytes, "the perturbed copies and the models",
                                     "ask for fewer settings, or use fewer documents");
}

}  // namespace epsilens::experiment
