#include "core/io/read_ahead.h"

#include <new>
#include <utility>

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

}  // namespace epsilens::io
