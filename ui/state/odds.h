#pragma once

#include <optional>
#include <utility>

#include <QString>

#include "core/embedding/prepared_embedding.h"

namespace epsilens::ui {

/// Two words that make the meaning of epsilon concrete.
using WordPair = std::pair<embedding::Row, embedding::Row>;

/// The first of embedding::examplePairs() that the vocabulary has, else its first two words; none
/// with fewer than two.
[[nodiscard]] std::optional<WordPair> exampleWords(const embedding::Vocabulary& vocabulary);

/// 38: "10³⁸"
[[nodiscard]] QString powerOfTenText(qint64 exponent);

/// exp(loss) rounded up to a power of ten: "10³⁸", "∞" of an infinite loss.
[[nodiscard]] QString powerOfTen(double loss);

}  // namespace epsilens::ui
