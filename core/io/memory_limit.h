#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>

#include "core/base/error.h"

namespace epsilens::io {

/// Bytes that can still be taken: the least of the system's MemAvailable, of what the limit of the
/// address space leaves, and of what the control groups of this process (version 1 and 2, with all
/// their parents) leave, where file cache counts as free.
///
/// root  folder under which proc and sys are found; another than "/" is for tests
/// Returns nothing when the system tells none of them.
[[nodiscard]] std::optional<std::uint64_t> availableMemory(const std::filesystem::path& root = "/");

/// Memory that a job may take, so that it is refused before it is taken. Copies share what is
/// taken; threads may ask at once.
class MemoryBudget {
public:
    /// limit  in bytes; 0 takes availableMemory
    explicit MemoryBudget(std::uint64_t limit);

    /// Bytes of the limit that are not reserved.
    [[nodiscard]] double left() const;
    /// Fails with resourceLimit when `bytes`, all that the job itself takes, are more than is left.
    ///
    /// what    needs them, for the message: "400,000 rows of 300 values"
    /// remedy  what can be done, for the message
    [[nodiscard]] Result<void> check(double bytes, std::string_view what,
                                     std::string_view remedy) const;
    /// Sets `bytes` aside for what works beside the job, as a decompressor does, unless that has as
    /// much already. Fails like check, when they do not fit beside what check allowed so far.
    [[nodiscard]] Result<void> reserve(double bytes, std::string_view what,
                                       std::string_view remedy) const;

private:
    struct Taken;

    [[nodiscard]] tl::unexpected<Error> refusal(double bytes, std::string_view what,
                                                std::string_view remedy) const;

    bool m_isGiven;
    std::uint64_t m_limit;
    std::shared_ptr<Taken> m_taken;
};

}  // namespace epsilens::io
