#include "core/embedding/gzip_reader.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <zlib.h>

namespace epsilens::embedding {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{256} << 10;
constexpr std::size_t kMostAtOnce = std::size_t{1} << 30;  ///< zlib counts in 32 bits
constexpr int kGzipWindowBits = 15 + 16;                   ///< the largest window; gzip alone

tl::unexpected<Error> damaged(const char* reason) {
    return fail(ErrorCode::badFile, fmt::format("the gzip data is damaged or cut off ({})",
                                                reason != nullptr ? reason : "unknown reason"));
}

}  // namespace

void GzipReader::StreamDeleter::operator()(z_stream_s* stream) const {
    inflateEnd(stream);
    delete stream;
}

GzipReader::GzipReader(RawInput& raw, std::string start)
    : m_raw(raw), m_start(std::move(start)), m_buffer(kBufferBytes), m_stream(new z_stream_s{}) {
    m_stream->next_in = reinterpret_cast<unsigned char*>(m_start.data());
    m_stream->avail_in = static_cast<unsigned>(m_start.size());
}

Result<std::unique_ptr<GzipReader>> GzipReader::open(RawInput& raw, std::string start) {
    std::unique_ptr<GzipReader> reader(new GzipReader(raw, std::move(start)));
    if (inflateInit2(reader->m_stream.get(), kGzipWindowBits) != Z_OK) {
        return fail(ErrorCode::resourceLimit, "there is not enough memory to decompress the file");
    }
    return reader;
}

Result<void> GzipReader::refill() {
    if (m_stream->avail_in > 0 || m_rawEnded) {
        return {};
    }
    const auto got = m_raw.read(reinterpret_cast<char*>(m_buffer.data()), m_buffer.size());
    if (!got) {
        return tl::unexpected(got.error());
    }
    m_rawEnded = *got == 0;
    m_stream->next_in = m_buffer.data();
    m_stream->avail_in = static_cast<unsigned>(*got);
    return {};
}

Result<void> GzipReader::leaveMember() {
    if (m_rawEnded) {
        m_place = Place::atEnd;
        return {};
    }
    // Tapes and block devices pad with zeros.
    const unsigned char* begin = m_stream->next_in;
    const unsigned char* end = begin + m_stream->avail_in;
    const unsigned char* next = std::find_if(begin, end, [](auto byte) { return byte != 0; });
    if (next != begin) {
        m_place = Place::inPadding;
        m_stream->avail_in = static_cast<unsigned>(end - next);
    }
    if (next == end) {
        return {};
    }
    if (m_place == Place::inPadding) {
        return damaged("something else follows it");
    }
    inflateReset(m_stream.get());
    m_place = Place::inMember;
    return {};
}

Result<std::size_t> GzipReader::inflateSome(char* target, std::size_t size) {
    if (m_rawEnded) {
        return damaged("it ends too early");
    }
    const auto room = static_cast<unsigned>(std::min(size, kMostAtOnce));
    m_stream->next_out = reinterpret_cast<unsigned char*>(target);
    m_stream->avail_out = room;
    const int status = inflate(m_stream.get(), Z_NO_FLUSH);
    if (status == Z_MEM_ERROR) {
        return fail(ErrorCode::resourceLimit, "there is not enough memory to decompress the file");
    }
    if (status == Z_STREAM_END) {
        m_place = Place::betweenMembers;
    } else if (status != Z_OK && status != Z_BUF_ERROR) {
        return damaged(m_stream->msg);
    }
    return room - m_stream->avail_out;
}

Result<std::size_t> GzipReader::read(char* target, std::size_t size) {
    while (m_place != Place::atEnd && size > 0) {
        // Few stored bytes may hold so many that the next look at the stop request would be late.
        if (m_raw.stopRequested()) {
            return fail(ErrorCode::cancelled, "loading was cancelled");
        }
        if (auto filled = refill(); !filled) {
            return tl::unexpected(filled.error());
        }
        if (m_place != Place::inMember) {
            if (auto left = leaveMember(); !left) {
                return tl::unexpected(left.error());
            }
        } else if (auto got = inflateSome(target, size); !got || *got > 0) {
            return got;
        }
    }
    return 0;
}

}  // namespace epsilens::embedding
