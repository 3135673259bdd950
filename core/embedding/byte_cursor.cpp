#include "core/embedding/byte_cursor.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

namespace epsilens::embedding {
namespace {

constexpr std::size_t kCursorBytes = std::size_t{1} << 20;

tl::unexpected<Error> cutOff(std::string_view what) {
    return fail(ErrorCode::badFile, fmt::format("the file ends in {}; it may be cut off", what));
}

}  // namespace

ByteCursor::ByteCursor(ByteSource& source) : m_source(source), m_buffer(kCursorBytes) {}

Result<void> ByteCursor::refill() {
    const auto got = m_source.read(m_buffer.data(), m_buffer.size());
    if (!got) {
        return tl::unexpected(got.error());
    }
    m_at = 0;
    m_size = *got;
    return {};
}

Result<bool> ByteCursor::atEnd() {
    if (buffered() == 0) {
        if (const auto done = refill(); !done) {
            return tl::unexpected(done.error());
        }
    }
    return buffered() == 0;
}

Result<void> ByteCursor::readBytes(void* target, std::size_t size, std::string_view what) {
    auto* to = static_cast<char*>(target);
    while (size > 0) {
        const auto ended = atEnd();
        if (!ended) {
            return tl::unexpected(ended.error());
        }
        if (*ended) {
            return cutOff(what);
        }
        const std::size_t part = std::min(size, buffered());
        std::memcpy(to, m_buffer.data() + m_at, part);
        m_at += part;
        to += part;
        size -= part;
    }
    return {};
}

Result<void> ByteCursor::skipBytes(std::uint64_t size, std::string_view what) {
    while (size > 0) {
        const auto ended = atEnd();
        if (!ended) {
            return tl::unexpected(ended.error());
        }
        if (*ended) {
            return cutOff(what);
        }
        const std::uint64_t part = std::min<std::uint64_t>(size, buffered());
        m_at += static_cast<std::size_t>(part);
        size -= part;
    }
    return {};
}

Result<std::string> ByteCursor::readTextUntil(char end, std::string_view what) {
    std::string text;
    while (true) {
        const auto ended = atEnd();
        if (!ended) {
            return tl::unexpected(ended.error());
        }
        if (*ended) {
            return cutOff(what);
        }
        const std::string_view rest(m_buffer.data() + m_at, buffered());
        const std::size_t found = rest.find(end);
        text.append(rest.substr(0, found));
        m_at += std::min(found, rest.size());
        if (text.size() > kLongestText) {
            return fail(ErrorCode::badFile,
                        fmt::format("the word of {} is longer than {} bytes; the file is damaged",
                                    what, kLongestText));
        }
        if (found != std::string_view::npos) {
            ++m_at;
            return text;
        }
    }
}

Result<bool> ByteCursor::skipIf(char byte) {
    auto ended = atEnd();
    if (!ended) {
        return ended;
    }
    if (*ended || m_buffer[m_at] != byte) {
        return false;
    }
    ++m_at;
    return true;
}

std::optional<std::uint64_t> ByteCursor::bytesLeft() const {
    const auto left = m_source.bytesLeft();
    return left ? std::optional(*left + buffered()) : std::nullopt;
}

}  // namespace epsilens::embedding
