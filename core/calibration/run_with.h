#pragma once

#include <cstddef>
#include <optional>

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/calibration/run.h"
#include "core/engine/search_space.h"
#include "core/mechanism/grid.h"
#include "core/mechanism/mechanism.h"

namespace epsilens::calibration {

/// Where a run of a grid has a setting among its cells; nothing if it does not.
[[nodiscard]] std::optional<std::size_t> cellOf(const mechanism::Grid& grid,
                                                const mechanism::Setting& setting);

/// A cell that names a setting and holds no results.
[[nodiscard]] Cell cellAt(const mechanism::Setting& setting);

/// A grid with the values of a setting among its own, which keep their order. Where one goes by
/// radius and the other by error probability, the value of the setting replaces those of the grid.
[[nodiscard]] mechanism::Grid including(mechanism::Grid grid, const mechanism::Setting& setting);

/// The run with a setting of its mechanism among its cells: itself where it has it, else done again
/// over a grid that includes it. Fails as repeatRun.
///
/// run  never null
[[nodiscard]] Result<RunHandle> runWith(const RunHandle& run, const mechanism::Setting& setting,
                                        const engine::SearchSpace& space,
                                        const JobContext& job = {});

}  // namespace epsilens::calibration
