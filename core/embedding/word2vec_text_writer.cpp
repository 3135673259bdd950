#include "core/embedding/word2vec_text_writer.h"

#include <fmt/format.h>

namespace epsilens::embedding {

std::string word2vecText(const Vocabulary& vocabulary,
                         const Eigen::Ref<const RowMatrixF>& vectors) {
    std::string text = fmt::format("{} {}\n", vectors.rows(), vectors.cols());
    for (Eigen::Index row = 0; row < vectors.rows(); ++row) {
        text += vocabulary.word(static_cast<Row>(row));
        for (Eigen::Index column = 0; column < vectors.cols(); ++column) {
            // fmt::format_to would compile all of fmt into this file.
            text += fmt::format(" {}", vectors(row, column));
        }
        text += '\n';
    }
    return text;
}

}  // namespace epsilens::embedding
