#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/experiment/tokenised_documents.h"

namespace epsilens::experiment {

/// Documents that draw for themselves: those that play one role in one repeat.
struct DrawPool {
    /// Pools with different numbers share no draw; below 2^16.
    std::uint32_t number = 0;
    std::vector<std::int64_t> documents{};
};

/// The words of a pool, document after document, and where each replaced word stands.
class PoolWords {
public:
    PoolWords(const TokenisedDocuments& words, const DrawPool& pool);

    [[nodiscard]] std::size_t size() const { return m_places.size(); }
    /// Where word i of the pool stands among all words of the documents.
    [[nodiscard]] std::size_t place(std::size_t i) const { return m_places[i]; }
    /// Ends of the documents among the words of the pool, with a leading 0.
    [[nodiscard]] const std::vector<std::size_t>& starts() const { return m_starts; }
    /// Words of the pool that are replaced and have this row, in their order.
    [[nodiscard]] std::span<const std::uint32_t> occurrences(Row row) const;

private:
    std::vector<std::size_t> m_places{};
    std::vector<std::size_t> m_starts{0};
    std::vector<Row> m_rows{};                   ///< that occur, ascending
    std::vector<std::size_t> m_firstOfRow{};     ///< m_rows.size() + 1 offsets
    std::vector<std::uint32_t> m_occurrences{};  ///< grouped by row
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

}  // namespace epsilens::experiment
