#include "core/engine/close_pair.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "core/base/eigen.h"
#include "core/base/parallel.h"
#include "core/metric/poincare_distance.h"

namespace epsilens::engine {
namespace {

using embedding::Row;
using metric::Metric;
using metric::WordMetric;

/// Functions that rule pairs out, and how many of them make up the grid.
constexpr Eigen::Index kMostFunctions = 16;
constexpr std::size_t kGridAxes = 3;
/// Words compared with one word at once, and words of one task.
constexpr Eigen::Index kBlock = 64;
/// Rounding to float32 changes the differences of sixteen functions, summed up or not, by less than
/// this part of the largest value.
constexpr double kSlack = 0x1p-20;

using Block = Eigen::Array<float, kBlock, 1>;
using Cell = std::array<std::int64_t, kGridAxes>;

/// Coordinates on the leading principal axes, in the metric's own scale; of directions for angles.
RowMatrixD axisFunctions(const WordMetric& metric, const std::vector<Row>& words, int threads) {
    const embedding::PreparedEmbedding& embedding = metric.embedding();
    const Eigen::Index count = std::min(kMostFunctions, embedding.dimensions());
    RowMatrixD axes = embedding.basis.axes.leftCols(count).transpose();
    if (metric.mahalanobis()) {
        axes.array().colwise() /= metric.mahalanobis()->axisScales().head(count).array();
    }
    RowMatrixD values(count, static_cast<Eigen::Index>(words.size()));
    parallelFor(values.cols(), threads, [&](std::int64_t i) {
        const Row word = words[static_cast<std::size_t>(i)];
        VectorD vector = embedding.vectors().row(word).cast<double>().transpose();
        if (metric.metric() == Metric::angular) {
            vector /= std::sqrt(embedding.squaredNorms[word]);
        }
        values.col(i) = axes * vector;
    });
    return values;
}

/// The distance from the origin, and ln(||xi - x||^2 / (1 - ||x||^2)) for points xi of the border.
RowMatrixD ballFunctions(const WordMetric& metric, const std::vector<Row>& words, int threads) {
    const embedding::PreparedEmbedding& embedding = metric.embedding();
    const Eigen::Index count = std::min(kMostFunctions, 1 + 2 * embedding.dimensions());
    RowMatrixD values(count, static_cast<Eigen::Index>(words.size()));
    parallelFor(values.cols(), threads, [&](std::int64_t i) {
        const Row word = words[static_cast<std::size_t>(i)];
        const VectorD vector = embedding.vectors().row(word).cast<double>().transpose();
        const double gap =
            metric::ballGap(embedding.vectors().row(word).data(), embedding.dimensions());
        values(0, i) =
            metric::distanceOfExcess(metric::coshExcess(embedding.squaredNorms[word], gap, 1.0));
        for (Eigen::Index k = 1; k < count; ++k) {
            const double side = k % 2 == 0 ? -1.0 : 1.0;
            const auto axis = embedding.basis.axes.col((k - 1) / 2);
            values(k, i) = std::log((vector - side * axis).squaredNorm() / gap);
        }
    });
    return values;
}

/// Centred, the function of the largest spread first, the largest value 1.
void arrange(RowMatrixD& functions) {
    functions.colwise() -= functions.rowwise().mean().eval();
    const VectorD spread = functions.rowwise().squaredNorm();
    std::vector<Eigen::Index> order(static_cast<std::size_t>(functions.rows()));
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](Eigen::Index a, Eigen::Index b) { return spread[a] > spread[b]; });
    functions = functions(order, Eigen::all).eval();
}

class PairSearch {
public:
    PairSearch(const WordMetric& metric, double limit, const PairBudget& budget, int threads)
        : m_metric(metric),
          m_limit(limit),
          m_budget(budget),
          m_addsUp(metric.metric() != Metric::poincare),
          m_words(metric.embedding().duplicates.distinctRows) {
        RowMatrixD functions = m_addsUp ? axisFunctions(metric, m_words, threads)
                                        : ballFunctions(metric, m_words, threads);
        arrange(functions);
        // 0 where all words have one direction.
        const double extent = functions.cwiseAbs().maxCoeff();
        const double largest = extent > 0.0 ? extent : 1.0;
        m_near = limit / largest + kSlack;
        sortIntoCells(functions / largest);
    }

    /// Compares the words of a task with all in their cells and in those beside them.
    void look(std::int64_t task, const JobContext& job) {
        const Eigen::Index end = std::min((task + 1) * kBlock, wordCount());
        for (Eigen::Index word = task * kBlock; word < end; ++word) {
            if (m_isFound || job.stopRequested()) {
                return;
            }
            lookAround(word);
        }
    }

    [[nodiscard]] std::int64_t tasks() const { return (wordCount() + kBlock - 1) / kBlock; }
    [[nodiscard]] ClosePair answer() const {
        if (m_isFound) {
            return ClosePair::exists;
        }
        return m_isCut ? ClosePair::unknown : ClosePair::none;
    }

private:
    struct CellBegin {
        Cell cell{};
        Eigen::Index begin = 0;
    };
    /// Of words, in the order of the cells.
    struct Range {
        Eigen::Index begin = 0;
        Eigen::Index end = 0;
    };

    [[nodiscard]] Eigen::Index wordCount() const {
        return static_cast<Eigen::Index>(m_words.size());
    }

