#pragma once

#include <QThread>

#include "core/base/error.h"
#include "core/base/job_context.h"

namespace epsilens::test {

/// Work that goes on until it is asked to stop.
inline Result<int> untilStopped(const JobContext& job) {
    while (!job.stopRequested()) {
        QThread::msleep(1);
    }
    return fail(ErrorCode::cancelled, "cancelled");
}

}  // namespace epsilens::test
