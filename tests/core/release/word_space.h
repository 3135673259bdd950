#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "core/engine/search_space.h"

namespace epsilens::test {

/// A search space over these words, at 0, 1, 2, … on a line.
[[nodiscard]] inline engine::SearchSpaceHandle wordSpace(std::vector<std::string_view> words) {
    embedding::Embedding embedding;
    embedding.vectors.resize(static_cast<Eigen::Index>(words.size()), 1);
    for (std::size_t i = 0; i < words.size(); ++i) {
        embedding.vocabulary.add(words[i]);
        embedding.vectors(static_cast<Eigen::Index>(i), 0) = static_cast<float>(i);
    }
    return std::make_shared<const engine::SearchSpace>(
        embedding::prepareEmbedding(std::move(embedding)).value());
}

}  // namespace epsilens::test
