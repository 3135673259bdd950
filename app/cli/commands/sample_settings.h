#pragma once

#include "app/cli/commands/command.h"
#include "core/mechanism/grid.h"
#include "core/report/sample_report.h"

namespace epsilens::cli {

/// Samples a text: fills the settings of the report, one per epsilon. One set of draws serves all
/// words and epsilons.
///
/// mechanism  with one lambda, one gamma or beta, and epsilons
/// sentences  sampled texts of each setting
[[nodiscard]] Result<void> fillSettings(report::SampleReport& report,
                                        const engine::SearchSpace& space,
                                        const mechanism::Grid& grid, int sentences,
                                        const CommandContext& context);

}  // namespace epsilens::cli
