#pragma once

#include <string>

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/calibration/calibrate.h"

namespace epsilens::cli {

/// Processes that run one command line together. All of them open the embedding and prepare the
/// run; the first one says what there is to say and has the results.
class Team {
public:
    virtual ~Team() = default;

    [[nodiscard]] virtual bool isFirst() const = 0;
    /// Whether the team can run a command with options that were parsed; else what is wrong.
    [[nodiscard]] virtual Result<void> check(const std::string& command, bool isPart) const = 0;
    /// calibration::calibrate, shared by the team. Fails with cancelled, too, in every process but
    /// the first when its work is done; isDone() tells that from a real failure.
    [[nodiscard]] virtual Result<calibration::CalibrationSummary> calibrate(
        const engine::SearchSpace& space, const calibration::CalibrationOptions& options,
        const JobContext& job) = 0;
    [[nodiscard]] virtual bool isDone() const = 0;
};

}  // namespace epsilens::cli
