#include "core/base/random_stream.h"

#include <cmath>
#include <numbers>
#include <utility>

#include <Random123/philox.h>

#include "core/base/ordered.h"
#include "core/base/uniform_below.h"

namespace epsilens {

SeededStream::SeededStream(const StreamKey& key)
    : m_key{static_cast<std::uint32_t>(key.seed), static_cast<std::uint32_t>(key.seed >> 32)},
      m_counter{0, key.draw, key.block, static_cast<std::uint32_t>(key.purpose)} {}

void SeededStream::refill() {
    const r123::Philox4x32 generator;
    const r123::Philox4x32::ctr_type counter{
        {m_counter[0], m_counter[1], m_counter[2], m_counter[3]}};
    const r123::Philox4x32::key_type key{{m_key[0], m_key[1]}};
    const r123::Philox4x32::ctr_type bits = generator(counter, key);
    m_buffer[0] = (std::uint64_t{bits[1]} << 32) | bits[0];
    m_buffer[1] = (std::uint64_t{bits[3]} << 32) | bits[2];
    m_available = 2;
    ++m_counter[0];
}

SeededStream::result_type SeededStream::operator()() {
    if (m_available == 0) {
        refill();
    }
    --m_available;
    return m_buffer[static_cast<std::size_t>(1 - m_available)];
}

double SeededStream::uniform() {
    return (static_cast<double>((*this)() >> 12) + 0.5) * 0x1p-52;
}

double SeededStream::normal() {
    if (m_hasSpareNormal) {
        m_hasSpareNormal = false;
        return m_spareNormal;
    }
    const double radius = std::sqrt(-2.0 * std::log(uniform()));
    const double angle = 2.0 * std::numbers::pi * uniform();
    m_spareNormal = radius * std::sin(angle);
    m_hasSpareNormal = true;
    return radius * std::cos(angle);
}

std::uint64_t SeededStream::below(std::uint64_t bound) {
    return uniformBelow(*this, bound);
}

std::vector<std::size_t> shuffledIndices(std::size_t count, const StreamKey& key) {
    std::vector<std::size_t> indices = indicesBelow(count);
    SeededStream stream(key);
    for (std::size_t left = count; left > 1; --left) {
        std::swap(indices[left - 1], indices[stream.below(left)]);
    }
    return indices;
}

}  // namespace epsilens