    void sortIntoCells(const RowMatrixD& functions) {
        std::vector<Cell> cells(m_words.size());
        const std::size_t axes = std::min(kGridAxes, static_cast<std::size_t>(functions.rows()));
        for (std::size_t i = 0; i < m_words.size(); ++i) {
            for (std::size_t axis = 0; axis < axes; ++axis) {
                cells[i][axis] = static_cast<std::int64_t>(std::floor(
                    functions(static_cast<Eigen::Index>(axis), static_cast<Eigen::Index>(i)) /
                    m_near));
            }
        }
        std::vector<Eigen::Index> order(m_words.size());
        std::iota(order.begin(), order.end(), 0);
        std::stable_sort(order.begin(), order.end(), [&](Eigen::Index a, Eigen::Index b) {
            return cells[static_cast<std::size_t>(a)] < cells[static_cast<std::size_t>(b)];
        });
        // What pads the last block is near to nothing.
        m_functions.setConstant(functions.rows(), wordCount() + kBlock,
                                std::numeric_limits<float>::infinity());
        std::vector<Row> words;
        for (Eigen::Index i = 0; i < wordCount(); ++i) {
            const Eigen::Index from = order[static_cast<std::size_t>(i)];
            const Cell& cell = cells[static_cast<std::size_t>(from)];
            if (m_cells.empty() || m_cells.back().cell != cell) {
                m_cells.push_back({cell, i});
            }
            m_functions.col(i) = functions.col(from).cast<float>();
            words.push_back(m_words[static_cast<std::size_t>(from)]);
        }
        m_words = std::move(words);
    }

    [[nodiscard]] Eigen::Index beginOf(const Cell& cell) const {
        const auto found =
            std::lower_bound(m_cells.begin(), m_cells.end(), cell,
                             [](const CellBegin& one, const Cell& key) { return one.cell < key; });
        return found == m_cells.end() ? wordCount() : found->begin;
    }

    /// Words behind one, in its own cell and in half of the cells beside it; the other half looks
    /// at this one.
    [[nodiscard]] std::array<Range, 5> rangesBehind(Eigen::Index word) const {
        const auto next =
            std::upper_bound(m_cells.begin(), m_cells.end(), word,
                             [](Eigen::Index at, const CellBegin& one) { return at < one.begin; });
        const auto [x, y, z] = std::prev(next)->cell;
        return {Range{word + 1, beginOf({x, y, z + 2})},
                Range{beginOf({x, y + 1, z - 1}), beginOf({x, y + 1, z + 2})},
                Range{beginOf({x + 1, y - 1, z - 1}), beginOf({x + 1, y - 1, z + 2})},
                Range{beginOf({x + 1, y, z - 1}), beginOf({x + 1, y, z + 2})},
                Range{beginOf({x + 1, y + 1, z - 1}), beginOf({x + 1, y + 1, z + 2})}};
    }

    void lookAround(Eigen::Index word) {
        const auto words = static_cast<double>(wordCount());
        double compared = m_budget.compared / words;
        double measured = m_budget.measured / words;
        for (const Range& range : rangesBehind(word)) {
            for (Eigen::Index first = range.begin; first < range.end; first += kBlock) {
                if (compared < 0.0 || measured < 0.0) {
                    m_isCut = true;
                    return;
                }
                compared -= static_cast<double>(kBlock);
                const Block apart = differences(word, first);
                if (!(apart.minCoeff() <= threshold())) {
                    continue;
                }
                const Eigen::Index count = std::min(kBlock, range.end - first);
                for (Eigen::Index i = 0; i < count; ++i) {
                    if (apart[i] <= threshold()) {
                        measured -= 1.0;
                        if (isNear(word, first + i)) {
                            m_isFound = true;
                            return;
                        }
                    }
                }
            }
        }
    }

    /// Largest value of what differences() gives for two words that are near each other.
    [[nodiscard]] float threshold() const {
        return static_cast<float>(m_addsUp ? m_near * m_near : m_near) * 1.00001F;
    }

    /// Of a word to those of a block: the sum of the squared differences of the functions, or the
    /// largest of them; of the first functions only where they rule the whole block out.
    [[nodiscard]] Block differences(Eigen::Index word, Eigen::Index first) const {
        Block result = Block::Zero();
        for (Eigen::Index k = 0; k < m_functions.rows(); ++k) {
            const Eigen::Map<const Block> others(&m_functions(k, first));
            const float own = m_functions(k, word);
            if (m_addsUp) {
                result += (others - own).square();
            } else {
                result = result.max((others - own).abs());
            }
            if (k % 4 == 3 && result.minCoeff() > threshold()) {
                break;
            }
        }
        return result;
    }

    [[nodiscard]] bool isNear(Eigen::Index a, Eigen::Index b) const {
        const double distance = m_metric.distance(m_words[static_cast<std::size_t>(a)],
                                                  m_words[static_cast<std::size_t>(b)]);
        return distance > 0.0 && distance <= m_limit;
    }

    const WordMetric& m_metric;
    double m_limit;
    PairBudget m_budget;
    bool m_addsUp;             ///< the sum of the squared differences is at most d^2, too
    double m_near = 0.0;       ///< the limit in the scale of the functions
    std::vector<Row> m_words;  ///< by cells
    RowMatrixF m_functions{};  ///< a row per function, words by cells
    std::vector<CellBegin> m_cells{};
    std::atomic<bool> m_isFound = false;
    std::atomic<bool> m_isCut = false;
};

}  // namespace

Result<ClosePair> closePair(const metric::WordMetric& metric, double limit, int threads,
                            const JobContext& job, const PairBudget& budget) {
    if (metric.embedding().duplicates.distinctRows.size() < 2) {
        return ClosePair::none;
    }
    PairSearch search(metric, limit, budget, threads);
    parallelFor(search.tasks(), threads, [&](std::int64_t task) { search.look(task, job); });
    if (job.stopRequested()) {
        return fail(ErrorCode::cancelled, "cancelled");
    }
    return search.answer();
}

}  // namespace epsilens::engine
