#pragma once

#include <cstdint>
#include <span>
#include <utility>

#include "core/base/random_stream.h"

namespace epsilens::training {

/// Unbiased uniform indices below 2^32 from a seeded stream, at half the cost of
/// SeededStream::below: both halves of each 64-bit number are used, and a division is rarely needed
/// (Lemire 2019).
class IndexStream {
public:
    explicit IndexStream(const StreamKey& key) : m_stream(key) {}

    /// Uniform in [0, bound). bound >= 1.
    std::uint32_t below(std::uint32_t bound) {
        std::uint64_t product = std::uint64_t{next()} * bound;
        if (static_cast<std::uint32_t>(product) < bound) {
            const std::uint32_t rejected = (0U - bound) % bound;
            while (static_cast<std::uint32_t>(product) < rejected) {
                product = std::uint64_t{next()} * bound;
            }
        }
        return static_cast<std::uint32_t>(product >> 32);
    }

    /// Shuffles with every order equally likely (Fisher and Yates). At most 2^32 - 1 values.
    template <typename Value>
    void shuffle(std::span<Value> values) {
        for (std::size_t left = values.size(); left > 1; --left) {
            std::swap(values[left - 1], values[below(static_cast<std::uint32_t>(left))]);
        }
    }

private:
    std::uint32_t next() {
        if (m_hasHalf) {
            m_hasHalf = false;
            return static_cast<std::uint32_t>(m_bits >> 32);
        }
        m_bits = m_stream();
        m_hasHalf = true;
        return static_cast<std::uint32_t>(m_bits);
    }

    SeededStream m_stream;
    std::uint64_t m_bits = 0;
    bool m_hasHalf = false;
};

}  // namespace epsilens::training
