#pragma once

#include <memory>

#include "core/calibration/setting_statistics.h"
#include "core/engine/search_space.h"

namespace epsilens::calibration {

/// Cells of a mechanism without paths, calibrated wherever they are asked for: exact for TEM,
/// sampled under the same draws at every epsilon for hyperbolic noise placed by addition.
class RerunStatistics final : public SettingStatistics {
public:
    /// space    must outlive the object
    /// options  one lambda, and for tem one gamma or beta; its epsilons do not matter
    /// Fails as estimateRange.
    [[nodiscard]] static Result<std::unique_ptr<SettingStatistics>> create(
        const engine::SearchSpace& space, const CalibrationOptions& options, const JobContext& job);
    RerunStatistics(const engine::SearchSpace& space, CalibrationOptions options,
                    EpsilonInterval interval);

    [[nodiscard]] EpsilonInterval interval() const override { return m_interval; }
    [[nodiscard]] bool keptRises() const override { return isExact(); }
    [[nodiscard]] bool farFalls() const override { return false; }
    [[nodiscard]] double tolerance() const override { return isExact() ? 1e-7 : 1e-4; }
    [[nodiscard]] int epsilonsAtOnce() const override { return 8; }
    [[nodiscard]] Result<std::vector<Cell>> cells(std::span<const double> epsilons, CellNeeds needs,
                                                  const JobContext& job) override;

private:
    [[nodiscard]] bool isExact() const { return m_options.grid.mechanism.isExact(); }

    const engine::SearchSpace& m_space;
    CalibrationOptions m_options;
    EpsilonInterval m_interval;
};

}  // namespace epsilens::calibration
