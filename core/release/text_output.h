#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/base/pending_file.h"

namespace epsilens::release {

/// Where released text goes, piece by piece: an open descriptor, or a file that appears whole at
/// the end and not before.
class TextOutput {
public:
    /// A regular file is written beside its name and renamed by finish; a link is followed; devices
    /// and pipes are written to directly. Fails with ioFailed when the place cannot be written to.
    [[nodiscard]] static Result<TextOutput> toFile(const std::string& path);
    /// Not closed; `name` is for messages.
    [[nodiscard]] static TextOutput toDescriptor(int descriptor, std::string name);

    ~TextOutput();
    TextOutput(TextOutput&& other) noexcept;
    TextOutput& operator=(TextOutput&& other) = delete;

    /// Hands all bytes to the system. Fails with ioFailed and the system's reason.
    [[nodiscard]] Result<void> write(std::string_view bytes);
    /// Whether bytes can be taken back: a file that has not appeared yet.
    [[nodiscard]] bool isRevocable() const { return m_pending.has_value(); }
    /// Takes back what was written behind the first `bytes`. Only where isRevocable.
    [[nodiscard]] Result<void> keepOnly(std::int64_t bytes);
    /// Flushes the file to the disk and gives it its name. Without it the file never appears.
    [[nodiscard]] Result<void> finish();

private:
    TextOutput(int descriptor, bool owned, std::string name)
        : m_descriptor(descriptor), m_owned(owned), m_name(std::move(name)) {}

    int m_descriptor;
    bool m_owned;
    std::string m_name;
    std::optional<PendingFile> m_pending{};  ///< the file, until it appears
};

}  // namespace epsilens::release
