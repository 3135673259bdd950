#include "tests/support/toy_embedding.h"

#include <string>
#include <utility>

#include "core/base/random_stream.h"

namespace epsilens::test {

embedding::EmbeddingHandle toyEmbedding(RowMatrixF vectors) {
    embedding::Embedding embedding;
    embedding.name = "toy";
    for (Eigen::Index row = 0; row < vectors.rows(); ++row) {
        embedding.vocabulary.add("w" + std::to_string(row));
    }
    embedding.vectors = std::move(vectors);
    return embedding::prepareEmbedding(std::move(embedding), 1).value();
}

RowMatrixF anisotropicVectors(Eigen::Index words, Eigen::Index dimensions, std::uint64_t seed) {
    SeededStream stream(StreamKey{seed, StreamPurpose{1000}, 0, 0});
    RowMatrixF vectors(words, dimensions);
    for (Eigen::Index row = 0; row < words; ++row) {
        for (Eigen::Index k = 0; k < dimensions; ++k) {
            vectors(row, k) = static_cast<float>(stream.normal() / (1.0 + static_cast<double>(k)));
        }
    }
    return vectors;
}

RowMatrixF poincareVectors(Eigen::Index words, Eigen::Index dimensions, double largestNorm,
                           std::uint64_t seed) {
    SeededStream stream(StreamKey{seed, StreamPurpose{1005}, 0, 0});
    RowMatrixF vectors(words, dimensions);
    for (Eigen::Index row = 0; row < words; ++row) {
        VectorD direction(dimensions);
        for (Eigen::Index k = 0; k < dimensions; ++k) {
            direction[k] = stream.normal();
        }
        const double norm = largestNorm * stream.uniform();
        vectors.row(row) = (direction * (norm / direction.norm())).cast<float>().transpose();
    }
    return vectors;
}

}  // namespace epsilens::test
