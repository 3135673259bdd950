#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <string_view>
#include <thread>
#include <vector>

#include "core/base/error.h"
#include "core/embedding/byte_source.h"

namespace epsilens::embedding {

/// Reads a text ahead on a thread of its own and hands it out in blocks of whole lines, so that
/// reading, decompressing and hashing go on while the caller parses.
///
/// The source belongs to that thread until stop() or the destructor returns.
class LineBlocks {
public:
    static constexpr std::size_t kBlockBytes = std::size_t{4} << 20;
    /// Several times what the most values of a row need. Blocks grow with lines, up to twice this.
    static constexpr std::size_t kLongestLine = std::size_t{8} << 20;
    /// One is being filled, one waits, one is with the caller.
    static constexpr std::size_t kBuffers = 3;

    explicit LineBlocks(ByteSource& source, std::size_t blockBytes = kBlockBytes);
    ~LineBlocks();
    LineBlocks(const LineBlocks&) = delete;
    LineBlocks& operator=(const LineBlocks&) = delete;

    /// The next lines, each but perhaps the very last with its line end; empty at the end of the
    /// text. Valid until the next call. Fails as ByteSource::read, and with badFile for a line
    /// longer than kLongestLine.
    [[nodiscard]] Result<std::string_view> next();

    /// Ends the reading thread.
    void stop();

private:
    struct Block {
        std::vector<char> buffer{};
        std::size_t size = 0;
    };

    /// The thread: no exception leaves it.
    void readAll();
    void readBlocks();
    [[nodiscard]] Result<bool> fill(Block& block);
    /// Waits for a free block; false when there will be none because of stop().
    [[nodiscard]] bool takeFree(Block& block);
    void publish(Result<Block> block);

    ByteSource& m_source;
    std::vector<char> m_carry{};  ///< begin of the line that did not fit into the last block
    Block m_current{};            ///< with the caller

    std::mutex m_mutex{};
    std::condition_variable m_changed{};
    std::vector<Block> m_free{};
    std::deque<Result<Block>> m_ready{};
    bool m_stopped = false;
    bool m_outOfMemory = false;  ///< the thread ended because of it
    std::thread m_thread{};      ///< last, so that everything it uses exists before it starts
};

}  // namespace epsilens::embedding
