#include "core/statistics/interval_sets.h"

#include <deque>

namespace epsilens::statistics {

std::vector<std::int32_t> largestSets(std::span<const double> sorted, double length) {
    const std::size_t count = sorted.size();
    std::vector<std::int32_t> reached(count);  // values from each one on, up to it plus the length
    for (std::size_t first = 0, last = 0; first < count; ++first) {
        while (last < count && sorted[last] <= sorted[first] + length) {
            ++last;
        }
        reached[first] = static_cast<std::int32_t>(last - first);
    }
    // The best interval begins at a value that reaches this one: a maximum over a sliding window.
    std::vector<std::int32_t> sizes(count);
    std::deque<std::size_t> best;
    for (std::size_t i = 0; i < count; ++i) {
        while (!best.empty() && reached[best.back()] <= reached[i]) {
            best.pop_back();
        }
        best.push_back(i);
        while (sorted[i] > sorted[best.front()] + length) {
            best.pop_front();
        }
        sizes[i] = reached[best.front()];
    }
    return sizes;
}

}  // namespace epsilens::statistics
