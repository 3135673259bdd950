#include "core/calibration/run_part.h"

#include <utility>

namespace epsilens::calibration {

NextBlock everyBlock(std::int64_t index, std::int64_t parts) {
    return [block = index, parts](std::int64_t blocks) mutable -> std::optional<std::int64_t> {
        const std::int64_t next = std::exchange(block, block + parts);
        return next < blocks ? std::optional(next) : std::nullopt;
    };
}

}  // namespace epsilens::calibration
