#include "core/io/byte_cursor.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "core/base/pass_on.h"

namespace epsilens::io {
namespace {

constexpr std::size_t kCursorBytes = std::size_t{1} << 20;

tl::unexpected<Error> cutOff(std::string_view what) {
    return fail(ErrorCode::badFile, fmt::format("the file ends in {}; it may be cut off", what));
}

}  // namespace

ByteCursor::ByteCursor(ByteSource& source)
    : m_source(source),
      m_bytesLeft(source.bytesLeft()),
      m_blocks(source.bufferSize(kCursorBytes), [&source](ReadAhead::Block& block) -> Result<bool> {
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
