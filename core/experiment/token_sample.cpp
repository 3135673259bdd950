#include "core/experiment/token_sample.h"

#include <algorithm>

namespace epsilens::experiment {

TokenSample sampleTokens(const TokenisedDocuments& words, std::int64_t most) {
    std::vector<Row> tokens;
    for (std::size_t token = 0; token < words.rows().size(); ++token) {
        if (words.isReplaced(token)) {
            tokens.push_back(words.rows()[token]);
        }
    }
    std::sort(tokens.begin(), tokens.end());
    TokenSample sample;
    const auto all = static_cast<std::int64_t>(tokens.size());
    sample.tokens = std::min(most, all);
    for (std::int64_t i = 0; i < sample.tokens; ++i) {
        // The middle of the i-th of equal parts.
        const Row row = tokens[static_cast<std::size_t>((2 * i + 1) * all / (2 * sample.tokens))];
        if (sample.rows.empty() || sample.rows.back() != row) {
            sample.rows.push_back(row);
            sample.weights.push_back(0.0);
        }
        ++sample.weights.back();
    }
    return sample;
}

}  // namespace epsilens::experiment
