#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace epsilens::embedding {

/// Row of a word in the embedding, 0-based.
using Row = std::int32_t;

/// The words of an embedding in row order; each word occurs once.
class Vocabulary {
public:
    /// Appends a word and returns its row; nothing and no change if the word is already there.
    std::optional<Row> add(std::string_view word);
    void reserve(std::int64_t words, std::int64_t bytes);

    /// Memory taken, in bytes.
    [[nodiscard]] double bytesHeld() const;

    [[nodiscard]] std::int64_t size() const { return std::ssize(m_ends); }
    /// The word of a row in [0, size()), as UTF-8. Valid until the next add.
    [[nodiscard]] std::string_view word(Row row) const;
    [[nodiscard]] std::optional<Row> find(std::string_view word) const;

private:
    [[nodiscard]] std::size_t slotOf(std::string_view word) const;
    void grow(std::size_t slots);

    std::string m_text;                 ///< all words, one after the other
    std::vector<std::uint64_t> m_ends;  ///< end of each word in m_text
    std::vector<Row> m_slots;           ///< open addressing hash table of rows, -1 where empty
};

}  // namespace epsilens::embedding
