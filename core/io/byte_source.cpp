#define ZLIB_CONST  // what is decompressed is not changed

#include "core/io/byte_source.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

#include <archive.h>
#include <archive_entry.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <lzma.h>
#include <openssl/evp.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

namespace epsilens::io {

using namespace std::string_view_literals;

namespace {

/// Largest piece read and hashed at once: small enough to be hashed while it is in the cache.
constexpr std::size_t kPieceBytes = std::size_t{256} << 10;
constexpr int kPollMs = 50;

tl::unexpected<Error> failure(std::string_view what, int code) {
    return fail(ErrorCode::badFile,
                fmt::format("{}{}", what, std::system_category().message(code)));
}

tl::unexpected<Error> cancelled() {
    return fail(ErrorCode::cancelled, "loading was cancelled");
}

tl::unexpected<Error> changed() {
    return fail(ErrorCode::badFile, "the file changed while it was read");
}

using Digest = std::array<unsigned char, 32>;

std::string inHexadecimal(const Digest& digest) {
    return fmt::format("{:02x}", fmt::join(digest, ""));
}

std::int64_t modificationTime(const struct stat& status) {
    return static_cast<std::int64_t>(status.st_mtim.tv_sec) * 1'000'000'000 +
           status.st_mtim.tv_nsec;
}

}  // namespace

RawInput::RawInput(int descriptor, bool owned, std::stop_token stop)
    : m_descriptor(descriptor),
      m_owned(owned),
      m_stop(std::move(stop)),
      m_digest(EVP_MD_CTX_new(), &EVP_MD_CTX_free) {
    EVP_DigestInit_ex(m_digest.get(), EVP_sha256(), nullptr);
}

RawInput::~RawInput() {
    if (m_owned) {
        ::close(m_descriptor);
    }
}

Result<std::unique_ptr<RawInput>> RawInput::open(const std::string& path, std::stop_token stop) {
    const bool standardInput = path == "-";
    // Without O_NONBLOCK, opening a FIFO waits for a writer and cannot be cancelled.
    const int descriptor = standardInput
                               ? STDIN_FILENO
                               : ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (descriptor < 0) {
        return failure("cannot open the file: ", errno);
    }
    std::unique_ptr<RawInput> input(new RawInput(descriptor, !standardInput, std::move(stop)));
    struct stat status {};
    if (::fstat(descriptor, &status) != 0) {
        return failure("cannot examine the file: ", errno);
    }
    if (S_ISDIR(status.st_mode)) {
        return fail(ErrorCode::badFile, "this is a folder; give a file");
    }
    // Standard input of a regular file may stand anywhere in it, so it is read as a stream.
    if (standardInput || S_ISFIFO(status.st_mode)) {
        return input;
    }
    if (!S_ISREG(status.st_mode)) {
        return fail(ErrorCode::badFile, "this is a device; give a file or a pipe");
    }
    input->m_size = static_cast<std::uint64_t>(status.st_size);
    input->m_modifiedNs = modificationTime(status);
    return input;
}

Result<std::size_t> RawInput::read(char* target, std::size_t size) {
    const std::uint64_t left = m_size ? *m_size - m_bytesRead : kPieceBytes;
    const auto wanted =
        static_cast<std::size_t>(std::min<std::uint64_t>({size, left, kPieceBytes}));
    while (!m_stop.stop_requested()) {
        if (wanted == 0) {
            return 0;
        }
        pollfd waiting{m_descriptor, POLLIN, 0};  // a regular file is always ready
        const int ready = ::poll(&waiting, 1, kPollMs);
        if (ready == 0 || (ready < 0 && errno == EINTR)) {
            continue;
        }
        const ssize_t got = ::read(m_descriptor, target, wanted);
        if (got == 0 && m_size) {
            return changed();
        }
        if (got >= 0) {
            EVP_DigestUpdate(m_digest.get(), target, static_cast<std::size_t>(got));
            m_bytesRead += static_cast<std::uint64_t>(got);
            return static_cast<std::size_t>(got);
        }
        if (errno != EINTR && errno != EAGAIN) {
            return failure("reading failed: ", errno);
        }
    }
    return cancelled();
}

Result<std::string> RawInput::finish() {
    std::vector<char> rest(kPieceBytes);
    for (std::size_t got = 1; got > 0;) {
        ASSIGN_OR_RETURN(const auto piece, read(rest.data(), rest.size()));
        got = piece;
    }
    struct stat status {};
    if (m_size && (::fstat(m_descriptor, &status) != 0 ||
                   static_cast<std::uint64_t>(status.st_size) != *m_size ||
                   modificationTime(status) != m_modifiedNs)) {
        return changed();
    }
    Digest digest{};
    EVP_DigestFinal_ex(m_digest.get(), digest.data(), nullptr);
    return inHexadecimal(digest);
}

std::string sha256(std::string_view bytes) {
    Digest digest{};
    EVP_Digest(bytes.data(), bytes.size(), digest.data(), nullptr, EVP_sha256(), nullptr);
    return inHexadecimal(digest);
}

/// The content of a compressed file, by a library that is given the stored bytes piece by piece.
/// Takes no more memory than a window of 128 MiB needs, whatever the file asks for.
class Decompressor {
public:
    /// raw          must outlive the decompressor
    /// start        bytes already taken from raw
    /// compression  as ByteSource::compression
    Decompressor(RawInput& raw, std::string_view start, std::string_view compression)
        : m_compression(compression), m_raw(raw), m_buffer(kStoredBytes), m_size(start.size()) {
        std::ranges::copy(start, m_buffer.begin());
    }
    virtual ~Decompressor() = default;
    Decompressor(const Decompressor&) = delete;
    Decompressor& operator=(const Decompressor&) = delete;

