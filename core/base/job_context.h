#pragma once

#include <concepts>
#include <functional>
#include <stop_token>
#include <string_view>

#include "core/base/error.h"

namespace epsilens {

struct Progress {
    double fraction = 0.0;   ///< done share of the job, in [0, 1]
    std::string_view stage;  ///< what is going on now, for people
};

/// What a long computation needs from its caller. The default does nothing and never stops.
struct JobContext {
    std::stop_token stop{};
    std::function<void(const Progress&)>
        report{};  ///< may be called from worker threads, one call at a time

    [[nodiscard]] bool stopRequested() const noexcept { return stop.stop_requested(); }
    /// Fails with cancelled once a stop was requested.
    [[nodiscard]] Result<void> checkStop() const {
        return stopRequested() ? Result<void>(fail(ErrorCode::cancelled, "cancelled"))
                               : Result<void>();
    }
    void progress(double fraction, std::string_view stage) const {
        if (report) {
            report(Progress{fraction, stage});
        }
    }
    /// The same in steps of a job: how many are done, and how many there are.
    void progress(std::integral auto done, std::integral auto whole, std::string_view stage) const {
        progress(static_cast<double>(done) / static_cast<double>(whole), stage);
    }
};

/// The part of a job that lies between two shares of it; refers to the job.
[[nodiscard]] inline JobContext partOf(const JobContext& job, double begin, double end) {
    return {job.stop, [&job, begin, end](const Progress& progress) {
                job.progress(begin + (end - begin) * progress.fraction, progress.stage);
            }};
}
/// The same between two of so many steps of a job.
[[nodiscard]] JobContext partOf(const JobContext& job, std::integral auto begin,
                                std::integral auto end, std::integral auto whole) {
    const auto steps = static_cast<double>(whole);
    return partOf(job, static_cast<double>(begin) / steps, static_cast<double>(end) / steps);
}

}  // namespace epsilens
