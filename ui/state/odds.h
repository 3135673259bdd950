#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include <QString>

#include "core/embedding/examples.h"
#include "core/embedding/prepared_embedding.h"

namespace epsilens::ui {

/// Two words that make the meaning of epsilon concrete.
using WordPair = std::pair<embedding::Row, embedding::Row>;

/// Pairs of everyday words, the best known first.
[[nodiscard]] const std::array<embedding::ExamplePair, 5>& everydayPairs();

/// A pair of everyday words of the vocabulary, else its first two words; none with fewer than two.
[[nodiscard]] std::optional<WordPair> exampleWords(const embedding::Vocabulary& vocabulary);

/// 38: "10³⁸"
[[nodiscard]] QString powerOfTenText(qint64 exponent);

/// exp(loss) rounded up to a power of ten: "10³⁸", "∞" of an infinite loss.
[[nodiscard]] QString powerOfTen(double loss);

/// What a loss means: "seeing the output changes the odds of *paris* against *london*
/// (distance 5.1) by at most ×165" as rich text. The factor exp(loss) is rounded up; above 10⁶ the
/// sentence says "no useful bound" with the size of the factor.
///
/// loss  largest log ratio that is possible
[[nodiscard]] QString oddsSentence(double loss, double distance, std::string_view first,
                                   std::string_view second);

}  // namespace epsilens::ui
