#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>
#include <unistd.h>

#include "core/base/pass_on.h"
#include "core/io/decompressor.h"

namespace epsilens::io {
namespace {

constexpr std::size_t kArchiveBufferBytes = std::size_t{256} << 10;
constexpr const char* kSeveralFiles =
    "the zip file holds several files; give one with a single file";
/// How libarchive names the methods that take little memory; others take what the file asks for.
constexpr std::array<std::string_view, 3> kZipMethods{"(uncompressed)", "(deflation)", "(bzip)"};

/// Files in a zip file that can be read at any place; at most 2 are counted.
int countZipFiles(int descriptor) {
    archive* handle = archive_read_new();
    if (handle == nullptr) {
        return 0;
    }
    archive_read_support_format_zip_seekable(handle);
    int files = 0;
    if (archive_read_open_fd(handle, descriptor, kArchiveBufferBytes) == ARCHIVE_OK) {
        archive_entry* entry = nullptr;
        while (files < 2 && archive_read_next_header(handle, &entry) == ARCHIVE_OK) {
            files += archive_entry_filetype(entry) == AE_IFREG ? 1 : 0;
        }
    }
    archive_read_free(handle);
    return files;
}

void supportCompression(archive* handle, const std::string& compression) {
    if (compression == "zip") {
        archive_read_support_format_zip_streamable(handle);
        return;
    }
    archive_read_support_format_raw(handle);
    archive_read_support_format_empty(handle);
    archive_read_support_filter_bzip2(handle);
    archive_read_support_filter_zstd(handle);
}

class ArchiveReader final : public Decompressor {
public:
    ArchiveReader(RawInput& raw, std::string start, std::string compression)
        : m_raw(raw),
          m_start(std::move(start)),
          m_compression(std::move(compression)),
          m_buffer(kArchiveBufferBytes),
          m_handle(archive_read_new()) {}
    ~ArchiveReader() override { archive_read_free(m_handle); }
    ArchiveReader(const ArchiveReader&) = delete;
    ArchiveReader& operator=(const ArchiveReader&) = delete;

    [[nodiscard]] Result<void> begin();
    [[nodiscard]] Result<std::size_t> read(char* target, std::size_t size) override;

private:
    [[nodiscard]] Result<void> toNextFile(bool& found);
    /// Fails when a zip file is packed by a method whose memory has no bound.
    [[nodiscard]] Result<void> checkMethod() const;
    /// Reads what libarchive left of bzip2 data, and fails when something else follows it.
    [[nodiscard]] Result<void> checkEnd();
    void noteSupplied(const char* bytes, std::size_t size);
    [[nodiscard]] tl::unexpected<Error> failure() const;
    /// Gives libarchive the next stored bytes; has the signature of archive_read_callback.
    static ssize_t supply(archive* handle, void* self, const void** bytes);

