#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/base/error.h"
#include "core/embedding/byte_source.h"

namespace epsilens::embedding {

static_assert(std::endian::native == std::endian::little,
              "the binary formats store little-endian numbers as they are in memory");

/// Reads a binary file piece by piece; whatever is missing at its end is badFile.
class ByteCursor {
public:
    explicit ByteCursor(ByteSource& source);

    /// Reads exactly `size` bytes.
    ///
    /// what  is being read, for the message: "row 12"
    [[nodiscard]] Result<void> readBytes(void* target, std::size_t size, std::string_view what);

    template <typename T>
    [[nodiscard]] Result<T> readNumber(std::string_view what) {
        static_assert(std::is_arithmetic_v<T>);
        T value{};
        if (const auto done = readBytes(&value, sizeof value, what); !done) {
            return tl::unexpected(done.error());
        }
        return value;
    }

    /// Reads up to and including `end`, which is not part of the text. Fails with badFile when the
    /// text is longer than kLongestText.
    [[nodiscard]] Result<std::string> readTextUntil(char end, std::string_view what);

    [[nodiscard]] Result<void> skipBytes(std::uint64_t size, std::string_view what);

    /// Consumes the next byte if it is this one.
    [[nodiscard]] Result<bool> skipIf(char byte);
    [[nodiscard]] Result<bool> atEnd();

    /// Bytes that are left; nothing when that is not known.
    [[nodiscard]] std::optional<std::uint64_t> bytesLeft() const;
    [[nodiscard]] double fractionRead() const { return m_source.fractionRead(); }

    static constexpr std::size_t kLongestText = std::size_t{64} << 10;

private:
    /// Reads on when nothing is left in the buffer.
    [[nodiscard]] Result<void> refill();
    [[nodiscard]] std::size_t buffered() const { return m_size - m_at; }

    ByteSource& m_source;
    std::vector<char> m_buffer;
    std::size_t m_at = 0;
    std::size_t m_size = 0;
};

}  // namespace epsilens::embedding
