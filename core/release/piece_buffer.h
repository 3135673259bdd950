#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace epsilens::release {

/// Text that has been read and not yet been released, at most a fixed number of bytes. Gives it out
/// in whole lines; only a line that does not fit is cut, behind its last blank, where no word can
/// go on, and one without a blank between two characters.
class PieceBuffer {
public:
    /// capacity  bytes, at least 16
    explicit PieceBuffer(std::size_t capacity) : m_bytes(capacity, '\0') {}

    /// Where the next bytes go, and how many fit: at least one after each take.
    [[nodiscard]] char* freeSpace() { return m_bytes.data() + m_size; }
    [[nodiscard]] std::size_t freeBytes() const { return m_bytes.size() - m_size; }
    void grow(std::size_t bytes) { m_size += bytes; }

    /// The whole lines that are there, perhaps none.
    [[nodiscard]] std::string_view wholeLines() const;
    struct Piece {
        std::string_view text{};
        bool cutsWord = false;
    };
    /// What to release when the buffer is full: its whole lines, or the part of a line up to a cut.
    [[nodiscard]] Piece fullPiece() const { return pieceOf(all()); }
    /// The same of text that goes on.
    [[nodiscard]] static Piece pieceOf(std::string_view text);
    /// All of it, at the end of the text.
    [[nodiscard]] std::string_view all() const { return {m_bytes.data(), m_size}; }
    /// Forgets the first bytes, which views then no longer hold.
    void drop(std::size_t bytes);

private:
    std::string m_bytes;
    std::size_t m_size = 0;
};

}  // namespace epsilens::release
