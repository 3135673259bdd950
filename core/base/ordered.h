#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace epsilens {

/// 0, 1, … below a count.
template <typename Index = std::size_t>
[[nodiscard]] std::vector<Index> indicesBelow(std::integral auto count) {
    std::vector<Index> indices(static_cast<std::size_t>(count));
    std::iota(indices.begin(), indices.end(), Index{0});
    return indices;
}

/// The indices below a count by a rising key of each, or the first of them; of equal keys the lower
/// index comes first.
template <typename Index = std::size_t, typename KeyOf>
[[nodiscard]] std::vector<Index> ordered(std::size_t count, const KeyOf& keyOf,
                                         std::size_t most = SIZE_MAX) {
    std::vector<Index> indices = indicesBelow<Index>(count);
    most = std::min(most, count);
    const auto end = indices.begin() + static_cast<std::ptrdiff_t>(most);
    const auto comesFirst = [&](Index a, Index b) {
        return std::pair(keyOf(a), a) < std::pair(keyOf(b), b);
    };
    if (most < count) {
        std::partial_sort(indices.begin(), end, indices.end(), comesFirst);
    } else {
        std::sort(indices.begin(), end, comesFirst);
    }
    indices.resize(most);
    return indices;
}

}  // namespace epsilens