    /// Makes the library ready. Fails with resourceLimit, and with badFile for a zip file without a
    /// file.
    [[nodiscard]] virtual Result<void> begin() = 0;

    /// Reads at least one byte unless the end is reached or `size` is 0. Fails with badFile,
    /// resourceLimit or cancelled, at the end also when the compressed data is followed by anything
    /// but zeros.
    [[nodiscard]] Result<std::size_t> read(char* target, std::size_t size) {
        while (!m_atEnd && size > 0) {
            // Few stored bytes may hold so many that the next look at the stop request would be
            // late.
            if (m_raw.stopRequested()) {
                return cancelled();
            }
            auto got = decode(target, size);
            if (!got || *got > 0) {
                return got;
            }
        }
        return 0;
    }

protected:
    /// Puts what it can into the target, by one call of the library; returns the number of bytes,
    /// be it 0. Sets m_atEnd at the end.
    [[nodiscard]] virtual Result<std::size_t> decode(char* target, std::size_t size) = 0;

    /// The next stored bytes in one piece, `least` of them if so many are left.
    [[nodiscard]] Result<std::string_view> stored(std::size_t least = 1) {
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
    void skipStored(std::size_t size) {
        m_begin += size;
        m_size -= size;
    }

    [[nodiscard]] tl::unexpected<Error> damaged(std::string_view reason) const {
        return fail(ErrorCode::badFile,
                    fmt::format("the {} data is damaged or cut off ({}); fetch the file "
                                "again, or decompress it by the program that made it",
                                m_compression, reason));
    }
    [[nodiscard]] tl::unexpected<Error> isFollowed() const {
        return damaged("something else follows it");
    }
    [[nodiscard]] static tl::unexpected<Error> noMemory() {
        return fail(ErrorCode::resourceLimit, "there is not enough memory to decompress the file");
    }
    [[nodiscard]] tl::unexpected<Error> tooLargeWindow() const {
        return fail(
            ErrorCode::resourceLimit,
            fmt::format("the {} data has a larger window than can be read; unpack the file, or "
                        "compress it again with the default options",
                        m_compression));
    }

    const std::string m_compression;
    bool m_atEnd = false;

private:
    static constexpr std::size_t kStoredBytes = std::size_t{256} << 10;

    RawInput& m_raw;
    std::vector<char> m_buffer;
    std::size_t m_begin = 0;  ///< of the bytes that are left in the buffer
    std::size_t m_size = 0;   ///< number of these
    bool m_rawEnded = false;
};

namespace {

/// gzip of one member or several, by zlib: unlike libarchive it holds every member against its
/// CRC-32 and length (RFC 1952, 2.3.1).
class GzipReader final : public Decompressor {
public:
    using Decompressor::Decompressor;
    ~GzipReader() override { inflateEnd(&m_stream); }

