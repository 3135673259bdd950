#pragma once

#include <algorithm>
#include <cstdint>

namespace epsilens::release {

/// Line ends and replaced words of a piece of text, so that pieces can be joined.
struct LineTally {
    std::int64_t lineEnds = 0;
    std::int64_t beforeFirst = 0;  ///< words up to the first line end; all when there is none
    std::int64_t mostBetween = 0;  ///< words of a line that begins and ends in the piece
    std::int64_t afterLast = 0;    ///< words behind the last line end; unused when there is none

    void addWord() { ++(lineEnds == 0 ? beforeFirst : afterLast); }
    void addLineEnd() {
        if (lineEnds++ > 0) {
            mostBetween = std::max(mostBetween, afterLast);
        }
        afterLast = 0;
    }
};

/// Joins pieces in the order of the text.
class LineCounter {
public:
    void add(const LineTally& piece) {
        m_open += piece.beforeFirst;
        m_most = std::max(m_most, m_open);
        if (piece.lineEnds > 0) {
            m_most = std::max({m_most, piece.mostBetween, piece.afterLast});
            m_open = piece.afterLast;
        }
    }
    /// Most words in a line, one that has not ended yet included.
    [[nodiscard]] std::int64_t most() const { return m_most; }

private:
    std::int64_t m_open = 0;
    std::int64_t m_most = 0;
};

}  // namespace epsilens::release
