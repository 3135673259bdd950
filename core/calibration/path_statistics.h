#pragma once

#include <memory>
#include <vector>

#include "core/calibration/setting_statistics.h"
#include "core/calibration/word_paths.h"
#include "core/engine/noise_series.h"
#include "core/statistics/word_comparison.h"
#include "core/statistics/word_outputs.h"

namespace epsilens::calibration {

/// Cells of a noise mechanism with paths: the searches are done once, every epsilon is looked up.
/// The draws are those of calibrate() with the same options.
class PathStatistics final : public SettingStatistics {
public:
    /// series   of one variant, with paths
    /// options  of the run; must outlive the object
    /// words    rows of the run, rising
    /// Fails as gatherPaths.
    [[nodiscard]] static Result<std::unique_ptr<SettingStatistics>> create(
        engine::NoiseSeriesHandle series, const CalibrationOptions& options,
        const std::vector<Row>& words, const JobContext& job);
    /// words  in the order of the run, as the paths
    PathStatistics(engine::NoiseSeriesHandle series, const CalibrationOptions& options,
                   std::vector<Row> words, std::vector<WordPaths> paths);

    [[nodiscard]] EpsilonInterval interval() const override { return m_interval; }
    [[nodiscard]] bool keptRises() const override { return true; }
    [[nodiscard]] bool farFalls() const override { return true; }
    [[nodiscard]] double tolerance() const override { return 1e-10; }
    [[nodiscard]] int epsilonsAtOnce() const override { return 1; }
    [[nodiscard]] Result<std::vector<Cell>> cells(std::span<const double> epsilons, CellNeeds needs,
                                                  const JobContext& job) override;

private:
    [[nodiscard]] EpsilonInterval intervalOfBreaks() const;
    [[nodiscard]] Cell keptCell(double epsilon) const;
    [[nodiscard]] Cell outputCell(double epsilon, CellNeeds needs);
    void countWords(double epsilon, std::vector<statistics::WordStatistics>& words,
                    std::vector<statistics::CountedOutputs>& outputs);

    engine::NoiseSeriesHandle m_series;
    const CalibrationOptions& m_options;
    std::vector<Row> m_words;
    std::vector<WordPaths> m_paths;
    EpsilonInterval m_interval;
    std::vector<std::unique_ptr<statistics::WordOutputs>> m_counters{};  ///< one per thread
};

}  // namespace epsilens::calibration
