#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/experiment/attack/bigrams.h"

namespace epsilens::experiment {

/// A language model of pairs by interpolated absolute discounting,
///   P(w|v) = max(c(vw) - D2, 0) / c(v.) + D2 n(v.) / c(v.) P(w),
///   P(w)   = max(c(w) - D1, 0) / N + D1 n / (N V),
/// n the number of different followers, or of different words, and D = n1 / (n1 + 2 n2) with n1 and
/// n2 the numbers of pairs, or words, seen once and twice (1/2 without both). After a word that
/// nothing followed, and at the beginning of a line, P(w|v) is P(w).
/// Source: Ney, Essen, Kneser 1994; Chen and Goodman 1999, section 2.6
class BigramModel {
public:
    /// tokens, lineEnds, words  as Bigrams takes them; V >= 1
    BigramModel(std::span<const Row> tokens, std::span<const std::int64_t> lineEnds, Row words);

    /// P(word|previous). previous  kUnknownWord for the beginning of a line and for unknown words
    [[nodiscard]] double probability(Row previous, Row word) const;
    /// 1 + number of words that are more probable than the given one.
    [[nodiscard]] std::int64_t rank(Row previous, Row word) const;

private:
    /// Weight of P(w) after a word, 1 where nothing followed it.
    [[nodiscard]] double backOff(Row previous) const;

    Bigrams m_bigrams;
    double m_discount = 0.5;             ///< D2
    std::vector<double> m_unigrams{};    ///< P(w)
    std::vector<double> m_descending{};  ///< the same, largest first
};

}  // namespace epsilens::experiment
