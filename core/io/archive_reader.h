#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/io/decompressor.h"
#include "core/io/raw_input.h"

struct archive;

namespace epsilens::io {

/// Decompresses the single file inside a compressed one by libarchive: bzip2 and zip.
class ArchiveReader final : public Decompressor {
public:
    /// raw          must outlive the reader
    /// start        bytes already taken from raw
    /// compression  "bzip2" or "zip"
    /// Fails with badFile, also for a zip file that holds no or several files, or with
    /// resourceLimit.
    [[nodiscard]] static Result<std::unique_ptr<ArchiveReader>> open(
        RawInput& raw, std::string start, const std::string& compression);
    ~ArchiveReader() override;
    ArchiveReader(const ArchiveReader&) = delete;
    ArchiveReader& operator=(const ArchiveReader&) = delete;

    [[nodiscard]] Result<std::size_t> read(char* target, std::size_t size) override;

private:
    ArchiveReader(RawInput& raw, std::string start, std::string compression);
    [[nodiscard]] Result<void> start();
    [[nodiscard]] Result<void> toNextFile(bool& found);
    /// Fails when a zip file is packed by a method whose memory has no bound.
    [[nodiscard]] Result<void> checkMethod() const;
    /// Reads what libarchive left, and fails when the file has another end than its format asks.
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
    std::string m_tail{};             ///< the last of them, when it is a zip file
    bool m_startGiven = false;
    bool m_ended = false;
};

}  // namespace epsilens::io