    [[nodiscard]] Result<void> begin() override {
        constexpr int kWindowBits = 15 + 16;  // the largest window; gzip alone
        return inflateInit2(&m_stream, kWindowBits) == Z_OK ? Result<void>() : noMemory();
    }

private:
    [[nodiscard]] Result<std::size_t> decode(char* target, std::size_t size) override {
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
            return damaged(m_stream.msg != nullptr ? m_stream.msg
                                                   : "its parts do not fit together");
        }
        m_inMember = status != Z_STREAM_END;
        const std::size_t got = room - m_stream.avail_out;
        if (m_inMember && bytes.empty() && got == 0) {
            return damaged("it ends too early");
        }
        return got;
    }

    /// From the end of a member to the next one or to the end of the file, where tapes and block
    /// devices pad with zeros.
    [[nodiscard]] Result<void> leaveMember() {
        constexpr auto kSignature = "\x1f\x8b"sv;
        ASSIGN_OR_RETURN(auto bytes, stored(kSignature.size()));
        m_inMember = bytes.starts_with(kSignature);
        if (m_inMember) {
            inflateReset(&m_stream);
            return {};
        }
        while (!bytes.empty()) {
            if (bytes.find_first_not_of('\0') != std::string_view::npos) {
                return isFollowed();
            }
            skipStored(bytes.size());
            ASSIGN_OR_RETURN(bytes, stored());
        }
        m_atEnd = true;
        return {};
    }

    z_stream m_stream{};
    bool m_inMember = true;
};

/// xz of one stream or several, by liblzma: libarchive takes dictionaries of up to 1 GiB.
class XzReader final : public Decompressor {
public:
    using Decompressor::Decompressor;
    ~XzReader() override { lzma_end(&m_stream); }

