#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/job_context.h"
#include "core/engine/aligned_matrix.h"
#include "core/engine/column_kernel.h"
#include "core/engine/search_space.h"

namespace epsilens::engine {

/// Values of every position for some words (squared distances) or draws (projections with their
/// sign changed), one column each, and the sorted list of the least values of each column.
/// Positions of outlying norm are in no list; their lowered values stand apart.
///
/// Rows are positions: what a walk looks up at a position for neighbouring columns then shares
/// cache lines. Memory is reused from one set of columns to the next.
class ScoreColumns {
public:
    /// Bytes of one column, its list included.
    [[nodiscard]] static std::int64_t columnBytes(const SearchSpace& space);
    /// Entries of a list: enough for practically every walk on real embeddings.
    [[nodiscard]] static std::int64_t listLength(std::int64_t positions);

    /// Squared distances of words. The value at the word itself is exactly 0, and none is negative;
    /// squaredDistanceErrorBound bounds the error of the others. Undefined if the job was stopped.
    void setWords(const SearchSpace& space, std::span<const Row> words, int threads,
                  const JobContext& job);
    /// Projections of all positions on the draws, with their sign changed. Undefined if the job was
    /// stopped.
    ///
    /// noise  draws x m
    void setDraws(const SearchSpace& space, const RowMatrixF& noise, int threads,
                  const JobContext& job);

    [[nodiscard]] std::int64_t count() const { return m_count; }
    [[nodiscard]] Column column(std::int64_t index) const;
    [[nodiscard]] ColumnList list(std::int64_t index) const;
    [[nodiscard]] OutlyingColumn outlying(std::int64_t index) const;

private:
    void reshape(const SearchSpace& space, std::int64_t count);
    void multiply(const SearchSpace& space, const RowMatrixF& vectors, float factor, int threads,
                  const JobContext& job);
    template <typename Error>
    void lowerOutlying(const SearchSpace& space, int threads, const Error& error);
    void sortColumns(int threads, const JobContext& job);
    void sortGroup(std::int64_t first);
    void writeList(std::int64_t column, std::span<std::uint64_t> keys, float threshold);

    std::int64_t m_count = 0;
    std::int64_t m_positions = 0;
    std::int64_t m_regular = 0;    ///< positions that lists are made of
    AlignedMatrix m_table{};       ///< groups x (positions x kColumnGroup)
    std::vector<float> m_norms{};  ///< per position, empty for draws
    std::vector<float> m_ownNorms{};
    AlignedMatrix m_listValues{};  ///< columns x (list and bound)
    AlignedMatrixOf<std::int32_t> m_listPositions{};
    std::vector<std::int64_t> m_listCounts{};
    bool m_areWhole = false;
    AlignedMatrix m_outlying{};       ///< columns x outlying positions, whole tiles
    AlignedMatrix m_outlyingLeast{};  ///< columns x boundCount(their tiles)
};

}  // namespace epsilens::engine
