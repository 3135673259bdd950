#include "core/engine/tile_selection.h"

#include <algorithm>
#include <limits>

#include "core/engine/score_kernel.h"

namespace epsilens::engine {
namespace {

// The value of rank `last` (0-based) among `values`, which are reordered.
float valueOfRank(std::vector<float>& values, std::int64_t last) {
    if (last == 0) {
        return *std::min_element(values.begin(), values.end());
    }
    const auto place = values.begin() + static_cast<std::ptrdiff_t>(last);
    std::nth_element(values.begin(), place, values.end());
    return *place;
}

}  // namespace

SmallestEntries smallestEntries(std::span<const float> values, const float* tileLeast,
                                std::int64_t wanted, const std::function<float(float)>& reach) {
    const auto count = static_cast<std::int64_t>(values.size());
    const std::int64_t tiles = tileCount(count);
    std::vector<float> least(tileLeast, tileLeast + tiles);
    const float within =
        wanted <= tiles ? valueOfRank(least, wanted - 1) : std::numeric_limits<float>::infinity();
    const float beyond = reach(within);
    SmallestEntries found;
    std::vector<float> near;
    for (std::int64_t tile = 0; tile < tiles; ++tile) {
        if (tileLeast[tile] > beyond) {
            continue;
        }
        const std::int64_t end = std::min((tile + 1) * kTileWidth, count);
        for (std::int64_t index = tile * kTileWidth; index < end; ++index) {
            const float value = values[static_cast<std::size_t>(index)];
            if (value <= beyond) {
                found.indices.push_back(static_cast<std::int32_t>(index));
                near.push_back(value);
            }
        }
    }
    found.threshold = reach(valueOfRank(near, wanted - 1));
    std::erase_if(found.indices, [&](std::int32_t index) {
        return values[static_cast<std::size_t>(index)] > found.threshold;
    });
    return found;
}

}  // namespace epsilens::engine
