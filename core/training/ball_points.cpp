#include "core/training/ball_points.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

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

void BallPoints::copy(const BallPoints& other, Row begin, Row end) {
    const auto line = [&](Row node) {
        return static_cast<std::ptrdiff_t>(static_cast<std::size_t>(node) * m_stride);
    };
    std::copy(other.m_lines.begin() + line(begin), other.m_lines.begin() + line(end),
              m_lines.begin() + line(begin));
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

}  // namespace epsilens::training
