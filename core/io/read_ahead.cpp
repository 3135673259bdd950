#include "core/io/read_ahead.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include <fmt/format.h>

#include "core/base/pass_on.h"

namespace epsilens::io {

ReadAhead::ReadAhead(std::size_t blockBytes, Fill fill) : m_fill(std::move(fill)) {
    for (Filled& filled : m_blocks) {
        filled.block.buffer.resize(blockBytes);
    }
    m_thread = std::jthread([this](const std::stop_token& stop) { fillAll(stop); });
}

ReadAhead::~ReadAhead() {
    m_thread.request_stop();
    m_free.release();
}

void ReadAhead::fillAll(const std::stop_token& stop) {
    bool more = true;
    for (std::size_t i = 0; more; ++i) {
        m_free.acquire();
        if (stop.stop_requested()) {
            return;
        }
        Filled& filled = m_blocks[i % kBlocks];
        try {
            filled.more = m_fill(filled.block);
        } catch (const std::bad_alloc&) {
            filled.more.reset();
        }
        more = filled.more && filled.more->value_or(false);
        m_ready.release();
    }
}

Result<std::string_view> ReadAhead::next() {
    if (m_ended) {
        return std::string_view();
    }
    if (m_handedOut > 0) {
        m_free.release();
    }
    m_ready.acquire();
    const Filled& filled = m_blocks[m_handedOut++ % kBlocks];
    m_ended = !filled.more || !filled.more->value_or(false);
    if (!filled.more) {
        throw std::bad_alloc();
    }
    RETURN_IF_ERROR(*filled.more);
    return std::string_view(filled.block.buffer.data(), filled.block.size);
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
