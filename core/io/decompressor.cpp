#define ZLIB_CONST  // what is decompressed is not changed

#include "core/io/decompressor.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>
#include <lzma.h>
#include <zlib.h>

#include "core/base/pass_on.h"

namespace epsilens::io {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t kStoredBytes = std::size_t{256} << 10;

tl::unexpected<Error> noMemory() {
    return fail(ErrorCode::resourceLimit, "there is not enough memory to decompress the file");
}

tl::unexpected<Error> tooLargeWindow(std::string_view compression) {
    return fail(ErrorCode::resourceLimit,
                fmt::format("the {} data has a larger window than can be read; unpack the file, or "
                            "compress it again with the default options",
                            compression));
}

/// By a library that is given the stored bytes piece by piece.
class LibraryReader : public Decompressor {
public:
    LibraryReader(RawInput& raw, std::string_view start, std::string_view compression)
        : m_raw(raw),
          m_compression(compression),
          m_buffer(std::max(kStoredBytes, start.size())),
          m_size(start.size()) {
        std::copy(start.begin(), start.end(), m_buffer.begin());
    }

    /// Makes the library ready.
    [[nodiscard]] virtual Result<void> begin() = 0;
    [[nodiscard]] Result<std::size_t> read(char* target, std::size_t size) final;

protected:
    /// Puts what it can into the target, by one call of the library; returns the number of bytes,
    /// be it 0. Calls finish at the end.
    [[nodiscard]] virtual Result<std::size_t> decode(char* target, std::size_t size) = 0;

    /// The next stored bytes in one piece, `least` of them if so many are left.
    [[nodiscard]] Result<std::string_view> stored(std::size_t least = 1);
    void skipStored(std::size_t size);
    void finish() { m_atEnd = true; }

    [[nodiscard]] const std::string& compression() const { return m_compression; }
    [[nodiscard]] tl::unexpected<Error> damaged(std::string_view reason) const;
    [[nodiscard]] tl::unexpected<Error> isFollowed() const {
        return damaged("something else follows it");
    }

private:
    RawInput& m_raw;
    std::string m_compression;
    std::vector<char> m_buffer;
    std::size_t m_begin = 0;  ///< of the bytes that are left in the buffer
    std::size_t m_size = 0;   ///< number of these
    bool m_rawEnded = false;
    bool m_atEnd = false;
};

Result<std::size_t> LibraryReader::read(char* target, std::size_t size) {
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

Result<std::string_view> LibraryReader::stored(std::size_t least) {
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
    return std::string_view(m_buffer.data() + m_begin, m_size);
}

void LibraryReader::skipStored(std::size_t size) {
    m_begin += size;
    m_size -= size;
}

tl::unexpected<Error> LibraryReader::damaged(std::string_view reason) const {
    return fail(ErrorCode::badFile,
                fmt::format("the {} data is damaged or cut off ({}); fetch the file "
                            "again, or decompress it by the program that made it",
                            m_compression, reason));
}

class GzipReader final : public LibraryReader {
public:
    using LibraryReader::LibraryReader;
    ~GzipReader() override { inflateEnd(&m_stream); }

    [[nodiscard]] Result<void> begin() override {
        constexpr int kWindowBits = 15 + 16;  // the largest window; gzip alone
        return inflateInit2(&m_stream, kWindowBits) == Z_OK ? Result<void>() : noMemory();
    }

private:
    [[nodiscard]] Result<std::size_t> decode(char* target, std::size_t size) override;
    [[nodiscard]] Result<void> leaveMember();

    z_stream m_stream{};
    bool m_inMember = true;
};

/// From the end of a member to the next one or to the end of the file, where tapes and block
/// devices pad with zeros.
Result<void> GzipReader::leaveMember() {
    constexpr auto kSignature = "\x1f\x8b"sv;
    bool padded = false;
    while (true) {
        ASSIGN_OR_RETURN(const auto bytes, stored(kSignature.size()));
        const std::size_t zeros = std::min(bytes.find_first_not_of('\0'), bytes.size());
        if (bytes.empty()) {
            finish();
            return {};
        }
        if (zeros == 0) {
            break;
        }
        padded = true;
        skipStored(zeros);
    }
    ASSIGN_OR_RETURN(const auto next, stored(kSignature.size()));
    if (padded || !next.starts_with(kSignature)) {
        return isFollowed();
    }
    inflateReset(&m_stream);
    m_inMember = true;
    return {};
}

Result<std::size_t> GzipReader::decode(char* target, std::size_t size) {
    constexpr std::size_t kMostAtOnce = std::size_t{1} << 30;  // zlib counts in 32 bits
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
        return noMemory();
    }
    if (status != Z_OK && status != Z_BUF_ERROR && status != Z_STREAM_END) {
        return damaged(m_stream.msg != nullptr ? m_stream.msg : "its parts do not fit together");
    }
    m_inMember = status != Z_STREAM_END;
    const std::size_t got = room - m_stream.avail_out;
    if (m_inMember && bytes.empty() && got == 0) {
        return damaged("it ends too early");
    }
    return got;
}

class XzReader final : public LibraryReader {
public:
    using LibraryReader::LibraryReader;
    ~XzReader() override { lzma_end(&m_stream); }

