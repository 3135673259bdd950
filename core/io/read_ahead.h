#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <semaphore>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <type_traits>
#include <vector>

#include "core/base/error.h"
#include "core/io/byte_source.h"

namespace epsilens::io {

/// Fills blocks of bytes on a thread of its own and hands them out in order, so that reading,
/// decompressing and hashing go on while the caller parses.
///
/// What `fill` uses belongs to that thread until the destructor returns.
class ReadAhead {
public:
    struct Block {
        std::vector<char> buffer{};  ///< may be made longer by who fills it
        std::size_t size = 0;        ///< of the content
    };
    /// Fills the block; whether there can be more behind it.
    using Fill = std::function<Result<bool>(Block&)>;

    ReadAhead(std::size_t blockBytes, Fill fill);
    ~ReadAhead();
    ReadAhead(const ReadAhead&) = delete;
    ReadAhead& operator=(const ReadAhead&) = delete;

    /// The next content; empty at the end and from then on. Valid until the next call. Fails as
    /// `fill`.
    [[nodiscard]] Result<std::string_view> next();

private:
    /// One is being filled, one waits, one is with the caller.
    static constexpr std::size_t kBlocks = 3;
    struct Filled {
        Block block{};
        std::optional<Result<bool>> more{};  ///< nothing: out of memory
    };

    /// The thread: no exception leaves it.
    void fillAll(const std::stop_token& stop);

    Fill m_fill;
    std::array<Filled, kBlocks> m_blocks{};  ///< filled and handed out in turn
    std::counting_semaphore<> m_free{kBlocks};
    std::counting_semaphore<> m_ready{0};
    std::size_t m_handedOut = 0;
    bool m_ended = false;     ///< the caller was given the end
    std::jthread m_thread{};  ///< last, so that everything it uses exists before it starts
};

/// Takes the first line off the text; without its line end.
[[nodiscard]] std::string_view takeLine(std::string_view& text);

inline constexpr std::size_t kLineBlockBytes = std::size_t{4} << 20;
/// Several times what the most values of a row need. Blocks grow with lines, up to twice this.
inline constexpr std::size_t kLongestLine = std::size_t{8} << 20;

/// Reads a text ahead in blocks of whole lines, each but perhaps the very last with its line end.
/// Blocks fail as ByteSource::read, and with badFile for a line longer than kLongestLine.
///
/// source  belongs to the thread that reads until the destructor returns
[[nodiscard]] ReadAhead lineBlocks(ByteSource& source, std::size_t blockBytes = kLineBlockBytes);

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
