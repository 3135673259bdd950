#pragma once

#include <cstddef>
#include <vector>

#include "core/base/error.h"
#include "core/embedding/vocabulary.h"
#include "core/text/tokenised_text.h"

namespace epsilens::text {

/// A word that stands in place of another in the second text, and at how many positions it does.
struct ExchangedWord {
    embedding::Row first = 0;
    embedding::Row second = 0;
    int times = 0;

    bool operator==(const ExchangedWord&) const = default;
};

/// Two texts of equal length, word by word.
struct SentencePair {
    std::size_t words = 0;      ///< positions
    std::size_t differing = 0;  ///< positions with different words
    /// In the order of their first position; equal pairs are counted together.
    std::vector<ExchangedWord> exchanged{};
    std::size_t unknown = 0;  ///< positions with one unknown word, the same in both
    /// Between the words or in the letter case they differ too, which no guarantee covers.
    bool differsElsewhere = false;
};

/// Fails with invalidArgument, naming the position, when the numbers of words differ or when
/// different words stand at a position and one of them is not in the vocabulary.
[[nodiscard]] Result<SentencePair> pairSentences(const TokenisedText& first,
                                                 const TokenisedText& second);

}  // namespace epsilens::text
