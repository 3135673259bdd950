#pragma once

#include <algorithm>
#include <cstdint>

namespace epsilens::release {

/// What was done to a text. Holds nothing that depends on which words came out or went in beyond
/// what the released text shows itself and no mechanism protects: how many words there are, of what
/// kind, and what stands between them. So it may be published beside the text. The number of bytes
/// of the input must never be here: it tells how long the replaced words were.
struct ReleaseCounts {
    std::int64_t lines = 0;  ///< also a last one without a line end
    std::int64_t words = 0;  ///< tokens in all; the sum of the following
    std::int64_t replaced =
        0;                    ///< by the mechanism, perhaps by themselves: these have its guarantee
    std::int64_t masked = 0;  ///< unknown words, by policy
    std::int64_t random = 0;
    std::int64_t dropped = 0;
    std::int64_t kept = 0;       ///< unknown words left as they are: unprotected
    std::int64_t stopWords = 0;  ///< left as they are: unprotected
    std::int64_t mostReplacedInLine = 0;
    /// Between words, copied as they are: unprotected. See text::isHidden.
    std::int64_t hiddenCharacters = 0;
    std::int64_t cuts = 0;  ///< words cut because a run without blanks was too long to hold
    /// Damaged places of the input at which U+FFFD stands, up to where it was read.
    std::int64_t invalidReplaced = 0;
    /// Where equal words get equal replacements: distinct words of each document, in all, and the
    /// most of one. How words repeat is not protected then.
    std::int64_t drawn = 0;
    std::int64_t mostDrawn = 0;
    std::int64_t bytesWritten = 0;

    bool operator==(const ReleaseCounts&) const = default;

    [[nodiscard]] std::int64_t unprotectedWords() const { return kept + stopWords; }

    /// Adds what was done to another text, or to other lines of the same one.
    void add(const ReleaseCounts& other) {
        lines += other.lines;
        words += other.words;
        replaced += other.replaced;
        masked += other.masked;
        random += other.random;
        dropped += other.dropped;
        kept += other.kept;
        stopWords += other.stopWords;
        mostReplacedInLine = std::max(mostReplacedInLine, other.mostReplacedInLine);
        hiddenCharacters += other.hiddenCharacters;
        cuts += other.cuts;
        invalidReplaced += other.invalidReplaced;
        drawn += other.drawn;
        mostDrawn = std::max(mostDrawn, other.mostDrawn);
        bytesWritten += other.bytesWritten;
    }
};

}  // namespace epsilens::release
