#include "ui/state/share_counts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace epsilens::ui {

ShareCounts countsOf(double kept, double near, double far) {
    constexpr int kAll = 100;
    constexpr double kRoundoff = 1e-9;
    const std::array parts{kept * kAll, near * kAll, far * kAll};
    std::array<int, 3> counts{};
    std::array<std::size_t, 3> order{0, 1, 2};
    int left = kAll;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        counts[i] = static_cast<int>(std::floor(parts[i] + kRoundoff));
        left -= counts[i];
    }
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return parts[a] - counts[a] > parts[b] - counts[b];
    });
    for (std::size_t i = 0; left > 0; i = (i + 1) % order.size(), --left) {
        ++counts[order[i]];
    }
    return {counts[0], counts[1], counts[2]};
}

}  // namespace epsilens::ui