    RawInput& m_raw;
    std::string m_start;
    std::string m_compression;
    std::vector<char> m_buffer;
    archive* m_handle;  ///< taken last: nothing would free it when the buffer fails
    std::optional<Error> m_rawError{};
    std::uint64_t m_supplied = 0;     ///< stored bytes given to libarchive
    std::uint64_t m_lastNotZero = 0;  ///< end of the last of them that is not zero
    bool m_startGiven = false;
    bool m_ended = false;
};

Result<void> ArchiveReader::begin() {
    if (m_handle == nullptr) {
        return noMemoryToDecompress();
    }
    supportCompression(m_handle, m_compression);
    if (archive_read_open(m_handle, this, nullptr, &ArchiveReader::supply, nullptr) != ARCHIVE_OK) {
        return failure();
    }
    bool found = false;
    if (auto moved = toNextFile(found); !moved) {
        return moved;
    }
    if (!found) {
        return fail(ErrorCode::badFile, fmt::format("the {} file holds no file", m_compression));
    }
    return checkMethod();
}

Result<void> ArchiveReader::toNextFile(bool& found) {
    archive_entry* entry = nullptr;
    int status = ARCHIVE_OK;
    do {
        status = archive_read_next_header(m_handle, &entry);
    } while ((status == ARCHIVE_OK || status == ARCHIVE_WARN) &&
             archive_entry_filetype(entry) != AE_IFREG);
    found = status == ARCHIVE_OK || status == ARCHIVE_WARN;
    if (!found && status != ARCHIVE_EOF) {
        return failure();
    }
    return {};
}

Result<std::size_t> ArchiveReader::read(char* target, std::size_t size) {
    if (m_ended || size == 0) {
        return 0;
    }
    // Few stored bytes may hold so many that the next look at the stop request would be late.
    if (m_raw.stopRequested()) {
        return fail(ErrorCode::cancelled, "loading was cancelled");
    }
    const la_ssize_t got = archive_read_data(m_handle, target, size);
    if (got < 0) {
        return failure();
    }
    if (got == 0) {
        m_ended = true;
        bool another = false;
        RETURN_IF_ERROR(toNextFile(another));
        if (another) {
            return fail(ErrorCode::badFile, kSeveralFiles);
        }
        if (m_compression == "bzip2") {
            RETURN_IF_ERROR(checkEnd());
        }
    }
    return static_cast<std::size_t>(got);
}

Result<void> ArchiveReader::checkMethod() const {
    if (m_compression != "zip") {
        return {};
    }
    const std::string_view method = archive_format_name(m_handle);
    const bool known = std::any_of(kZipMethods.begin(), kZipMethods.end(),
                                   [method](auto name) { return method.ends_with(name); });
    return known ? Result<void>()
                 : fail(ErrorCode::badFile,
                        fmt::format("the zip file is packed by another method than deflation or "
                                    "bzip2 ({}); pack it again, by the usual one",
                                    method));
}

Result<void> ArchiveReader::checkEnd() {
    for (std::size_t got = 1; got > 0;) {
        ASSIGN_OR_RETURN(const auto rest, m_raw.read(m_buffer.data(), m_buffer.size()));
        got = rest;
        noteSupplied(m_buffer.data(), got);
    }
    constexpr int kStored = -1;  // the filter that has the bytes of the file
    const auto used = static_cast<std::uint64_t>(archive_filter_bytes(m_handle, kStored));
    // Tapes and block devices pad with zeros, which bzip2 leaves out, too.
    if (m_lastNotZero > used) {
        return damagedData(m_compression, "something else follows it");
    }
    return {};
}

void ArchiveReader::noteSupplied(const char* bytes, std::size_t size) {
    const std::string_view piece(bytes, size);
    const std::size_t last = piece.find_last_not_of('\0');
    if (last != std::string_view::npos) {
        m_lastNotZero = m_supplied + last + 1;
    }
    m_supplied += size;
}

tl::unexpected<Error> ArchiveReader::failure() const {
    if (m_rawError) {
        return tl::unexpected(*m_rawError);
    }
    if (archive_errno(m_handle) == ENOMEM) {
        return noMemoryToDecompress();
    }
    const char* const reason = archive_error_string(m_handle);
    if (reason != nullptr && std::strstr(reason, "too much memory") != nullptr) {
        return fail(ErrorCode::resourceLimit,
                    "the zstd data has a larger window than can be read; unpack the file, or "
                    "compress it again without --long and --ultra");
    }
    // What the library says is written for programmers, and may have several lines.
    return damagedData(m_compression, "its parts do not fit together, or it ends too early");
}

ssize_t ArchiveReader::supply(archive* handle, void* self, const void** bytes) {
    auto& reader = *static_cast<ArchiveReader*>(self);
    if (!std::exchange(reader.m_startGiven, true)) {
        reader.noteSupplied(reader.m_start.data(), reader.m_start.size());
        *bytes = reader.m_start.data();
        return static_cast<ssize_t>(reader.m_start.size());
    }
    const auto got = reader.m_raw.read(reader.m_buffer.data(), reader.m_buffer.size());
    if (!got) {
        reader.m_rawError = got.error();
        archive_set_error(handle, EIO, "%s", "reading failed");
        return ARCHIVE_FATAL;
    }
    reader.noteSupplied(reader.m_buffer.data(), *got);
    *bytes = reader.m_buffer.data();
    return static_cast<ssize_t>(*got);
}

}  // namespace

Result<std::unique_ptr<Decompressor>> openArchive(RawInput& raw, std::string start,
                                                  const std::string& compression) {
    // The list at the end of a zip file tells early what reading it through would tell at its end.
    if (compression == "zip" && raw.size() && countZipFiles(raw.descriptor()) > 1) {
        return fail(ErrorCode::badFile, kSeveralFiles);
    }
    auto reader = std::make_unique<ArchiveReader>(raw, std::move(start), compression);
    RETURN_IF_ERROR(reader->begin());
    return reader;
}

}  // namespace epsilens::io
