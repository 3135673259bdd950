#pragma once

#include <cstddef>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/crew.h"
#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/calibration/calibrate.h"

namespace epsilens::cli {

/// Processes that run one command line together. All of them open the embedding and prepare the
/// run; the first one says what there is to say and has the results.
class Team : public Crew {
public:
    [[nodiscard]] virtual bool isFirst() const = 0;
    /// Whether the team can run with options that were parsed; else what is wrong.
    ///
    /// isConsistentRun  equal words get equal replacements in the whole run
    [[nodiscard]] virtual Result<void> check(bool isConsistentRun) const = 0;
    /// calibration::calibrate, shared by the team. Fails with cancelled, too, in every process but
    /// the first when its work is done; isDone() tells that from a real failure.
    [[nodiscard]] virtual Result<calibration::CalibrationSummary> calibrate(
        const engine::SearchSpace& space, const calibration::CalibrationOptions& options,
        const JobContext& job) = 0;
    [[nodiscard]] virtual bool isDone() const = 0;
    /// Whether another process than the first shall say why it fails: gives the first one time to
    /// say the same and to end all, which requests the stop.
    [[nodiscard]] virtual bool isLeftToSay(const std::stop_token& stop) const = 0;

    /// Keeps one copy on each machine of memory that is equal in several processes of it, where the
    /// system can. To be called by all, while no thread uses the memory.
    virtual void shareOnNode(std::span<const std::byte> memory) = 0;
    /// Waits until all processes have come here.
    virtual void meet() = 0;
    /// Texts of all processes, in the order of their ranks; nothing but in the first one. To be
    /// called by all.
    [[nodiscard]] virtual std::vector<std::string> gather(std::string text) = 0;
    /// Sends a text to the first process, which receives those of a process in their order.
    virtual void send(std::string_view text) = 0;
    [[nodiscard]] virtual std::string receive(int rank) = 0;
};

}  // namespace epsilens::cli
