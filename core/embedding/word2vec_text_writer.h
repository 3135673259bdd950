#pragma once

#include <string>

#include "core/base/eigen.h"
#include "core/embedding/vocabulary.h"

namespace epsilens::embedding {

/// Word vectors as word2vec text: a line with the numbers of rows and of dimensions, then a line
/// per row with its word and its numbers, separated by single blanks. Numbers have the shortest
/// form that reads back as the same float32.
///
/// vocabulary  V words without blanks
/// vectors     V x m
[[nodiscard]] std::string word2vecText(const Vocabulary& vocabulary,
                                       const Eigen::Ref<const RowMatrixF>& vectors);

}  // namespace epsilens::embedding
