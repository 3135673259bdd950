#pragma once

#include "core/embedding/prepared_embedding.h"

namespace epsilens::ui {
class AnalysisState;
}

namespace epsilens::test {

/// 40 words (paris and london first) in 3 dimensions of unequal spread, from fixed random numbers.
[[nodiscard]] embedding::EmbeddingHandle toyEmbedding();

/// `words` words in `dimensions` dimensions; with words <= dimensions the covariance is singular.
[[nodiscard]] embedding::EmbeddingHandle toyEmbedding(int words, int dimensions);

/// The same words inside the Poincaré ball, norms from 0.3 to 0.95.
[[nodiscard]] embedding::EmbeddingHandle toyBall(int words, int dimensions);

/// Puts an embedding into a state, arranged for searches.
void open(ui::AnalysisState& state, const embedding::EmbeddingHandle& embedding = toyEmbedding());

}  // namespace epsilens::test
