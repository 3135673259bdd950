#define ZLIB_CONST  // what is decompressed is not changed

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include <fmt/format.h>
#include <lzma.h>
#include <zlib.h>

#include "core/base/pass_on.h"
#include "core/io/decompressor.h"

namespace epsilens::io {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t kStoredBytes = std::size_t{256} << 10;

/// Decompresses one stream of data, or several behind each other, by a library that is given the
/// stored bytes piece by piece.
class StreamDecompressor : public Decompressor {
public:
    [[nodiscard]] Result<std::size_t> read(char* target, std::size_t size) final;

protected:
    /// raw          must outlive the decompressor
    /// start        bytes already taken from raw
    /// compression  as ByteSource::compression
    StreamDecompressor(RawInput& raw, std::string_view start, std::string_view compression);

    /// Puts what it can into the target, by one call of the library; returns the number of bytes,
    /// be it 0. Calls finish at the end.
    [[nodiscard]] virtual Result<std::size_t> decode(char* target, std::size_t size) = 0;

    /// The next stored bytes in one piece, `least` of them if so many are left.
    [[nodiscard]] Result<std::string_view> stored(std::size_t least = 1);
    void skipStored(std::size_t size);
    /// Between two streams: whether another one follows, rather than the end of the file or zeros
    /// up to there, as tapes and block devices pad with. Fails with badFile when something follows
    /// zeros.
    [[nodiscard]] Result<bool> anotherFollows();
    void finish() { m_atEnd = true; }

    [[nodiscard]] tl::unexpected<Error> damaged(std::string_view reason) const;
    [[nodiscard]] tl::unexpected<Error> endsTooEarly() const;
    [[nodiscard]] tl::unexpected<Error> isFollowed() const;

private:
    [[nodiscard]] std::string_view left() const { return {m_buffer.data() + m_begin, m_size}; }

    RawInput& m_raw;
    std::string_view m_compression;
    std::vector<char> m_buffer;
    std::size_t m_begin = 0;  ///< of the bytes that are left in the buffer
    std::size_t m_size = 0;   ///< number of these
    bool m_rawEnded = false;
    bool m_atEnd = false;
};

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

constexpr std::size_t kMostAtOnce = std::size_t{1} << 30;  ///< zlib counts in 32 bits
constexpr int kGzipWindowBits = 15 + 16;                   ///< the largest window; gzip alone
constexpr auto kMemberSignature = "\x1f\x8b"sv;

class GzipReader final : public StreamDecompressor {
public:
    GzipReader(RawInput& raw, std::string_view start) : StreamDecompressor(raw, start, "gzip") {}
    ~GzipReader() override { inflateEnd(&m_stream); }
    GzipReader(const GzipReader&) = delete;
    GzipReader& operator=(const GzipReader&) = delete;

    [[nodiscard]] bool begin() { return inflateInit2(&m_stream, kGzipWindowBits) == Z_OK; }

private:
    [[nodiscard]] Result<std::size_t> decode(char* target, std::size_t size) override;
    /// From the end of a member to the next one, or to the end of the file.
    [[nodiscard]] Result<void> leaveMember();

    z_stream m_stream{};
    bool m_inMember = true;
};

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
    inflateReset(&m_stream);
    m_inMember = true;
    return {};
}

Result<std::size_t> GzipReader::decode(char* target, std::size_t size) {
    if (!m_inMember) {
        return leaveMember().map([] { return std::size_t{0}; });
    }
    ASSIGN_OR_RETURN(const auto bytes, stored());
    const auto room = static_cast<unsigned>(std::min(size, kMostAtOnce));
    m_stream.next_in = reinterpret_cast<const unsigned char*>(bytes.data());
    m_stream.avail_in = static_cast<unsigned>(bytes.size());
    m_stream.next_out = reinterpret_cast<unsigned char*>(target);
    m_stream.avail_out = room;
    const int status = inflate(&m_stream, Z_NO_FLUSH);
    skipStored(bytes.size() - m_stream.avail_in);
    if (status == Z_MEM_ERROR) {
        return noMemoryToDecompress();
    }
    if (status != Z_OK && status != Z_BUF_ERROR && status != Z_STREAM_END) {
        return damaged(m_stream.msg != nullptr ? m_stream.msg : "its parts do not fit together");
    }
    m_inMember = status != Z_STREAM_END;
    const std::size_t got = room - m_stream.avail_out;
    if (m_inMember && bytes.empty() && got == 0) {
        return endsTooEarly();
    }
    return got;
}

