#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "app/cli/team.h"
#include "core/base/packing.h"
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
};

/// In the first process, what all have done. Waits for all.
[[nodiscard]] inline ReleaseTally sumOfTeam(Team& team, const ReleaseTally& own) {
    Packer packer;
    packer(own);
    ReleaseTally sum;
    for (const std::string& bytes : team.gather(std::move(packer).bytes())) {
        Unpacker unpacker(bytes);
        ReleaseTally tally;
        unpacker(tally);
        sum.add(tally);
    }
    return sum;
}

}  // namespace epsilens::cli
