#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "core/embedding/vocabulary.h"

namespace epsilens::text {

/// A word of the vocabulary that an unknown word may have been meant to be.
struct Spelling {
    embedding::Row row = 0;
    int distance = 0;  ///< edits: a letter inserted, removed or replaced, two neighbours exchanged

    bool operator==(const Spelling&) const = default;
};

/// Words closest to `word` by edit distance over characters, letter case ignored (optimal string
/// alignment: no piece of text is edited twice).
///
/// Up to `count` of them, nearest first; of equally near ones those with the same first letter,
/// then the lower row (files are commonly sorted by frequency). Words at more than 1 edit (word of
/// up to 4 characters), 2 (up to 8) or 3 are left out, and so are words that share no letter with
/// it. Empty for words longer than 64 characters, or not valid UTF-8. Compares with the whole
/// vocabulary; no index is kept.
[[nodiscard]] std::vector<Spelling> nearestSpellings(const embedding::Vocabulary& vocabulary,
                                                     std::string_view word, std::size_t count = 3);

}  // namespace epsilens::text