/// Makes the decoder ask before it takes memory for a block of data.
constexpr std::uint64_t kAskAlways = 1;

class XzReader final : public StreamDecompressor {
public:
    XzReader(RawInput& raw, std::string_view start, const MemoryBudget& budget)
        : StreamDecompressor(raw, start, "xz"), m_budget(budget) {}
    ~XzReader() override { lzma_end(&m_stream); }
    XzReader(const XzReader&) = delete;
    XzReader& operator=(const XzReader&) = delete;

    [[nodiscard]] bool begin() {
        constexpr std::uint32_t kFlags = LZMA_CONCATENATED | LZMA_TELL_UNSUPPORTED_CHECK;
        return lzma_stream_decoder(&m_stream, kAskAlways, kFlags) == LZMA_OK;
    }

private:
    [[nodiscard]] Result<std::size_t> decode(char* target, std::size_t size) override;
    /// Goes by what liblzma said of its last piece of work.
    [[nodiscard]] Result<void> heed(lzma_ret status);
    [[nodiscard]] Result<void> allowMemory();

    MemoryBudget m_budget;
    lzma_stream m_stream = LZMA_STREAM_INIT;
};

Result<std::size_t> XzReader::decode(char* target, std::size_t size) {
    ASSIGN_OR_RETURN(const auto bytes, stored());
    m_stream.next_in = reinterpret_cast<const std::uint8_t*>(bytes.data());
    m_stream.avail_in = bytes.size();
    m_stream.next_out = reinterpret_cast<std::uint8_t*>(target);
    m_stream.avail_out = size;
    const lzma_ret status = lzma_code(&m_stream, bytes.empty() ? LZMA_FINISH : LZMA_RUN);
    skipStored(bytes.size() - m_stream.avail_in);
    RETURN_IF_ERROR(heed(status));
    return size - m_stream.avail_out;
}

Result<void> XzReader::heed(lzma_ret status) {
    switch (status) {
        case LZMA_OK:
            return {};
        case LZMA_STREAM_END:
            finish();
            return {};
        case LZMA_MEMLIMIT_ERROR:
            return allowMemory();
        case LZMA_MEM_ERROR:
            return noMemoryToDecompress();
        case LZMA_BUF_ERROR:
            return damaged("it ends too early, or something short follows it");
        case LZMA_FORMAT_ERROR:
            return isFollowed();
        case LZMA_UNSUPPORTED_CHECK:
        case LZMA_OPTIONS_ERROR:
            return damaged("it asks for a check sum or filter that is not known");
        default:
            return damaged("its check sums do not fit");
    }
}

Result<void> XzReader::allowMemory() {
    const std::uint64_t needed = lzma_memusage(&m_stream);
    if (auto reserved = m_budget.reserve(
            static_cast<double>(needed), "the buffers to decompress the xz data",
            "unpack the file, or compress it again with a smaller dictionary, as xz -6 has");
        !reserved) {
        return reserved;
    }
    lzma_memlimit_set(&m_stream, needed);
    return {};
}

template <typename Reader>
Result<std::unique_ptr<Decompressor>> begun(std::unique_ptr<Reader> reader) {
    if (!reader->begin()) {
        return noMemoryToDecompress();
    }
    return reader;
}

}  // namespace

tl::unexpected<Error> damagedData(std::string_view compression, std::string_view reason) {
    return fail(ErrorCode::badFile,
                fmt::format("the {} data is damaged or cut off ({}); fetch the file "
                            "again, or decompress it by the program that made it",
                            compression, reason));
}

tl::unexpected<Error> noMemoryToDecompress() {
    return fail(ErrorCode::resourceLimit, "there is not enough memory to decompress the file");
}

Result<std::unique_ptr<Decompressor>> openGzip(RawInput& raw, std::string_view start) {
    return begun(std::make_unique<GzipReader>(raw, start));
}

Result<std::unique_ptr<Decompressor>> openXz(RawInput& raw, std::string_view start,
                                             const MemoryBudget& budget) {
    return begun(std::make_unique<XzReader>(raw, start, budget));
}

}  // namespace epsilens::io
