#include "core/embedding/prepared_embedding.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "core/base/stopwatch.h"

namespace epsilens::embedding {
namespace {

/// Squares, and sums of them with the noise, must be ordinary float32 numbers.
constexpr double kLeastLength = 1e-12;
constexpr double kLargestLength = 1e18;

Result<void> checkLengths(const Embedding& embedding, const VectorD& squaredNorms) {
    Eigen::Index longest = 0;
    const double length = std::sqrt(squaredNorms.maxCoeff(&longest));
    if (length == 0.0 || (length >= kLeastLength && length <= kLargestLength)) {
        return {};
    }
    return tl::unexpected(Error{
        ErrorCode::badFile,
        fmt::format("the longest vector, of \"{}\", has norm {:.3g}; searching in float32 needs "
                    "{:g} to {:g}: multiply all vectors by one number",
                    embedding.vocabulary.word(static_cast<Row>(longest)), length, kLeastLength,
                    kLargestLength),
        embedding.path, 0});
}

std::string_view bytesOfRow(const RowMatrixF& vectors, Eigen::Index row) {
    return {reinterpret_cast<const char*>(vectors.row(row).data()),
            static_cast<std::size_t>(vectors.cols()) * sizeof(float)};
}

DuplicateClasses findDuplicateRows(const RowMatrixF& vectors) {
    const Eigen::Index rows = vectors.rows();
    DuplicateClasses result;
    result.representative.resize(static_cast<std::size_t>(rows));
    std::unordered_map<std::string_view, Row> lowest;
    lowest.reserve(static_cast<std::size_t>(rows));
    std::vector<bool> shared(static_cast<std::size_t>(rows), false);
    for (Eigen::Index row = 0; row < rows; ++row) {
        const auto [found, isNew] = lowest.try_emplace(bytesOfRow(vectors, row), row);
        result.representative[static_cast<std::size_t>(row)] = found->second;
        if (isNew) {
            result.distinctRows.push_back(static_cast<Row>(row));
            continue;
        }
        ++result.extraRows;
        if (!shared[static_cast<std::size_t>(found->second)]) {
            shared[static_cast<std::size_t>(found->second)] = true;
            ++result.classes;
        }
    }
    return result;
}

}  // namespace

OutlyingNorms outlyingNorms(const VectorD& squaredNorms) {
    std::vector<double> squares;
    std::ranges::copy_if(squaredNorms, std::back_inserter(squares),
                         [](double square) { return square > 0.0; });
    constexpr double kTimesMedian = 20.0;
    OutlyingNorms result;
    if (squares.empty()) {
        return result;
    }
    const auto middle = squares.begin() + static_cast<std::ptrdiff_t>((squares.size() - 1) / 2);
    std::nth_element(squares.begin(), middle, squares.end());
    result.median = std::sqrt(*middle);
    const double most = kTimesMedian * kTimesMedian * *middle;
    for (Eigen::Index row = 0; row < squaredNorms.size(); ++row) {
        if (squaredNorms[row] > most) {
            result.rows.push_back(static_cast<Row>(row));
        }
    }
    std::ranges::stable_sort(result.rows,
                             [&](Row a, Row b) { return squaredNorms[a] < squaredNorms[b]; });
    return result;
}

Result<EmbeddingHandle> prepareEmbedding(Embedding embedding, int threads, const JobContext& job,
                                         double loadSeconds) {
    const Stopwatch watch;
    auto prepared = std::make_shared<PreparedEmbedding>();
    job.progress(0.0, "Principal axes");
    // Minus zero and zero are the same number: one bit pattern lets rows be compared by bytes.
    embedding.vectors.array() += 0.0F;
    prepared->squaredNorms.resize(embedding.vectors.rows());
    for (Eigen::Index row = 0; row < embedding.vectors.rows(); ++row) {
        prepared->squaredNorms[row] = embedding.vectors.row(row).cast<double>().squaredNorm();
    }
    RETURN_IF_ERROR(checkLengths(embedding, prepared->squaredNorms));
    prepared->outlying = outlyingNorms(prepared->squaredNorms);
    prepared->duplicates = findDuplicateRows(embedding.vectors);
    ASSIGN_OR_RETURN(auto basis, pcaBasis(embedding.vectors, threads, job));
    prepared->basis = std::move(basis);
    prepared->embedding = std::move(embedding);
    prepared->loadSeconds = loadSeconds;
    prepared->prepareSeconds = watch.seconds();
    job.progress(1.0, "Ready");
    return prepared;
}

}  // namespace epsilens::embedding
