#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace epsilens::calibration {

/// The indices below count in an order drawn from the seed. What is done first of a run must not
/// follow the order of the file, often that of frequency.
[[nodiscard]] std::vector<std::size_t> shuffledIndices(std::size_t count, std::uint64_t seed);

}  // namespace epsilens::calibration
