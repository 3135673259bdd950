#include "core/io/stream_decompressor.h"

#include <algorithm>
#include <cstring>

#include "core/base/pass_on.h"

namespace epsilens::io {
namespace {

constexpr std::size_t kStoredBytes = std::size_t{256} << 10;

}  // namespace

StreamDecompressor::StreamDecompressor(RawInput& raw, std::string_view start,
                                       std::string_view compression)
    : m_raw(raw),
      m_compression(compression),
      m_buffer(std::max(kStoredBytes, start.size())),
      m_size(start.size()) {
    std::copy(start.begin(), start.end(), m_buffer.begin());
}

Result<std::size_t> StreamDecompressor::read(char* target, std::size_t size) {
    while (!m_atEnd && size > 0) {
        // Few stored bytes may hold so many that the next look at the stop request would be late.
        if (m_raw.stopRequested()) {
            return fail(ErrorCode::cancelled, "loading was cancelled");
        }
        auto got = decode(target, size);
        if (!got || *got > 0) {
            return got;
        }
    }
    return 0;
}

Result<std::string_view> StreamDecompressor::stored(std::size_t least) {
    if (m_size < least && m_begin > 0) {
        std::memmove(m_buffer.data(), m_buffer.data() + m_begin, m_size);
        m_begin = 0;
    }
    while (m_size < least && !m_rawEnded) {
        ASSIGN_OR_RETURN(const auto got,
                         m_raw.read(m_buffer.data() + m_size, m_buffer.size() - m_size));
        m_size += got;
        m_rawEnded = got == 0;
    }
    return left();
}

void StreamDecompressor::skipStored(std::size_t size) {
    m_begin += size;
    m_size -= size;
}

Result<bool> StreamDecompressor::anotherFollows() {
    bool padded = false;
    while (true) {
        ASSIGN_OR_RETURN(const auto bytes, stored());
        const std::size_t zeros = std::min(bytes.find_first_not_of('\0'), bytes.size());
        padded = padded || zeros > 0;
        if (bytes.size() > zeros) {
            return padded ? Result<bool>(isFollowed()) : true;
        }
        if (bytes.empty()) {
            return false;
        }
        skipStored(zeros);
    }
}

tl::unexpected<Error> StreamDecompressor::damaged(std::string_view reason) const {
    return damagedData(m_compression, reason);
}

tl::unexpected<Error> StreamDecompressor::endsTooEarly() const {
    return damaged("it ends too early");
}

tl::unexpected<Error> StreamDecompressor::isFollowed() const {
    return damaged("something else follows it");
}

}  // namespace epsilens::io
