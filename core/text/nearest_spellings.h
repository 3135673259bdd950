#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "core/embedding/vocabulary.h"

namespace epsilens::text {

/// A word of the vocabulary with a spelling similar to that of an unknown word.
struct Spelling {
    embedding::Row row = 0;
    int distance = 0;  ///< edits: insert, remove or replace a letter, or exchange two neighbours

    bool operator==(const Spelling&) const = default;
};

/// Words closest to `word` by edit distance over characters, ignoring letter case (optimal string
/// alignment: no part of the text is edited twice).
///
/// Returns up to `count` words, nearest first; ties go to words with the same first letter, then to
/// the lower row (files are commonly sorted by frequency). Leaves out words at more than 1 edit
/// (for words of up to 5 characters), 2 edits (up to 8) or 3 edits, and words without a common
/// letter. Empty if the word has more than 64 characters or is not valid UTF-8. Compares with the
/// whole vocabulary without an index.
[[nodiscard]] std::vector<Spelling> nearestSpellings(const embedding::Vocabulary& vocabulary,
                                                     std::string_view word, std::size_t count = 3);

}  // namespace epsilens::text
