#include "tests/support/toy_embedding.h"

#include <cstddef>
#include <string>
#include <utility>

#include "core/base/parallel.h"
#include "core/base/random_stream.h"

namespace epsilens::test {

std::vector<Row> rowsBelow(Row end, Row step) {
    std::vector<Row> rows;
    rows.reserve(static_cast<std::size_t>(end / step) + 1);
    for (Row row = 0; row < end; row += step) {
        rows.push_back(row);
    }
    return rows;
}

embedding::EmbeddingHandle toyEmbedding(RowMatrixF vectors) {
    embedding::Embedding embedding;
    embedding.name = "toy";
    embedding.report.sha256 = std::string(64, 'a');
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

RowMatrixF clusteredVectors(Eigen::Index words, Eigen::Index dimensions, std::uint64_t seed) {
    constexpr Eigen::Index kCentres = 2000;
    constexpr double kSpread = 0.06;
    const RowMatrixF centres = anisotropicVectors(kCentres, dimensions, 3);
    RowMatrixF vectors(words, dimensions);
    parallelFor(words, 0, [&](std::int64_t row) {
        SeededStream stream(
            StreamKey{seed, StreamPurpose{2002}, 0, static_cast<std::uint32_t>(row)});
        const auto centre = static_cast<Eigen::Index>(stream.below(kCentres));
        for (Eigen::Index k = 0; k < dimensions; ++k) {
            vectors(row, k) = centres(centre, k) + static_cast<float>(kSpread * stream.normal());
        }
    });
    return vectors;
}

RowMatrixF withOutlyingRows(RowMatrixF vectors, Eigen::Index count) {
    for (Eigen::Index i = 0; i < count; ++i) {
        const Eigen::Index pair = i / 2;
        vectors(outlyingRow(vectors, count, i), 0) =
            (pair % 2 == 0 ? 40'000.0F : -40'000.0F) * static_cast<float>(1 + pair % 3);
    }
    return vectors;
}

Row outlyingRow(const RowMatrixF& vectors, Eigen::Index count, Eigen::Index index) {
    return static_cast<Row>(vectors.rows() / count * index + 2);
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
