#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/calibration/tem_run.h"
#include "core/corpus/share.h"
#include "core/corpus/tokenised_documents.h"
#include "core/engine/noise_series.h"
#include "core/engine/search_space.h"
#include "core/mechanism/mechanism.h"

namespace epsilens::corpus {

/// Documents that draw for themselves: those that play one role in one repeat.
struct DrawPool {
    /// Pools with different numbers share no draw; below 2^16.
    std::uint32_t number = 0;
    std::vector<std::size_t> documents{};
};

/// Words that share R draws.
struct DrawBlock {
    int draws = 100;  ///< R
    std::vector<Row> words{};
};

// As many as have room for their distances to 41,000 words (Perturber::kScratchBytes).
inline constexpr std::size_t kWordsPerBlock = 2048;

/// Blocks of all replaced words, a function of the documents alone: the commonest kWordsPerBlock
/// words, the next ones, and so on, words that are equally common by row.
///
///   R = 100 where no word of the block occurs oftener, else the next power of two after its
///   commonest one, at most 1,024.
///
/// A draw costs as much as the distances of a word, so that few blocks with many words are cheap.
[[nodiscard]] std::vector<DrawBlock> drawBlocks(const TokenisedDocuments& words);

/// Which draw each occurrence of a word takes: all R in random order, then again in another.
///
/// count  of the occurrences
[[nodiscard]] std::vector<std::uint16_t> drawOrder(std::uint64_t seed, std::uint32_t pool, Row row,
                                                   int draws, std::size_t count);

/// The released words of a pool of documents, for several settings.
struct PerturbedPool {
    /// One per setting, words of the pool each: rows of the vocabulary, kMasked or kDropped.
    std::vector<std::vector<Row>> outputs{};
    std::vector<std::size_t> starts{0};  ///< of the documents among the words, and the last end

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

    /// Bytes that perturb holds beside its result.
    static constexpr std::int64_t kScratchBytes = std::int64_t{464} << 20;

private:
    Perturber(const engine::SearchSpace& space, const TokenisedDocuments& words,
              const ReplacementPolicies& policies, std::uint64_t seed, int threads);

    /// A pool with what is drawn for it.
    struct Copy;

    /// A copy in which the words that the mechanism replaces still stand.
    [[nodiscard]] Copy unreplaced(const DrawPool& pool, std::size_t settings) const;
    [[nodiscard]] Result<void> drawNoise(std::vector<Copy>& copies,
                                         std::span<const double> epsilons,
                                         const JobContext& job) const;
    [[nodiscard]] Result<void> drawSelected(std::vector<Copy>& copies,
                                            std::span<const double> epsilons,
                                            const JobContext& job) const;

    const engine::SearchSpace& m_space;
    const TokenisedDocuments& m_words;
    const ReplacementPolicies& m_policies;
    std::uint64_t m_seed;
    int m_threads;
    std::vector<DrawBlock> m_blocks;
    engine::NoiseSeriesHandle m_series{};  ///< null for a mechanism that weighs words
    calibration::SelectionGrid m_selections{};
};

/// The texts of documents as a setting releases them: words in the case pattern of those that they
/// stand for, and all between them as it was. For study from a seed, never for release.
///
/// documents  those of the pool, in its order
/// policies   those that the documents were tokenised with
[[nodiscard]] std::vector<std::string> writeDocuments(const DataSet& data,
                                                      const embedding::Vocabulary& vocabulary,
                                                      const ReplacementPolicies& policies,
                                                      std::span<const std::size_t> documents,
                                                      const PerturbedPool& pool,
                                                      std::size_t setting, int threads = 0);

}  // namespace epsilens::corpus
