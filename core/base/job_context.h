#pragma once

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
};

/// The part of a job that lies between two shares of it; refers to the job.
[[nodiscard]] inline JobContext partOf(const JobContext& job, double begin, double end) {
    return {job.stop, [&job, begin, end](const Progress& progress) {
                job.progress(begin + (end - begin) * progress.fraction, progress.stage);
            }};
}

}  // namespace epsilens
