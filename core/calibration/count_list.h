#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace epsilens::calibration {

/// Counts from 0 to a largest one, in as many bytes each as that takes: 1, 2 or 4.
class CountList {
public:
    explicit CountList(int largest) : m_width(widthFor(largest)) {}

    [[nodiscard]] static std::size_t widthFor(int largest) {
        return largest <= 0xFF ? 1 : largest <= 0xFFFF ? 2 : 4;
    }

    void reserve(std::size_t counts) { m_bytes.reserve(counts * m_width); }
    /// count  in [0, largest]
    void add(int count) {
        const auto value = static_cast<std::uint32_t>(count);
        for (std::size_t byte = 0; byte < m_width; ++byte) {
            m_bytes.push_back(static_cast<std::uint8_t>(value >> (8 * byte)));
        }
    }
    [[nodiscard]] std::size_t size() const { return m_bytes.size() / m_width; }
    [[nodiscard]] int operator[](std::size_t index) const {
        std::uint32_t value = 0;
        for (std::size_t byte = m_width; byte-- > 0;) {
            value = value << 8U | m_bytes[index * m_width + byte];
        }
        return static_cast<int>(value);
    }

private:
    std::size_t m_width;
    std::vector<std::uint8_t> m_bytes{};  ///< lowest byte first
};

}  // namespace epsilens::calibration
