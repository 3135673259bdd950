#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "core/base/error.h"

struct evp_md_ctx_st;

namespace epsilens::io {

/// The bytes of a file or stream as they are stored, hashed while they are read.
///
/// Regular files are read with pread up to the size they had when they were opened; one that
/// becomes shorter meanwhile is an error, not a signal as it would be with a mapping. Pipes are
/// polled, so that a stop request is noticed while no data comes.
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
    [[nodiscard]] Result<void> examine(bool standardInput);
    [[nodiscard]] Result<std::size_t> readFile(char* target, std::size_t size);
    [[nodiscard]] Result<std::size_t> readStream(char* target, std::size_t size);
    [[nodiscard]] Result<void> checkUnchanged() const;

    int m_descriptor;
    bool m_owned;
    std::stop_token m_stop;
    std::optional<std::uint64_t> m_size{};
    std::int64_t m_modifiedNs = 0;
    std::atomic<std::uint64_t> m_bytesRead{0};
    std::unique_ptr<evp_md_ctx_st, void (*)(evp_md_ctx_st*)> m_digest;
};

/// SHA-256 of some bytes, as 64 lower-case hexadecimal digits.
[[nodiscard]] std::string sha256(const void* bytes, std::size_t size);

}  // namespace epsilens::io
