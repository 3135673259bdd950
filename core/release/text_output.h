#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/io/pending_file.h"

namespace epsilens::release {

/// Where released text goes, piece by piece: an open descriptor, or a file that appears whole at
/// the end and not before.
class TextOutput {
public:
    /// A regular file is written beside its name and renamed by finish; a link is followed; devices
    /// and pipes are written to directly (isWrittenDirectly). Fails with ioFailed when the place
    /// cannot be written to, cancelled when stopped while it waits for a pipe's reader.
    [[nodiscard]] static Result<TextOutput> toFile(const std::string& path,
                                                   const std::stop_token& stop = {});
    /// Not closed; `name` is for messages.
    [[nodiscard]] static TextOutput toDescriptor(int descriptor, std::string name);

    /// Counts the bytes and drops them.
    [[nodiscard]] static TextOutput nowhere();

    ~TextOutput();
    TextOutput(TextOutput&& other) noexcept;
    TextOutput& operator=(TextOutput&& other) = delete;

    /// Hands all bytes to the system, line by line where the other end may be slow. Fails with
    /// ioFailed and the system's reason, or cancelled when stopped while the other end takes
    /// nothing; written() then tells how far it came, to the byte.
    [[nodiscard]] Result<void> write(std::string_view bytes, const std::stop_token& stop = {});
    /// Bytes handed to the system in all, without what was taken back.
    [[nodiscard]] std::int64_t written() const { return m_written; }
    /// Whether bytes can be taken back: a file that has not appeared yet.
    [[nodiscard]] bool isRevocable() const { return m_pending.has_value(); }
    /// Takes back what was written behind the first `bytes`. Only where isRevocable.
    [[nodiscard]] Result<void> keepOnly(std::int64_t bytes);
    /// Flushes a file that has not appeared to the disk, as finish does. Fails with ioFailed.
    [[nodiscard]] Result<void> flush();
    /// Flushes the file to the disk and gives it its name. Without it the file never appears.
    [[nodiscard]] Result<void> finish();

private:
    TextOutput(int descriptor, bool owned, std::string name);

    int m_descriptor;
    bool m_owned;
    std::string m_name;
    bool m_mayWait = false;  ///< writing may wait for somebody who reads
    std::int64_t m_written = 0;
    std::optional<io::PendingFile> m_pending{};  ///< the file, until it appears
};

/// The text and, where it was asked for, the sidecar beside it.
struct ReleaseOutputs {
    TextOutput text;
    std::optional<TextOutput> sidecar{};

    /// Before the work, so that a place that cannot be written to is found before it.
    ///
    /// sidecarPath  empty: none
    /// Fails as TextOutput::toFile.
    [[nodiscard]] static Result<ReleaseOutputs> open(TextOutput text,
                                                     const std::string& sidecarPath,
                                                     const std::stop_token& stop);
    /// Writes the sidecar and lets the files appear, the sidecar first, so that no file of text
    /// appears without it: neither does where the sidecar cannot be written or put in its place, or
    /// the text does not reach the disk. When after that the text alone cannot take its place (a
    /// folder is there by now, or what is there belongs to somebody else), the sidecar stands
    /// there without it. Fails as TextOutput::write and finish.
    [[nodiscard]] Result<void> finish(std::string_view sidecarText,
                                      const std::stop_token& stop = {});
};

}  // namespace epsilens::release
