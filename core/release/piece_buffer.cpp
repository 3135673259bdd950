#include "core/release/piece_buffer.h"

#include <algorithm>

#include "core/text/characters.h"

namespace epsilens::release {
namespace {

/// A place near the end of text that goes on where a character begins that no earlier one needs:
/// neither a continuation byte nor a mark, which alone would pass for punctuation. The end itself
/// where there is none.
std::size_t placeToCut(std::string_view text) {
    constexpr std::size_t kFarthest = 256;
    const std::size_t farthest = text.size() - std::min(kFarthest, text.size() - 1);
    for (std::size_t at = text.size() - 1; at >= farthest; --at) {
        const bool begins = (static_cast<unsigned char>(text[at]) & 0xC0U) != 0x80U;
        if (begins &&
            text::characterClass(text::decode(text, at).codePoint) != text::CharacterClass::mark) {
            return at;
        }
    }
    return text.size();
}

std::string_view linesOf(std::string_view text) {
    return text.substr(0, text.rfind('\n') + 1);  // npos + 1 is 0
}

}  // namespace

std::string_view PieceBuffer::wholeLines() const {
    return linesOf(all());
}

PieceBuffer::Piece PieceBuffer::pieceOf(std::string_view text) {
    if (const std::string_view lines = linesOf(text); !lines.empty()) {
        return {lines, false};
    }
    const std::size_t blank = text.find_last_of(" \t");
    if (blank != std::string_view::npos) {
        return {text.substr(0, blank + 1), false};
    }
    return {text.substr(0, placeToCut(text)), true};
}

void PieceBuffer::drop(std::size_t bytes) {
    std::copy(m_bytes.begin() + static_cast<std::ptrdiff_t>(bytes),
              m_bytes.begin() + static_cast<std::ptrdiff_t>(m_size), m_bytes.begin());
    m_size -= bytes;
}

}  // namespace epsilens::release
