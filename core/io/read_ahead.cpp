#include "core/io/read_ahead.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include <fmt/format.h>

#include "core/base/pass_on.h"

namespace epsilens::io {

ReadAhead::ReadAhead(std::size_t blockBytes, Fill fill) : m_fill(std::move(fill)) {
    m_free.resize(kBuffers - 1);
    for (Block& block : m_free) {
        block.buffer.resize(blockBytes);
    }
    m_current.buffer.resize(blockBytes);
    m_thread = std::thread([this] { fillAll(); });
}

ReadAhead::~ReadAhead() {
    stop();
}

void ReadAhead::stop() {
    {
        const std::lock_guard lock(m_mutex);
        m_stopped = true;
    }
    m_changed.notify_all();
    if (m_thread.joinable()) {
        m_thread.join();
    }
}

Result<std::string_view> ReadAhead::next() {
    std::unique_lock lock(m_mutex);
    if (m_ended) {
        return std::string_view();
    }
    m_free.push_back(std::move(m_current));
    m_changed.notify_all();
    m_changed.wait(lock, [this] { return !m_ready.empty() || m_outOfMemory; });
    if (m_ready.empty()) {
        throw std::bad_alloc();
    }
    Result<Block> block = std::move(m_ready.front());
    m_ready.pop_front();
    if (!block) {
        return tl::unexpected(block.error());
    }
    m_current = std::move(*block);
    m_ended = m_current.size == 0;
    return std::string_view(m_current.buffer.data(), m_current.size);
}

void ReadAhead::fillAll() {
    try {
        fillBlocks();
    } catch (const std::bad_alloc&) {
        {
            const std::lock_guard lock(m_mutex);
            m_outOfMemory = true;
        }
        m_changed.notify_all();
    }
}

void ReadAhead::fillBlocks() {
    bool more = true;
    while (more) {
        Block block;
        if (!takeFree(block)) {
            return;
        }
        const Result<bool> filled = m_fill(block);
        more = filled.value_or(false);
        const bool empty = block.size == 0;
        publish(filled ? Result<Block>(std::move(block)) : tl::unexpected(filled.error()));
        if (filled && !more && !empty) {
            publish(Block{});
        }
    }
}

bool ReadAhead::takeFree(Block& block) {
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [this] { return m_stopped || !m_free.empty(); });
    if (m_stopped) {
        return false;
    }
    block = std::move(m_free.back());
    m_free.pop_back();
    return true;
}

void ReadAhead::publish(Result<Block> block) {
    {
        const std::lock_guard lock(m_mutex);
        m_ready.push_back(std::move(block));
    }
    m_changed.notify_all();
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
