#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/engine/metric_space.h"
#include "core/engine/noise_series.h"
#include "core/engine/search_space.h"
#include "core/experiment/attack/share.h"
#include "core/experiment/pool_words.h"
#include "core/experiment/tokenised_documents.h"
#include "core/mechanism/grid.h"
#include "core/mechanism/truncated_exponential.h"

namespace epsilens::experiment {

/// The released words of a pool of documents, for several settings.
struct PerturbedPool {
    /// One per setting, words of the pool each: rows of the vocabulary, kMasked or kDropped.
    std::vector<std::vector<Row>> outputs{};
    std::vector<std::size_t> starts{};  ///< of the documents, as PoolWords::starts

    /// The released words of a document, by its place in the pool.
    [[nodiscard]] std::span<const Row> document(std::size_t setting, std::size_t index) const {
        return std::span(outputs[setting])
            .subspan(starts[index], starts[index + 1] - starts[index]);
    }
};

/// Makes perturbed copies of documents, fast: words share draws as in a calibration, see
/// perturbed_copies.md. For study from a seed, never for release.
///
/// Each word's output has the law of the mechanism. A word's outputs are independent within a pool
/// as long as it occurs at most R times, and between pools always; different words of one document
/// may share a draw. What comes out depends on the documents, the setting, the seed and the number
/// of the pool alone.
class Perturber {
public:
    /// space, words and policies must outlive this object. Fails as the mechanism does on the
    /// embedding.
    [[nodiscard]] static Result<std::unique_ptr<Perturber>> create(
        const engine::SearchSpace& space, const TokenisedDocuments& words,
        const ReplacementPolicies& policies, const mechanism::Grid& grid, std::uint64_t seed,
        int threads = 0);

    /// Settings are the mechanisms of the grid times the epsilons, all epsilons of the first one
    /// first.
    ///
    /// epsilons  some of the grid
    /// Fails with cancelled.
    [[nodiscard]] Result<std::vector<PerturbedPool>> perturb(std::span<const DrawPool> pools,
                                                             std::span<const double> epsilons,
                                                             const JobContext& job = {}) const;

    /// Copies without noise: known words stay, and the policy for the others holds. The bound of
    /// what a setting can reach. One setting.
    [[nodiscard]] PerturbedPool unperturbed(const DrawPool& pool) const;
    /// Copies in which each word that would be replaced is any of the vocabulary, all equally
    /// likely. One setting.
    [[nodiscard]] PerturbedPool uniform(const DrawPool& pool) const;

    /// Which draws the words of a pool take, from 0 over all blocks, -1 for words that are not
    /// replaced; empty where no words share draws.
    [[nodiscard]] SharedDraws drawsOf(const DrawPool& pool) const;

    /// Bytes that perturb holds for each word of a pool and each setting, and beside them.
    [[nodiscard]] static constexpr std::int64_t bytesPerOutput() { return sizeof(Row); }
    static constexpr std::int64_t kScratchBytes = std::int64_t{464} << 20;

private:
    class NoiseRun;
    struct Selection {
        std::size_t space = 0;  ///< index into m_metricSpaces
        mechanism::Truncation truncation;
    };

    Perturber(const engine::SearchSpace& space, const TokenisedDocuments& words,
              const ReplacementPolicies& policies, std::uint64_t seed, int threads);

    /// Words whose searches share a set of draws.
    [[nodiscard]] std::int64_t wordsAtOnce() const;
    [[nodiscard]] Result<void> prepareSelections(const mechanism::Grid& grid);
    [[nodiscard]] PerturbedPool withoutReplaced(const PoolWords& words, std::uint32_t pool,
                                                std::size_t settings) const;
    [[nodiscard]] Result<void> drawNoise(std::span<const DrawPool> pools,
                                         const std::vector<PoolWords>& words,
                                         std::span<const double> epsilons,
                                         std::vector<PerturbedPool>& result,
                                         const JobContext& job) const;
    [[nodiscard]] Result<void> drawSelected(std::span<const DrawPool> pools,
                                            const std::vector<PoolWords>& words,
                                            std::span<const double> epsilons,
                                            std::vector<PerturbedPool>& result,
                                            const JobContext& job) const;

    const engine::SearchSpace& m_space;
    const TokenisedDocuments& m_words;
    const ReplacementPolicies& m_policies;
    std::uint64_t m_seed;
    int m_threads;
    std::vector<DrawBlock> m_blocks;
    engine::NoiseSeriesHandle m_series{};  ///< null for a mechanism that weighs words
    std::vector<engine::MetricSpace> m_metricSpaces{};
    std::vector<Selection> m_selections{};  ///< one per mechanism of the grid
};

}  // namespace epsilens::experiment
