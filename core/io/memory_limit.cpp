#include "core/io/memory_limit.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fstream>
#include <limits>
#include <string>
#include <system_error>
#include <vector>

#include <fmt/format.h>

namespace epsilens::io {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();

std::vector<std::string> linesOf(const fs::path& path) {
    std::ifstream file(path);
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);) {
        lines.push_back(line);
    }
    return lines;
}

/// Number behind a name at the begin of a line; nothing when no line has it.
std::optional<std::uint64_t> valueIn(const fs::path& path, std::string_view name) {
    for (const std::string& line : linesOf(path)) {
        const std::size_t at = line.find_first_not_of(" \t", name.size());
        std::uint64_t value = 0;
        if (line.starts_with(name) && at != std::string::npos &&
            std::from_chars(line.data() + at, line.data() + line.size(), value).ec == std::errc{}) {
            return value;
        }
    }
    return std::nullopt;
}

/// Where the two versions of control groups have the same things, and what they call them.
struct GroupVersion {
    std::string_view controller;  ///< and folder
    std::string_view limit;
    std::string_view used;
    std::string_view inactiveCache;
    std::string_view activeCache;
};

constexpr std::array kVersions{
    GroupVersion{"", "memory.max", "memory.current", "inactive_file ", "active_file "},
    GroupVersion{"memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file ",
                 "total_active_file "}};

/// Bytes that one control group leaves; kNoLimit without a limit.
std::uint64_t leftInGroup(const fs::path& folder, const GroupVersion& version) {
    const auto limit = valueIn(folder / version.limit, "");
    const auto used = valueIn(folder / version.used, "");
    if (!limit || !used) {
        return kNoLimit;
    }
    const fs::path statistics = folder / "memory.stat";
    const std::uint64_t cache = valueIn(statistics, version.inactiveCache).value_or(0) +
                                valueIn(statistics, version.activeCache).value_or(0);
    const std::uint64_t taken = *used - std::min(*used, cache);
    return *limit - std::min(*limit, taken);
}

/// Least that the control groups of this process and their parents leave.
std::uint64_t leftByControlGroups(const fs::path& root) {
    std::uint64_t least = kNoLimit;
    // "4:cpu,memory:/group", or "0::/group" in version 2.
    for (const std::string& line : linesOf(root / "proc/self/cgroup")) {
        const std::size_t first = line.find(':');
        const std::size_t second = line.find(":/", first + 1);
        if (first == std::string::npos || second == std::string::npos) {
            continue;
        }
        const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
        for (const GroupVersion& version : kVersions) {
            if (controllers.find(fmt::format(",{},", version.controller)) == std::string::npos) {
                continue;
            }
            // Inside a container the group may be named as it is outside, where there is no such
            // folder; the topmost one is there.
            const fs::path top = root / "sys/fs/cgroup" / version.controller;
            fs::path group = line.substr(second + 2);
            while (!group.empty()) {
                least = std::min(least, leftInGroup(top / group, version));
                group = group.parent_path();
            }
            least = std::min(least, leftInGroup(top, version));
        }
    }
    return least;
}

/// What the limit of the address space of this process (ulimit -v) leaves.
std::uint64_t leftInAddressSpace(const fs::path& root) {
    const std::uint64_t limit =
        valueIn(root / "proc/self/limits", "Max address space").value_or(kNoLimit);
    const auto kilobytes = valueIn(root / "proc/self/status", "VmSize:");
    return limit == kNoLimit || !kilobytes ? kNoLimit : limit - std::min(limit, *kilobytes * 1024);
}

}  // namespace

std::optional<std::uint64_t> availableMemory(const fs::path& root) {
    std::uint64_t least = std::min(leftByControlGroups(root), leftInAddressSpace(root));
    if (const auto kilobytes = valueIn(root / "proc/meminfo", "MemAvailable:")) {
        least = std::min(least, *kilobytes * 1024);
    }
    return least == kNoLimit ? std::nullopt : std::optional(least);
}

MemoryBudget::MemoryBudget(std::uint64_t limit)
    : m_isGiven(limit > 0),
      m_limit(static_cast<double>(limit > 0 ? limit : availableMemory().value_or(kNoLimit))) {}

Result<void> MemoryBudget::check(double bytes, std::string_view what,
                                 std::string_view remedy) const {
    if (bytes <= m_limit) {
        return {};
    }
    // Rounded apart, so that what is needed never reads like what there is.
    const auto megabytes = [](double whole) {
        return fmt::format("{:.0f} MB", std::max(1.0, whole));
    };
    return fail(ErrorCode::resourceLimit,
                fmt::format("{} need about {} of memory, {} are {}; {}", what,
                            megabytes(std::ceil(bytes / 1e6)), megabytes(std::floor(m_limit / 1e6)),
                            m_isGiven ? "allowed" : "free", remedy));
}

}  // namespace epsilens::io
