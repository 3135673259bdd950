#pragma once

#include <cstdint>
#include <filesystem>
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

/// Memory that a job may take, so that it is refused before it is taken.
class MemoryBudget {
public:
    /// limit  in bytes; 0 takes availableMemory
    explicit MemoryBudget(std::uint64_t limit);

    /// In bytes.
    [[nodiscard]] double limit() const { return m_limit; }
    /// Fails with resourceLimit when `bytes`, all that the job takes, are more than the limit.
    ///
    /// what    needs them, for the message: "400,000 rows of 300 values"
    /// remedy  what can be done, for the message
    [[nodiscard]] Result<void> check(double bytes, std::string_view what,
                                     std::string_view remedy) const;

private:
    bool m_isGiven;
    double m_limit;
};

}  // namespace epsilens::io
