#pragma once

#include <cstddef>
#include <vector>

#include "core/base/error.h"
#include "core/embedding/vocabulary.h"
#include "core/text/tokenised_text.h"

namespace epsilens::text {

/// A word of the first text, the word at its position in the second, and how often this happens.
struct ExchangedWord {
    embedding::Row first = 0;
    embedding::Row second = 0;
    int times = 0;

    bool operator==(const ExchangedWord&) const = default;
};

/// Two texts of equal length, word by word.
struct SentencePair {
    std::size_t words = 0;      ///< positions
    std::size_t differing = 0;  ///< number of positions with different words
    /// Distinct pairs in the order of their first position.
    std::vector<ExchangedWord> exchanged{};
    std::size_t unknown = 0;  ///< positions where both texts have the same unknown word
    /// The texts also differ between the words or in letter case, which no guarantee covers.
    bool differsElsewhere = false;
};

/// Fails with invalidArgument if the numbers of words differ, or if a position has different words
/// of which one is not in the vocabulary; the message names the position.
[[nodiscard]] Result<SentencePair> pairSentences(const TokenisedText& first,
                                                 const TokenisedText& second);

}  // namespace epsilens::text
