#pragma once

#include <cstdint>
#include <vector>

#include "core/experiment/tokenised_documents.h"

namespace epsilens::experiment {

/// Some of the tokens of documents: their words, each once, with how many of the tokens it is.
struct TokenSample {
    std::vector<Row> rows{};        ///< rising
    std::vector<double> weights{};  ///< one per row, whole numbers >= 1
    std::int64_t tokens = 0;        ///< sum of the weights
};

/// Evenly spaced ones of the replaced tokens, ordered by their rows: a word that is every tenth
/// token of the documents is every tenth of the sample, give or take one. All where there are no
/// more.
///
/// most  >= 1
[[nodiscard]] TokenSample sampleTokens(const TokenisedDocuments& words, std::int64_t most);

}  // namespace epsilens::experiment
