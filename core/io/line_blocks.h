#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/io/byte_source.h"
#include "core/io/read_ahead.h"

namespace epsilens::io {

/// Reads a text ahead and hands it out in blocks of whole lines.
///
/// The source belongs to the thread that reads until stop() or the destructor returns.
class LineBlocks {
public:
    static constexpr std::size_t kBlockBytes = std::size_t{4} << 20;
    /// Several times what the most values of a row need. Blocks grow with lines, up to twice this.
    static constexpr std::size_t kLongestLine = std::size_t{8} << 20;
    static constexpr std::size_t kBuffers = ReadAhead::kBuffers;

    explicit LineBlocks(ByteSource& source, std::size_t blockBytes = kBlockBytes);

    /// The next lines, each but perhaps the very last with its line end; empty at the end of the
    /// text. Valid until the next call. Fails as ByteSource::read, and with badFile for a line
    /// longer than kLongestLine.
    [[nodiscard]] Result<std::string_view> next() { return m_blocks.next(); }

    /// Ends the reading thread.
    void stop() { m_blocks.stop(); }

private:
    [[nodiscard]] Result<bool> fill(ReadAhead::Block& block);

    ByteSource& m_source;
    std::vector<char> m_carry{};  ///< begin of the line that did not fit into the last block
    ReadAhead m_blocks;           ///< last: its thread uses what stands above
};

}  // namespace epsilens::io
