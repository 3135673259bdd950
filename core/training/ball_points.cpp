#include "core/training/ball_points.h"

#include <algorithm>
#include <cmath>

#include "core/base/random_stream.h"

namespace epsilens::training {
namespace {

constexpr double kStartRange = 0.001;

std::size_t roundedUp(std::size_t value, std::size_t step) {
    return (value + step - 1) / step * step;
}

std::size_t widthOf(Eigen::Index dimensions) {
    return roundedUp(static_cast<std::size_t>(dimensions), BallPoints::kBlock);
}

constexpr std::size_t kBlock = BallPoints::kBlock;

using Block = Eigen::Array<double, kBlock, 1>;

Eigen::Map<const Block, Eigen::Aligned16> blockAt(const double* values) {
    return Eigen::Map<const Block, Eigen::Aligned16>(values);
}

void store(const Block& values, double* target) {
    Eigen::Map<Block, Eigen::Aligned16> destination(target);
    destination = values;
}

double sumOf(const Block& values) {
    return (values[0] + values[2]) + (values[1] + values[3]);
}

double squaredDistance(const double* first, const double* second, std::size_t width) {
    Block squares = Block::Zero();
    for (std::size_t k = 0; k < width; k += kBlock) {
        const Block difference = blockAt(first + k) - blockAt(second + k);
        squares += difference * difference;
    }
    return sumOf(squares);
}

}  // namespace

BallPoints::BallPoints(Row nodes, Eigen::Index dimensions)
    : m_dimensions(dimensions),
      m_width(widthOf(dimensions)),
      m_stride(roundedUp(m_width + 1, kLineValues) / kLineValues),
      m_lines(static_cast<std::size_t>(nodes) * m_stride) {
    for (Row node = 0; node < nodes; ++node) {
        settle(row(node), 0.0);
    }
}

void BallPoints::scatter(std::uint64_t seed) {
    SeededStream stream({seed, StreamPurpose::trainingStart, 0, 0});
    Eigen::RowVectorXd point(m_dimensions);
    for (Row node = 0; node < nodeCount(); ++node) {
        for (Eigen::Index k = 0; k < m_dimensions; ++k) {
            point[k] = kStartRange * (2.0 * stream.uniform() - 1.0);
        }
        set(node, point);
    }
}

void BallPoints::set(Row node, const Eigen::Ref<const Eigen::RowVectorXd>& point) {
    double* const target = row(node);
    double squaredNorm = 0.0;
    for (Eigen::Index k = 0; k < m_dimensions; ++k) {
        target[k] = point[k];
        squaredNorm += point[k] * point[k];
    }
    settle(target, squaredNorm);
}

void BallPoints::settle(double* row, double squaredNorm) const {
    constexpr double kLargestSquare = kLargestNorm * kLargestNorm;
    if (!(squaredNorm < kLargestSquare)) {
        const double factor = kLargestNorm / std::sqrt(squaredNorm);
        for (std::size_t k = 0; k < m_width; ++k) {
            row[k] *= factor;
        }
        squaredNorm = kLargestSquare;
    }
    row[m_width] = 1.0 - squaredNorm;
}

void BallPoints::fetch(Row node) const {
    const CacheLine* const first = &m_lines[static_cast<std::size_t>(node) * m_stride];
    for (std::size_t line = 0; line < m_stride; ++line) {
#if defined(__x86_64__)
        // Not __builtin_prefetch, which without -mprfchw fetches a line to read, so that changing
        // it asks the other processor again. Processors without the instruction ignore it.
        asm volatile("prefetchw %0" : : "m"(first[line]));
#else
        constexpr int kToChange = 1;
        __builtin_prefetch(first + line, kToChange);
#endif
    }
}

RowMatrixD BallPoints::matrix() const {
    RowMatrixD points(nodeCount(), m_dimensions);
    for (Row node = 0; node < nodeCount(); ++node) {
        points.row(node) = Eigen::Map<const Eigen::RowVectorXd>(row(node), m_dimensions);
    }
    return points;
}

double BallPoints::bytesFor(Row nodes, Eigen::Index dimensions) {
    const std::size_t values = roundedUp(widthOf(dimensions) + 1, kLineValues);
    return static_cast<double>(nodes) * static_cast<double>(values * sizeof(double));
}

double RelationStep::run(Row child, std::span<const Row> targets, double rate,
                         std::span<const Row> next) {
    double* const point = m_points.row(child);
    measure(point, targets, next);
    const double loss = std::log(m_weightSum / m_targets.front().weight);
    moveTargets(point, rate);
    moveChild(point, rate);
    return loss;
}

void RelationStep::measure(const double* child, std::span<const Row> targets,
                           std::span<const Row> next) {
    const std::size_t width = m_points.width();
    m_targets.resize(targets.size());
    m_weightSum = 0.0;
    for (std::size_t i = 0; i < targets.size(); ++i) {
        Target& target = m_targets[i];
        // One at a time: what is asked for at once waits for what was asked before.
        if (i < next.size()) {
            m_points.fetch(next[i]);
        }
        target.point = m_points.row(targets[i]);
        target.squaredDistance = squaredDistance(child, target.point, width);
        // cosh d - 1, formed without cosh d: near points keep their digits.
        const double excess = 2.0 * target.squaredDistance / (child[width] * target.point[width]);
        target.root = std::sqrt(excess * (excess + 2.0));
        target.weight = 1.0 / (1.0 + excess + target.root);
        m_weightSum += target.weight;
    }
}

void RelationStep::moveTargets(const double* child, double rate) {
    const std::size_t width = m_points.width();
    const double childGap = child[width];
    std::fill(m_pull.begin(), m_pull.end(), Block::Zero());
    m_shrink = 0.0;
    double slope = 1.0;  // what dL/dd_0 has besides -weight / weightSum
    for (const Target& target : m_targets) {
        slope -= target.weight / m_weightSum;
        if (target.root > 0.0) {
            const double gap = target.point[width];
            const double childFactor = slope / (gap * target.root);
            const double targetFactor = rate * slope / (childGap * target.root);
            const double keep = 1.0 - targetFactor * target.squaredDistance;
            const double approach = targetFactor * gap;
            m_shrink += childFactor * target.squaredDistance;
            Block squares = Block::Zero();
            for (std::size_t k = 0; k < width; k += kBlock) {
                const Block before = blockAt(target.point + k);
                const Block away = before - blockAt(child + k);
                m_pull[k / kBlock] += childFactor * away;
                const Block after = keep * before - approach * away;
                store(after, target.point + k);
                squares += after * after;
            }
            m_points.settle(target.point, sumOf(squares));
        }
        slope = 0.0;
    }
}

void RelationStep::moveChild(double* child, double rate) {
    const std::size_t width = m_points.width();
    const double keep = 1.0 - rate * m_shrink;
    const double approach = rate * child[width];
    Block squares = Block::Zero();
    for (std::size_t k = 0; k < width; k += kBlock) {
        const Block after = keep * blockAt(child + k) + approach * m_pull[k / kBlock];
        store(after, child + k);
        squares += after * after;
    }
    m_points.settle(child, sumOf(squares));
}

}  // namespace epsilens::training
