#pragma once

#include <stop_token>

#include "core/base/crew.h"
#include "core/base/error.h"

namespace epsilens::cli {

/// Processes that run one command line together. All of them open the embedding and prepare the
/// run; the first one says what there is to say and has the results.
class Team : public Crew {
public:
    [[nodiscard]] virtual bool isFirst() const = 0;
    /// Whether the team can run with options that were parsed; else what is wrong.
    [[nodiscard]] virtual Result<void> check() const = 0;
    /// Whether the common work is done: no process waits for this one any more.
    [[nodiscard]] virtual bool isDone() const = 0;
    /// Whether another process than the first shall say why it fails: gives the first one time to
    /// say the same and to end all, which requests the stop.
    [[nodiscard]] virtual bool isLeftToSay(const std::stop_token& stop) const = 0;
};

}  // namespace epsilens::cli
