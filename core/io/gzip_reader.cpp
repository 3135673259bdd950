#define ZLIB_CONST  // what is decompressed is not changed

#include "core/io/gzip_reader.h"

#include <algorithm>

#include <zlib.h>

#include "core/base/pass_on.h"

namespace epsilens::io {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t kMostAtOnce = std::size_t{1} << 30;  ///< zlib counts in 32 bits
constexpr int kGzipWindowBits = 15 + 16;                   ///< the largest window; gzip alone
constexpr auto kMemberSignature = "\x1f\x8b"sv;

}  // namespace

void GzipReader::StreamDeleter::operator()(z_stream_s* stream) const {
    inflateEnd(stream);
    delete stream;
}

GzipReader::GzipReader(RawInput& raw, std::string_view start)
    : StreamDecompressor(raw, start, "gzip"), m_stream(new z_stream_s{}) {}

Result<std::unique_ptr<GzipReader>> GzipReader::open(RawInput& raw, std::string_view start) {
    std::unique_ptr<GzipReader> reader(new GzipReader(raw, start));
    if (inflateInit2(reader->m_stream.get(), kGzipWindowBits) != Z_OK) {
        return noMemoryToDecompress();
    }
    return reader;
}

Result<void> GzipReader::leaveMember() {
    ASSIGN_OR_RETURN(const auto another, anotherFollows());
    if (!another) {
        finish();
        return {};
    }
    ASSIGN_OR_RETURN(const auto bytes, stored(kMemberSignature.size()));
    if (!bytes.starts_with(kMemberSignature)) {
        return isFollowed();
    }
    inflateReset(m_stream.get());
    m_inMember = true;
    return {};
}

Result<std::size_t> GzipReader::decode(char* target, std::size_t size) {
    if (!m_inMember) {
        return leaveMember().map([] { return std::size_t{0}; });
    }
    ASSIGN_OR_RETURN(const auto bytes, stored());
    const auto room = static_cast<unsigned>(std::min(size, kMostAtOnce));
    m_stream->next_in = reinterpret_cast<const unsigned char*>(bytes.data());
    m_stream->avail_in = static_cast<unsigned>(bytes.size());
    m_stream->next_out = reinterpret_cast<unsigned char*>(target);
    m_stream->avail_out = room;
    const int status = inflate(m_stream.get(), Z_NO_FLUSH);
    skipStored(bytes.size() - m_stream->avail_in);
    if (status == Z_MEM_ERROR) {
        return noMemoryToDecompress();
    }
    if (status != Z_OK && status != Z_BUF_ERROR && status != Z_STREAM_END) {
        return damaged(m_stream->msg != nullptr ? m_stream->msg : "its parts do not fit together");
    }
    m_inMember = status != Z_STREAM_END;
    const std::size_t got = room - m_stream->avail_out;
    if (m_inMember && bytes.empty() && got == 0) {
        return endsTooEarly();
    }
    return got;
}

}  // namespace epsilens::io
