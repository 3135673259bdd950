#include "core/io/read_ahead.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include <fmt/format.h>

namespace epsilens::io {
namespace {

constexpr std::size_t kCursorBytes = std::size_t{1} << 20;

/// `largest`, or for less than that a byte more than is left, so that the end is found while the
/// block is filled for the first time.
std::size_t blockSize(const ByteSource& source, std::size_t largest) {
    const auto left = source.bytesLeft();
    return left && *left < largest ? static_cast<std::size_t>(*left) + 1 : largest;
}

tl::unexpected<Error> cutOff(std::string_view what) {
    return fail(ErrorCode::badFile, fmt::format("the file ends in {}; it may be cut off", what));
}

}  // namespace

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

std::string_view takeLine(std::string_view& text) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return line;
}

ReadAhead lineBlocks(ByteSource& source, std::size_t blockBytes) {
    // carry: the begin of the line that did not fit into the last block
    const auto fill =
        [&source, carry = std::vector<char>()](ReadAhead::Block& block) mutable -> Result<bool> {
        block.buffer.resize(std::max(block.buffer.size(), 2 * carry.size()));
        std::ranges::copy(carry, block.buffer.begin());
        block.size = carry.size();
        carry.clear();
        while (true) {
            char* const begin = block.buffer.data();
            ASSIGN_OR_RETURN(const auto got,
                             source.read(begin + block.size, block.buffer.size() - block.size));
            block.size += got;
            if (block.size < block.buffer.size()) {
                return false;
            }
            if (const void* last = ::memrchr(begin, '\n', block.size)) {
                char* const end = begin + block.size;
                block.size = static_cast<std::size_t>(static_cast<const char*>(last) - begin) + 1;
                carry.assign(begin + block.size, end);
                return true;
            }
            if (block.size >= kLongestLine) {
                return fail(
                    ErrorCode::badFile,
                    fmt::format("this is not readable text: it has a line of more than {} MiB",
                                kLongestLine >> 20));
            }
            block.buffer.resize(2 * block.buffer.size());
        }
    };
    return {blockSize(source, blockBytes), fill};
}

ByteCursor::ByteCursor(ByteSource& source)
    : m_source(source),
      m_bytesLeft(source.bytesLeft()),
      m_blocks(blockSize(source, kCursorBytes), [&source](ReadAhead::Block& block) -> Result<bool> {
          ASSIGN_OR_RETURN(const auto got, source.read(block.buffer.data(), block.buffer.size()));
          block.size = got;
          return block.size == block.buffer.size();
      }) {}

void ByteCursor::consume(std::size_t size) {
    m_buffered.remove_prefix(size);
    if (m_bytesLeft) {
        *m_bytesLeft -= size;
    }
}

Result<bool> ByteCursor::atEnd() {
    if (m_buffered.empty()) {
        // What was read ahead before the request is not parsed after it.
        if (m_source.stopRequested()) {
            return fail(ErrorCode::cancelled, "loading was cancelled");
        }
        ASSIGN_OR_RETURN(const auto next, m_blocks.next());
        m_buffered = next;
    }
    return m_buffered.empty();
}

Result<void> ByteCursor::take(std::uint64_t size, char* target, std::string_view what) {
    while (size > 0) {
        ASSIGN_OR_RETURN(const bool ended, atEnd());
        if (ended) {
            return cutOff(what);
        }
        const auto part =
            static_cast<std::size_t>(std::min<std::uint64_t>(size, m_buffered.size()));
        if (target != nullptr) {
            std::memcpy(target, m_buffered.data(), part);
            target += part;
        }
        consume(part);
        size -= part;
    }
    return {};
}

Result<std::string> ByteCursor::readTextUntil(char end, std::string_view what) {
    std::string text;
    while (true) {
        ASSIGN_OR_RETURN(const auto ended, atEnd());
        if (ended) {
            return cutOff(what);
        }
        const std::size_t found = m_buffered.find(end);
        text.append(m_buffered.substr(0, found));
        consume(std::min(found, m_buffered.size()));
        if (text.size() > kLongestText) {
            return fail(ErrorCode::badFile,
                        fmt::format("the word of {} is longer than {} bytes; the file is damaged",
                                    what, kLongestText));
        }
        if (found != std::string_view::npos) {
            consume(1);
            return text;
        }
    }
}

Result<bool> ByteCursor::skipIf(char byte) {
    ASSIGN_OR_RETURN(const bool ended, atEnd());
    if (ended || m_buffered.front() != byte) {
        return false;
    }
    consume(1);
    return true;
}

}  // namespace epsilens::io
