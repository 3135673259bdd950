#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "core/base/error.h"

struct evp_md_ctx_st;

namespace epsilens::io {

/// The bytes of a file or stream as they are stored, hashed while they are read.
///
/// Regular files are read up to the size they had when they were opened; one that becomes shorter
/// meanwhile is an error, not a signal as it would be with a mapping. Pipes are polled, so that a
/// stop request is noticed while no data comes.
class RawInput {
public:
    /// path  of a regular file or FIFO; "-" is standard input
    /// Fails with badFile for what is missing, unreadable, a folder or a device.
    [[nodiscard]] static Result<std::unique_ptr<RawInput>> open(const std::string& path,
                                                                std::stop_token stop);
    ~RawInput();
    RawInput(const RawInput&) = delete;
    RawInput& operator=(const RawInput&) = delete;

    /// Reads at least one byte unless the end is reached or `size` is 0; returns the number read.
    /// Fails with badFile or cancelled.
    [[nodiscard]] Result<std::size_t> read(char* target, std::size_t size);

    /// Reads what is left, checks that the file is still the one that was opened, and returns the
    /// SHA-256 of all bytes in lower-case hexadecimal digits.
    [[nodiscard]] Result<std::string> finish();

    [[nodiscard]] bool stopRequested() const { return m_stop.stop_requested(); }
    /// Bytes stored; nothing for streams.
    [[nodiscard]] std::optional<std::uint64_t> size() const { return m_size; }
    /// May be asked from another thread.
    [[nodiscard]] std::uint64_t bytesRead() const { return m_bytesRead.load(); }
    [[nodiscard]] int descriptor() const { return m_descriptor; }

private:
    RawInput(int descriptor, bool owned, std::stop_token stop);

    int m_descriptor;
    bool m_owned;
    std::stop_token m_stop;
    std::optional<std::uint64_t> m_size{};
    std::int64_t m_modifiedNs = 0;
    std::atomic<std::uint64_t> m_bytesRead{0};
    std::unique_ptr<evp_md_ctx_st, void (*)(evp_md_ctx_st*)> m_digest;
};

/// SHA-256 of some bytes, as 64 lower-case hexadecimal digits.
[[nodiscard]] std::string sha256(std::string_view bytes);

class Decompressor;

/// Name of the compression whose signature the bytes begin with: gzip, xz, zstd, bzip2 or zip;
/// empty if none.
[[nodiscard]] std::string_view compressionOf(std::string_view bytes);

/// The content of a file, decompressed when it is compressed: gzip, xz, bzip2, zstd, or a zip file
/// with one entry. Which it is is found from the first bytes. Uncompressed files are passed
/// through.
class ByteSource {
public:
    /// Fails with badFile or resourceLimit.
    [[nodiscard]] static Result<std::unique_ptr<ByteSource>> open(const std::string& path,
                                                                  std::stop_token stop = {});
    ~ByteSource();
    ByteSource(const ByteSource&) = delete;
    ByteSource& operator=(const ByteSource&) = delete;

    /// Fills the target; fewer bytes only at the end. Fails with badFile, resourceLimit or
    /// cancelled.
    [[nodiscard]] Result<std::size_t> read(char* target, std::size_t size);
    /// The next bytes without consuming them: `size` or what is left. Valid until the next call.
    [[nodiscard]] Result<std::string_view> peek(std::size_t size);
    /// As RawInput::finish.
    [[nodiscard]] Result<std::string> finish();

    [[nodiscard]] bool stopRequested() const { return m_raw->stopRequested(); }
    /// "gzip", "xz", "bzip2", "zstd", "zip"; empty when not compressed.
    [[nodiscard]] const std::string& compression() const { return m_compression; }
    /// Bytes that read can still give; nothing when that is not known beforehand.
    [[nodiscard]] std::optional<std::uint64_t> bytesLeft() const;
    /// Share of the stored bytes that was read, in [0, 1]; 0 when the total is not known. May be
    /// asked from another thread.
    [[nodiscard]] double fractionRead() const;
    [[nodiscard]] std::uint64_t storedBytesRead() const { return m_raw->bytesRead(); }

private:
    explicit ByteSource(std::unique_ptr<RawInput> raw);
    /// Fills the target from behind the peeked bytes; fewer only at the end.
    [[nodiscard]] Result<std::size_t> readFurther(char* target, std::size_t size);

    std::unique_ptr<RawInput> m_raw;
    std::unique_ptr<Decompressor> m_content{};  ///< null when not compressed
    std::string m_compression{};
    std::string m_peeked{};  ///< read but not yet given out
};

}  // namespace epsilens::io