    [[nodiscard]] Result<void> begin() override {
        // A dictionary of 128 MiB, and what the decoder needs beside it.
        constexpr std::uint64_t kMostMemory = std::uint64_t{130} << 20;
        constexpr std::uint32_t kFlags = LZMA_CONCATENATED | LZMA_TELL_UNSUPPORTED_CHECK;
        return lzma_stream_decoder(&m_stream, kMostMemory, kFlags) == LZMA_OK ? Result<void>()
                                                                              : noMemory();
    }

private:
    [[nodiscard]] Result<std::size_t> decode(char* target, std::size_t size) override {
        ASSIGN_OR_RETURN(const auto bytes, stored());
        m_stream.next_in = reinterpret_cast<const std::uint8_t*>(bytes.data());
        m_stream.avail_in = bytes.size();
        m_stream.next_out = reinterpret_cast<std::uint8_t*>(target);
        m_stream.avail_out = size;
        const lzma_ret status = lzma_code(&m_stream, bytes.empty() ? LZMA_FINISH : LZMA_RUN);
        skipStored(bytes.size() - m_stream.avail_in);
        switch (status) {
            case LZMA_STREAM_END:
                m_atEnd = true;
                [[fallthrough]];
            case LZMA_OK:
                return size - m_stream.avail_out;
            case LZMA_MEMLIMIT_ERROR:
                return tooLargeWindow();
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

    lzma_stream m_stream = LZMA_STREAM_INIT;
};

/// The single file inside bzip2, zstd or zip data, by libarchive. That a zip file holds several is
/// told at the end of the first.
class ArchiveReader final : public Decompressor {
public:
    using Decompressor::Decompressor;
    ~ArchiveReader() override { archive_read_free(m_handle); }

    [[nodiscard]] Result<void> begin() override {
        // How libarchive names the methods of zip that take little memory.
        constexpr std::array kMethods{"(uncompressed)"sv, "(deflation)"sv, "(bzip)"sv};
        if (m_handle == nullptr) {
            return noMemory();
        }
        const bool isZip = m_compression == "zip";
        if (isZip) {
            archive_read_support_format_zip_streamable(m_handle);
        } else {
            archive_read_support_format_raw(m_handle);
            archive_read_support_format_empty(m_handle);
            archive_read_support_filter_bzip2(m_handle);
            archive_read_support_filter_zstd(m_handle);
        }
        if (archive_read_open(m_handle, this, nullptr, &supply, nullptr) != ARCHIVE_OK) {
            return failure();
        }
        ASSIGN_OR_RETURN(const bool found, toNextFile());
        if (!found) {
            return fail(ErrorCode::badFile,
                        fmt::format("the {} file holds no file", m_compression));
        }
        const std::string_view method = archive_format_name(m_handle);
        const bool isKnown =
            std::ranges::any_of(kMethods, [method](auto name) { return method.ends_with(name); });
        return isKnown || !isZip
                   ? Result<void>()
                   : fail(ErrorCode::badFile,
                          fmt::format("the zip file is packed by another method than deflation or "
                                      "bzip2 ({}); pack it again, by the usual one",
                                      method));
    }

private:
    [[nodiscard]] Result<std::size_t> decode(char* target, std::size_t size) override {
        const la_ssize_t got = archive_read_data(m_handle, target, size);
        if (got < 0) {
            return failure();
        }
        if (got == 0) {
            m_atEnd = true;
            ASSIGN_OR_RETURN(const bool another, toNextFile());
            if (another) {
                return fail(ErrorCode::badFile,
                            "the zip file holds several files; give one with a single file");
            }
            if (m_compression == "bzip2") {
                RETURN_IF_ERROR(checkEnd());
            }
        }
        return static_cast<std::size_t>(got);
    }

    /// Whether there is another file.
    [[nodiscard]] Result<bool> toNextFile() {
        archive_entry* entry = nullptr;
        while (true) {
            const int status = archive_read_next_header(m_handle, &entry);
            if (status != ARCHIVE_OK && status != ARCHIVE_WARN) {
                return status == ARCHIVE_EOF ? Result<bool>(false) : failure();
            }
            if (archive_entry_filetype(entry) == AE_IFREG) {
                return true;
            }
        }
    }

    /// Reads what libarchive left of bzip2 data, and fails when something else follows it.
    [[nodiscard]] Result<void> checkEnd() {
        std::string_view rest;
        do {
            ASSIGN_OR_RETURN(rest, nextStored());
        } while (!rest.empty());
        constexpr int kStored = -1;  // the filter that has the bytes of the file
        const auto used = static_cast<std::uint64_t>(archive_filter_bytes(m_handle, kStored));
        // Tapes and block devices pad with zeros, which bzip2 leaves out, too.
        return m_lastNotZero > used ? isFollowed() : Result<void>();
    }

    [[nodiscard]] Result<std::string_view> nextStored() {
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

    [[nodiscard]] tl::unexpected<Error> failure() const {
        if (m_rawError) {
            return tl::unexpected(*m_rawError);
        }
        if (archive_errno(m_handle) == ENOMEM) {
            return noMemory();
        }
        const char* const reason = archive_error_string(m_handle);
        if (reason != nullptr && std::strstr(reason, "too much memory") != nullptr) {
            return tooLargeWindow();
        }
        // What the library says is written for programmers, and may have several lines.
        return damaged("its parts do not fit together, or it ends too early");
    }

    /// Gives libarchive the next stored bytes; has the signature of archive_read_callback.
    static la_ssize_t supply(archive* handle, void* self, const void** bytes) {
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

    archive* m_handle = archive_read_new();
    std::optional<Error> m_rawError{};
    std::size_t m_given = 0;          ///< stored bytes that libarchive may still look at
    std::uint64_t m_supplied = 0;     ///< all that it was given
    std::uint64_t m_lastNotZero = 0;  ///< end of the last of them that is not zero
};

}  // namespace

std::string_view compressionOf(std::string_view bytes) {
    constexpr std::array kSignatures{
        std::pair{"\x1f\x8b\x08"sv, "gzip"sv},
        std::pair{"\xfd"
                  "7zXZ\0"sv,
                  "xz"sv},
        std::pair{"\x28\xb5\x2f\xfd"sv, "zstd"sv},
        std::pair{"PK\x03\x04"sv, "zip"sv},
        std::pair{"PK\x05\x06"sv, "zip"sv},
    };
    for (const auto& [signature, name] : kSignatures) {
        if (bytes.starts_with(signature)) {
            return name;
        }
    }
    // A text file may well begin with "BZh": the digits of pi that follow in bzip2 decide.
    return bytes.starts_with("BZh"sv) && bytes.substr(std::min<std::size_t>(4, bytes.size()))
                                             .starts_with("\x31\x41\x59\x26\x53\x59"sv)
               ? "bzip2"sv
               : std::string_view();
}

ByteSource::ByteSource(std::unique_ptr<RawInput> raw) : m_raw(std::move(raw)) {}

ByteSource::~ByteSource() = default;

Result<std::unique_ptr<ByteSource>> ByteSource::open(const std::string& path,
                                                     std::stop_token stop) {
    constexpr std::size_t kSignatureBytes = 16;
    ASSIGN_OR_RETURN(auto raw, RawInput::open(path, std::move(stop)));
    std::unique_ptr<ByteSource> source(new ByteSource(std::move(raw)));
    ASSIGN_OR_RETURN(const auto start, source->peek(kSignatureBytes));
    const std::string_view name = source->m_compression = compressionOf(start);
    if (!name.empty()) {
        RawInput& input = *source->m_raw;
        if (name == "gzip") {
            source->m_content = std::make_unique<GzipReader>(input, start, name);
        } else if (name == "xz") {
            source->m_content = std::make_unique<XzReader>(input, start, name);
        } else {
            source->m_content = std::make_unique<ArchiveReader>(input, start, name);
        }
        RETURN_IF_ERROR(source->m_content->begin());
        source->m_peeked.clear();
    }
    return source;
}

Result<std::size_t> ByteSource::readFurther(char* target, std::size_t size) {
    std::size_t filled = 0;
    for (std::size_t got = 1; got > 0 && filled < size; filled += got) {
        char* const to = target + filled;
        ASSIGN_OR_RETURN(
            got, m_content ? m_content->read(to, size - filled) : m_raw->read(to, size - filled));
    }
    return filled;
}

Result<std::size_t> ByteSource::read(char* target, std::size_t size) {
    const std::size_t peeked = m_peeked.copy(target, size);
    m_peeked.erase(0, peeked);
    return readFurther(target + peeked, size - peeked).map([&](std::size_t further) {
        return peeked + further;
    });
}

Result<std::string_view> ByteSource::peek(std::size_t size) {
    if (const std::size_t before = m_peeked.size(); before < size) {
        m_peeked.resize(size);
        const auto further = readFurther(m_peeked.data() + before, size - before);
        m_peeked.resize(before + further.value_or(0));
        RETURN_IF_ERROR(further);
    }
    return std::string_view(m_peeked).substr(0, size);
}

Result<std::string> ByteSource::finish() {
    return m_raw->finish();
}

std::optional<std::uint64_t> ByteSource::bytesLeft() const {
    if (m_content || !m_raw->size()) {
        return std::nullopt;
    }
    return *m_raw->size() - m_raw->bytesRead() + m_peeked.size();
}

double ByteSource::fractionRead() const {
    const auto total = m_raw->size();
    return total && *total > 0
               ? static_cast<double>(m_raw->bytesRead()) / static_cast<double>(*total)
               : 0.0;
}

}  // namespace epsilens::io
