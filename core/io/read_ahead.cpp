#include "core/io/read_ahead.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "core/base/pass_on.h"

namespace epsilens::io {

ReadAhead::ReadAhead(std::size_t blockBytes, Fill fill) : m_fill(std::move(fill)) {
    m_current.buffer.resize(blockBytes);
    m_next.buffer.resize(blockBytes);
    fillNext();
}

void ReadAhead::fillNext() {
    // Where no thread can be started, the block is filled when it is asked for.
    m_filled =
        std::async(std::launch::async | std::launch::deferred, [this] { return m_fill(m_next); });
}

Result<std::string_view> ReadAhead::next() {
    if (!m_filled.valid()) {
        return std::string_view();
    }
    ASSIGN_OR_RETURN(const auto more, m_filled.get());
    std::swap(m_current, m_next);
    if (more) {
        fillNext();
    }
    return std::string_view(m_current.buffer.data(), m_current.size);
}

LineBlocks::LineBlocks(ByteSource& source, std::size_t blockBytes)
    : m_source(source), m_blocks(source.bufferSize(blockBytes), [this](ReadAhead::Block& block) {
          return fill(block);
      }) {}

Result<bool> LineBlocks::fill(ReadAhead::Block& block) {
    block.buffer.resize(std::max(block.buffer.size(), 2 * m_carry.size()));
    std::copy(m_carry.begin(), m_carry.end(), block.buffer.begin());
    block.size = m_carry.size();
    m_carry.clear();
    while (true) {
        char* const begin = block.buffer.data();
        ASSIGN_OR_RETURN(const auto got,
                         m_source.read(begin + block.size, block.buffer.size() - block.size));
        block.size += got;
        if (block.size < block.buffer.size()) {
            return false;
        }
        if (const void* last = ::memrchr(begin, '\n', block.size)) {
            char* const end = begin + block.size;
            block.size = static_cast<std::size_t>(static_cast<const char*>(last) - begin) + 1;
            m_carry.assign(begin + block.size, end);
            return true;
        }
        if (block.size >= kLongestLine) {
            return fail(ErrorCode::badFile,
                        fmt::format("this is not readable text: it has a line of more than {} MiB",
                                    kLongestLine >> 20));
        }
        block.buffer.resize(2 * block.buffer.size());
    }
}

}  // namespace epsilens::io
