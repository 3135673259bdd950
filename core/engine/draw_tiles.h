#pragma once

#include <algorithm>
#include <cstdint>

#include "core/engine/column_kernel.h"
#include "core/engine/noise_series.h"

namespace epsilens::engine {

/// Words [firstWord, endWord) of a batch, and its draws [0, draws) under every variant.
struct WordsAndDraws {
    std::int64_t firstWord = 0;
    std::int64_t endWord = 0;
    std::int64_t variants = 1;
    std::int64_t draws = 0;
};

/// Selects every word with every draw of every variant and calls body(word, variant, draw): in
/// squares of neighbouring words and draws, which look up the same cache lines.
///
/// isStopped  asked once per word of a square; ends the work
template <typename Stopped, typename Body>
void forEachWordAndDraw(DrawSearch& search, const WordsAndDraws& all, const Stopped& isStopped,
                        const Body& body) {
    const std::int64_t columns = all.variants * all.draws;
    for (std::int64_t firstWord = all.firstWord; firstWord < all.endWord;
         firstWord += kColumnGroup) {
        const std::int64_t endWord = std::min(firstWord + kColumnGroup, all.endWord);
        for (std::int64_t first = 0; first < columns; first += kColumnGroup) {
            const std::int64_t end = std::min(first + kColumnGroup, columns);
            for (std::int64_t word = firstWord; word < endWord; ++word) {
                if (isStopped()) {
                    return;
                }
                search.setWord(word);
                for (std::int64_t column = first; column < end; ++column) {
                    search.setDraw(column / all.draws, column % all.draws);
                    body(word, column / all.draws, column % all.draws);
                }
            }
        }
    }
}

}  // namespace epsilens::engine
