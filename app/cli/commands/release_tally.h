#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>

#include "app/cli/team.h"
#include "core/release/counts.h"
#include "core/release/sanitize_stream.h"

namespace epsilens::cli {

/// What was done to several texts, or to the shares of one.
struct ReleaseTally {
    release::ReleaseCounts counts{};
    std::int64_t unchanged = 0;
    std::int64_t wholeLines = 0;

    [[nodiscard]] static ReleaseTally of(const release::StreamEnd& end) {
        return {end.counts, end.unchanged, end.wholeLines};
    }
    void add(const ReleaseTally& other) {
        counts.add(other.counts);
        unchanged += other.unchanged;
        wholeLines += other.wholeLines;
    }
    /// The end of a text with these counts instead of its own.
    [[nodiscard]] release::StreamEnd end(release::StreamEnd end) const {
        end.counts = counts;
        end.unchanged = unchanged;
        end.wholeLines = wholeLines;
        return end;
    }

    /// The processes of a team are the same program.
    [[nodiscard]] std::string bytes() const {
        return {reinterpret_cast<const char*>(this), sizeof *this};
    }
    [[nodiscard]] static ReleaseTally of(const std::string& bytes) {
        ReleaseTally tally;
        std::memcpy(&tally, bytes.data(), sizeof tally);
        return tally;
    }
};
static_assert(std::is_trivially_copyable_v<ReleaseTally>);

/// In the first process, what all have done. Waits for all.
[[nodiscard]] inline ReleaseTally sumOfTeam(Team& team, const ReleaseTally& own) {
    ReleaseTally sum = own;
    for (const std::string& other : team.gather(team.isFirst() ? std::string() : own.bytes())) {
        if (!other.empty()) {
            sum.add(ReleaseTally::of(other));
        }
    }
    return sum;
}

}  // namespace epsilens::cli
