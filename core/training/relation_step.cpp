#include "core/training/relation_step.h"

#include <algorithm>
#include <cmath>

namespace epsilens::training {
namespace {

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
    std::ranges::fill(m_pull, Block::Zero());
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
