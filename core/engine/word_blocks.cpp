#include "core/engine/word_blocks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <iterator>
#include <utility>

#include "core/engine/exponential_kernel.h"
#include "core/engine/score_kernel.h"
#include "core/numeric/matrix_product.h"

namespace epsilens::engine {
namespace {

constexpr std::int64_t kSquare = 4;

using Four = float __attribute__((vector_size(kSquare * sizeof(float))));

Four load(const float* values) {
    Four four;
    std::memcpy(&four, values, sizeof(four));
    return four;
}

void transposeSquare(const float* from, std::int64_t fromStride, float* to, std::int64_t toStride) {
    const Four a = load(from);
    const Four b = load(from + fromStride);
    const Four c = load(from + 2 * fromStride);
    const Four d = load(from + 3 * fromStride);
    const Four leftAbove = __builtin_shufflevector(a, b, 0, 4, 1, 5);
    const Four rightAbove = __builtin_shufflevector(a, b, 2, 6, 3, 7);
    const Four leftBelow = __builtin_shufflevector(c, d, 0, 4, 1, 5);
    const Four rightBelow = __builtin_shufflevector(c, d, 2, 6, 3, 7);
    const std::array<Four, kSquare> rows = {
        __builtin_shufflevector(leftAbove, leftBelow, 0, 1, 4, 5),
        __builtin_shufflevector(leftAbove, leftBelow, 2, 3, 6, 7),
        __builtin_shufflevector(rightAbove, rightBelow, 0, 1, 4, 5),
        __builtin_shufflevector(rightAbove, rightBelow, 2, 3, 6, 7)};
    for (std::int64_t k = 0; k < kSquare; ++k) {
        std::memcpy(to + k * toStride, &rows[static_cast<std::size_t>(k)], sizeof(Four));
    }
}

}  // namespace

WordBlocks::WordBlocks(const MetricSpace& space, std::vector<Row> order, std::int64_t wordsPerBlock)
    : m_space(space),
      m_order(std::move(order)),
      m_wordsPerBlock(wordsPerBlock),
      m_vectors(space.productFactors(m_order)),
      m_squaredNorms(1, space.paddedWords()),
      m_inverseNorms(1, space.paddedWords()) {
    const ProductRow norms = space.productRow(0);
    std::fill_n(m_squaredNorms.row(0), m_squaredNorms.stride(), 0.0F);
    std::fill_n(m_inverseNorms.row(0), m_inverseNorms.stride(), 0.0F);
    for (std::size_t i = 0; i < m_order.size(); ++i) {
        m_squaredNorms.row(0)[i] = norms.squaredNorms[m_order[i]];
        m_inverseNorms.row(0)[i] = norms.inverseNorms[m_order[i]];
    }
}

std::int64_t WordBlocks::count() const {
    return (static_cast<std::int64_t>(m_order.size()) + m_wordsPerBlock - 1) / m_wordsPerBlock;
}

std::span<const Row> WordBlocks::words(std::int64_t block) const {
    const auto first = static_cast<std::size_t>(block * m_wordsPerBlock);
    return std::span(m_order).subspan(
        first, std::min(static_cast<std::size_t>(m_wordsPerBlock), m_order.size() - first));
}

std::int64_t WordBlocks::paddedWords(std::int64_t block) const {
    return paddedRowLength(static_cast<std::int64_t>(words(block).size()));
}

AlignedMatrix WordBlocks::noProducts() const {
    AlignedMatrix products(m_wordsPerBlock, spreadStride(m_wordsPerBlock));
    std::fill_n(products.row(0), m_wordsPerBlock * products.stride(), 0.0F);
    return products;
}

void WordBlocks::multiply(std::int64_t first, std::int64_t second, AlignedMatrix& products) const {
    const auto vectors = [&](std::int64_t block) {
        return m_vectors.row(block * m_wordsPerBlock).data();
    };
    numeric::multiplyTransposed(vectors(first), std::ssize(words(first)), vectors(second),
                                std::ssize(words(second)), m_vectors.cols(), 1.0F, products.row(0),
                                products.stride());
}

double WordBlocks::distance(std::int64_t a, std::int64_t b) const {
    return std::sqrt(
        squaredDistance(m_vectors.row(a).data(), m_vectors.row(b).data(), m_vectors.cols()));
}

ProductRow WordBlocks::productRow(std::int64_t position, std::int64_t block) const {
    return {m_squaredNorms.row(0) + block * m_wordsPerBlock,
            m_inverseNorms.row(0) + block * m_wordsPerBlock, m_squaredNorms.row(0)[position],
            m_inverseNorms.row(0)[position], static_cast<std::int64_t>(words(block).size())};
}

void transposeColumns(const AlignedMatrix& from, std::int64_t rows, std::int64_t first,
                      AlignedMatrix& to) {
    for (std::int64_t k = 0; k < to.rows(); k += kSquare) {
        for (std::int64_t i = 0; i < rows; i += kSquare) {
            transposeSquare(from.row(i) + first + k, from.stride(), to.row(k) + i, to.stride());
        }
    }
}

}  // namespace epsilens::engine
