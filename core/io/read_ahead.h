#pragma once

#include <cstddef>
#include <functional>
#include <future>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/io/byte_source.h"

namespace epsilens::io {

/// Fills the next block of bytes on another thread while the caller parses the last one, so that
/// reading, decompressing and hashing go on meanwhile.
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

    /// The next content; empty at the end and from then on. Valid until the next call. Fails, and
    /// throws, as `fill`.
    [[nodiscard]] Result<std::string_view> next();

private:
    void fillNext();

    Fill m_fill;
    Block m_current{};  ///< with the caller
    Block m_next{};
    std::future<Result<bool>> m_filled{};  ///< last: its destructor waits for the thread
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
