#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/embedding/vocabulary.h"

namespace epsilens::release {

using embedding::Row;

/// Draws each distinct word of a document once: of a line of text, or a record of a table. What
/// that costs is derived in release.md.
class ConsistentWords {
public:
    using Draw = std::function<void(std::span<const Row> words, std::span<Row> outputs)>;

    /// outputs[i] stands for words[i]. Words may go on in the document in which the last ones were.
    ///
    /// documents  number of the document of each word, never falling
    void replace(std::span<const Row> words, std::span<const std::int64_t> documents,
                 std::span<Row> outputs, const Draw& draw);

    /// Words drawn so far: of each document the distinct ones.
    [[nodiscard]] std::int64_t drawn() const { return m_drawnCount; }
    /// The most of a document.
    [[nodiscard]] std::int64_t mostDrawn() const { return m_most; }

private:
    std::int64_t m_document = -1;                     ///< the last one
    std::unordered_map<Row, std::size_t> m_places{};  ///< of its words in m_outputs
    std::vector<Row> m_outputs{};
    std::int64_t m_drawnCount = 0;
    std::int64_t m_most = 0;
};

}  // namespace epsilens::release
