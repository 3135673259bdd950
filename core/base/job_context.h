#pragma once

#include <functional>
#include <stop_token>
#include <string_view>

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
    void progress(double fraction, std::string_view stage) const {
        if (report) {
            report(Progress{fraction, stage});
        }
    }
};

}  // namespace epsilens
