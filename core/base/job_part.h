#pragma once

#include "core/base/job_context.h"

namespace epsilens {

/// The part of a job that lies between two shares of it; refers to the job.
[[nodiscard]] inline JobContext partOf(const JobContext& job, double begin, double end) {
    return {job.stop, [&job, begin, end](const Progress& progress) {
                job.progress(begin + (end - begin) * progress.fraction, progress.stage);
            }};
}

}  // namespace epsilens
