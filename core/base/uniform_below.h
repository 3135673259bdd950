#pragma once

#include <cstdint>

namespace epsilens {

/// Uniform integer in [0, bound), without modulo bias, from a generator of uniform 64-bit numbers.
/// bound >= 1
template <typename Generator>
[[nodiscard]] std::uint64_t uniformBelow(Generator& generator, std::uint64_t bound) {
    const std::uint64_t rejected = (Generator::max() - bound + 1) % bound;
    std::uint64_t bits = generator();
    while (bits < rejected) {
        bits = generator();
    }
    return bits % bound;
}

}  // namespace epsilens
