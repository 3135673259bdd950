#include "core/calibration/ranked_values.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/numeric/quantile.h"

namespace epsilens::calibration {

RankedValues::RankedValues(std::vector<float> possible)
    : m_possible(std::move(possible)), m_tree(m_possible.size() + 1) {
    while (2 * m_top <= m_possible.size()) {
        m_top *= 2;
    }
}

void RankedValues::change(float value, std::int64_t by) {
    const auto place = std::lower_bound(m_possible.begin(), m_possible.end(), value);
    auto index = static_cast<std::size_t>(place - m_possible.begin()) + 1;
    for (; index < m_tree.size(); index += index & (~index + 1)) {
        m_tree[index] += by;
    }
    m_count += by;
    m_sum += static_cast<double>(by) * static_cast<double>(value);
}

// The order statistic of a rank in [0, count).
double RankedValues::valueAt(std::int64_t rank) const {
    std::size_t index = 0;
    for (std::size_t step = m_top; step > 0; step /= 2) {
        if (index + step < m_tree.size() && m_tree[index + step] <= rank) {
            index += step;
            rank -= m_tree[index];
        }
    }
    return static_cast<double>(m_possible[index]);
}

double RankedValues::quantile(double probability) const {
    const double position = static_cast<double>(m_count - 1) * probability;
    const auto below = static_cast<std::int64_t>(position);
    const std::array around{valueAt(below), valueAt(std::min(below + 1, m_count - 1))};
    return numeric::quantileOfSorted(around, position - static_cast<double>(below));
}

}  // namespace epsilens::calibration
