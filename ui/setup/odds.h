#pragma once

#include <optional>
#include <utility>

#include <QString>

#include "core/embedding/prepared_embedding.h"
#include "core/mechanism/elliptical_noise.h"

namespace epsilens::ui {

/// Two words that make the meaning of epsilon concrete.
using WordPair = std::pair<embedding::Row, embedding::Row>;

/// A pair of everyday words of the vocabulary, else its first two words; none with fewer than two.
[[nodiscard]] std::optional<WordPair> exampleWords(const embedding::Vocabulary& vocabulary);

/// Distance of two words in the metric of the mechanism's guarantee.
[[nodiscard]] double guaranteeDistance(const embedding::PreparedEmbedding& embedding,
                                       const mechanism::EllipticalNoise& noise, WordPair words);

/// What a bound means: "seeing the output changes the odds of *paris* against *london* (d = 5.1) by
/// at most ×165" as rich text. The factor exp(bound · distance) is rounded up; above 10⁶ the
/// sentence says "no useful bound".
[[nodiscard]] QString oddsSentence(double bound, double distance, std::string_view first,
                                   std::string_view second);

}  // namespace epsilens::ui
