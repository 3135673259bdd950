#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "core/base/error.h"
#include "core/base/pass_on.h"
#include "core/io/byte_source.h"
#include "core/io/read_ahead.h"

namespace epsilens::io {

static_assert(std::endian::native == std::endian::little,
              "the binary formats store little-endian numbers as they are in memory");

/// Reads a binary file ahead and gives it out piece by piece; whatever is missing at its end is
/// badFile. The source belongs to the thread that reads until the destructor returns.
class ByteCursor {
public:
    explicit ByteCursor(ByteSource& source);

    /// Reads exactly `size` bytes.
    ///
    /// what  is being read, for the message: "row 12"
    [[nodiscard]] Result<void> readBytes(void* target, std::size_t size, std::string_view what) {
        return take(size, static_cast<char*>(target), what);
    }
    [[nodiscard]] Result<void> skipBytes(std::uint64_t size, std::string_view what) {
        return take(size, nullptr, what);
    }

    template <typename T>
    [[nodiscard]] Result<T> readNumber(std::string_view what) {
        static_assert(std::is_arithmetic_v<T>);
        T value{};
        RETURN_IF_ERROR(readBytes(&value, sizeof value, what));
        return value;
    }

    /// Reads up to and including `end`, which is not part of the text. Fails with badFile when the
    /// text is longer than kLongestText.
    [[nodiscard]] Result<std::string> readTextUntil(char end, std::string_view what);

    /// Consumes the next byte if it is this one.
    [[nodiscard]] Result<bool> skipIf(char byte);
    [[nodiscard]] Result<bool> atEnd();

    /// Bytes that are left; nothing when that is not known.
    [[nodiscard]] std::optional<std::uint64_t> bytesLeft() const { return m_bytesLeft; }
    [[nodiscard]] double fractionRead() const { return m_source.fractionRead(); }

    static constexpr std::size_t kLongestText = std::size_t{64} << 10;

private:
    /// target  null: the bytes are skipped
    [[nodiscard]] Result<void> take(std::uint64_t size, char* target, std::string_view what);
    void consume(std::size_t size);

    ByteSource& m_source;
    std::optional<std::uint64_t> m_bytesLeft;
    std::string_view m_buffered{};  ///< read but not yet given out
    ReadAhead m_blocks;             ///< last: its thread uses the source
};

}  // namespace epsilens::io
