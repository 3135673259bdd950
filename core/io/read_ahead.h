#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <semaphore>
#include <stop_token>
#include <string_view>
#include <thread>
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

/// Reads a text ahead and hands it out in blocks of whole lines.
///
/// The source belongs to the thread that reads until the destructor returns.
class LineBlocks {
public:
    static constexpr std::size_t kBlockBytes = std::size_t{4} << 20;
    /// Several times what the most values of a row need. Blocks grow with lines, up to twice this.
    static constexpr std::size_t kLongestLine = std::size_t{8} << 20;

    explicit LineBlocks(ByteSource& source, std::size_t blockBytes = kBlockBytes);

    /// The next lines, each but perhaps the very last with its line end; empty at the end of the
    /// text. Valid until the next call. Fails as ByteSource::read, and with badFile for a line
    /// longer than kLongestLine.
    [[nodiscard]] Result<std::string_view> next() { return m_blocks.next(); }

private:
    [[nodiscard]] Result<bool> fill(ReadAhead::Block& block);

    ByteSource& m_source;
    std::vector<char> m_carry{};  ///< begin of the line that did not fit into the last block
    ReadAhead m_blocks;           ///< last: its thread uses what stands above
};

}  // namespace epsilens::io
