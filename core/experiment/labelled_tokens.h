#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/experiment/tokenised_documents.h"

namespace epsilens::experiment {

/// Documents as lists of word numbers, each with a class.
struct LabelledTokens {
    std::vector<Row> tokens{};           ///< in [0, words of the classifier)
    std::vector<std::size_t> starts{0};  ///< of the documents, and the end of the last one
    std::vector<std::int32_t> labels{};  ///< in [0, classes)

    [[nodiscard]] std::size_t size() const { return labels.size(); }
    [[nodiscard]] std::span<const Row> document(std::size_t index) const {
        return std::span(tokens).subspan(starts[index], starts[index + 1] - starts[index]);
    }
    /// Ends the document whose tokens were appended.
    void finishDocument(std::int32_t label) {
        starts.push_back(tokens.size());
        labels.push_back(label);
    }
};

}  // namespace epsilens::experiment