    [[nodiscard]] Result<void> begin() override {
        // A dictionary of 128 MiB, and what the decoder needs beside it.
        constexpr std::uint64_t kMostMemory = std::uint64_t{130} << 20;
        constexpr std::uint32_t kFlags = LZMA_CONCATENATED | LZMA_TELL_UNSUPPORTED_CHECK;
        return lzma_stream_decoder(&m_stream, kMostMemory, kFlags) == LZMA_OK ? Result<void>()
                                                                              : noMemory();
    }

private:
    [[nodiscard]] Result<std::size_t> decode(char* target, std::size_t size) override;

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
    switch (status) {
        case LZMA_STREAM_END:
            finish();
            [[fallthrough]];
        case LZMA_OK:
            return size - m_stream.avail_out;
        case LZMA_MEMLIMIT_ERROR:
            return tooLargeWindow(compression());
        case LZMA_MEM_ERROR:
            return noMemory();
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

class ArchiveReader final : public LibraryReader {
public:
    ArchiveReader(RawInput& raw, std::string_view start, std::string_view compression)
        : LibraryReader(raw, start, compression), m_handle(archive_read_new()) {}
    ~ArchiveReader() override { archive_read_free(m_handle); }

    [[nodiscard]] Result<void> begin() override;

private:
    [[nodiscard]] Result<std::size_t> decode(char* target, std::size_t size) override;
    /// Whether there is another file.
    [[nodiscard]] Result<bool> toNextFile();
    /// Fails when a zip file is packed by a method whose memory has no bound.
    [[nodiscard]] Result<void> checkMethod() const;
    /// Reads what libarchive left of bzip2 data, and fails when something else follows it.
    [[nodiscard]] Result<void> checkEnd();
    [[nodiscard]] Result<std::string_view> nextStored();
    [[nodiscard]] tl::unexpected<Error> failure() const;
    /// Gives libarchive the next stored bytes; has the signature of archive_read_callback.
    static la_ssize_t supply(archive* handle, void* self, const void** bytes);

    archive* m_handle;
    std::optional<Error> m_rawError{};
    std::size_t m_given = 0;          ///< stored bytes that libarchive may still look at
    std::uint64_t m_supplied = 0;     ///< all that it was given
    std::uint64_t m_lastNotZero = 0;  ///< end of the last of them that is not zero
};

Result<void> ArchiveReader::begin() {
    if (m_handle == nullptr) {
        return noMemory();
    }
    if (compression() == "zip") {
        archive_read_support_format_zip_streamable(m_handle);
    } else {
        archive_read_support_format_raw(m_handle);
        archive_read_support_format_empty(m_handle);
        archive_read_support_filter_bzip2(m_handle);
        archive_read_support_filter_zstd(m_handle);
    }
    if (archive_read_open(m_handle, this, nullptr, &ArchiveReader::supply, nullptr) != ARCHIVE_OK) {
        return failure();
    }
    ASSIGN_OR_RETURN(const bool found, toNextFile());
    return found
               ? checkMethod()
               : fail(ErrorCode::badFile, fmt::format("the {} file holds no file", compression()));
}

Result<bool> ArchiveReader::toNextFile() {
    archive_entry* entry = nullptr;
    int status = ARCHIVE_OK;
    do {
        status = archive_read_next_header(m_handle, &entry);
    } while ((status == ARCHIVE_OK || status == ARCHIVE_WARN) &&
             archive_entry_filetype(entry) != AE_IFREG);
    const bool found = status == ARCHIVE_OK || status == ARCHIVE_WARN;
    return found || status == ARCHIVE_EOF ? Result<bool>(found) : failure();
}

Result<void> ArchiveReader::checkMethod() const {
    // How libarchive names the methods that take little memory.
    constexpr std::array kMethods{"(uncompressed)"sv, "(deflation)"sv, "(bzip)"sv};
    const std::string_view method = archive_format_name(m_handle);
    const bool known = std::any_of(kMethods.begin(), kMethods.end(),
                                   [method](auto name) { return method.ends_with(name); });
    return known || compression() != "zip"
               ? Result<void>()
               : fail(ErrorCode::badFile,
                      fmt::format("the zip file is packed by another method than deflation or "
                                  "bzip2 ({}); pack it again, by the usual one",
                                  method));
}

Result<std::size_t> ArchiveReader::decode(char* target, std::size_t size) {
    const la_ssize_t got = archive_read_data(m_handle, target, size);
    if (got < 0) {
        return failure();
    }
    if (got == 0) {
        finish();
        ASSIGN_OR_RETURN(const bool another, toNextFile());
        if (another) {
            return fail(ErrorCode::badFile,
                        "the zip file holds several files; give one with a single file");
        }
        if (compression() == "bzip2") {
            RETURN_IF_ERROR(checkEnd());
        }
    }
    return static_cast<std::size_t>(got);
}

Result<void> ArchiveReader::checkEnd() {
    std::string_view rest;
    do {
        ASSIGN_OR_RETURN(rest, nextStored());
    } while (!rest.empty());
    constexpr int kStored = -1;  // the filter that has the bytes of the file
    const auto used = static_cast<std::uint64_t>(archive_filter_bytes(m_handle, kStored));
    // Tapes and block devices pad with zeros, which bzip2 leaves out, too.
    return m_lastNotZero > used ? isFollowed() : Result<void>();
}

Result<std::string_view> ArchiveReader::nextStored() {
    skipStored(std::exchange(m_given, 0));
    ASSIGN_OR_RETURN(const auto piece, stored());
    const std::size_t last = piece.find_last_not_of('\0');
    if (last != std::string_view::npos) {
        m_lastNotZero = m_supplied + last + 1;
    }
    m_given = piece.size();
    m_supplied += m_given;
    return piece;
}

tl::unexpected<Error> ArchiveReader::failure() const {
    if (m_rawError) {
        return tl::unexpected(*m_rawError);
    }
    if (archive_errno(m_handle) == ENOMEM) {
        return noMemory();
    }
    const char* const reason = archive_error_string(m_handle);
    if (reason != nullptr && std::strstr(reason, "too much memory") != nullptr) {
        return tooLargeWindow(compression());
    }
    // What the library says is written for programmers, and may have several lines.
    return damaged("its parts do not fit together, or it ends too early");
}

la_ssize_t ArchiveReader::supply(archive* handle, void* self, const void** bytes) {
    auto& reader = *static_cast<ArchiveReader*>(self);
    const auto piece = reader.nextStored();
    if (!piece) {
        reader.m_rawError = piece.error();
        archive_set_error(handle, EIO, "%s", "reading failed");
        return ARCHIVE_FATAL;
    }
    *bytes = piece->data();
    return static_cast<la_ssize_t>(piece->size());
}

}  // namespace

Result<std::unique_ptr<Decompressor>> openCompressed(RawInput& raw, std::string_view start,
                                                     std::string_view compression) {
    std::unique_ptr<LibraryReader> reader;
    if (compression == "gzip") {
        reader = std::make_unique<GzipReader>(raw, start, compression);
    } else if (compression == "xz") {
        reader = std::make_unique<XzReader>(raw, start, compression);
    } else {
        reader = std::make_unique<ArchiveReader>(raw, start, compression);
    }
    RETURN_IF_ERROR(reader->begin());
    return reader;
}

}  // namespace epsilens::io
