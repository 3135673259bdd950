#include "core/calibration/between_grid.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "core/base/pass_on.h"

namespace epsilens::calibration {

namespace {

constexpr int kPointsWanted = 32;
constexpr double kLongestSeconds = 30.0;

int stepsPerInterval(std::size_t gridSize) {
    return gridSize < 2 ? 1 : std::max(1, kPointsWanted / static_cast<int>(gridSize - 1));
}

// Both rising.
void merge(std::vector<CurvePoint>& line, const std::vector<CurvePoint>& others) {
    const auto middle = static_cast<std::ptrdiff_t>(line.size());
    line.insert(line.end(), others.begin(), others.end());
    std::inplace_merge(
        line.begin(), line.begin() + middle, line.end(),
        [](const CurvePoint& a, const CurvePoint& b) { return a.epsilon < b.epsilon; });
}

/// Whether the options ask for the cells that the summary has.
bool isOfItsCells(const RunCurves& run) {
    const CalibrationOptions& options = run.options();
    const CalibrationSummary& summary = run.summary();
    const std::size_t cells = summary.grid.mechanisms().size() * summary.grid.epsilons.size();
    return options.grid == summary.grid && summary.cells.size() == cells &&
           options.draws == summary.draws && options.seed == summary.seed;
}

}  // namespace

std::vector<double> epsilonsBetween(std::vector<double> grid, double bound) {
    std::sort(grid.begin(), grid.end());
    const int steps = stepsPerInterval(grid.size());
    std::vector<double> between;
    for (std::size_t i = 1; i < grid.size(); ++i) {
        const double low = std::log(grid[i - 1] - bound);
        const double high = std::log(grid[i] - bound);
        for (int step = 1; step < steps; ++step) {
            between.push_back(bound + std::exp(low + (high - low) * step / steps));
        }
    }
    return between;
}

bool deservesPointsBetween(const RunCurves& run) {
    const auto grid = run.options().grid.epsilons.size();
    const double factor = static_cast<double>(kPointsWanted) / static_cast<double>(grid);
    return grid > 1 && stepsPerInterval(grid) > 1 && !run.summary().partial &&
           (run.isRestored ? isOfItsCells(run) : run.summary().seconds * factor < kLongestSeconds);
}

Result<RunCurvesHandle> measureBetween(const engine::SearchSpace& space, const RunCurvesHandle& run,
                                       const JobContext& job) {
    CalibrationOptions options = run->options();
    options.grid.epsilons = epsilonsBetween(options.grid.epsilons, run->epsilonBound);
    options.criticalEpsilons = false;
    options.rerunWorst = false;
    if (run->isRestored) {
        // It was measured on another day, perhaps on another machine.
        ASSIGN_OR_RETURN(const auto cost, estimateCost(space, options));
        if (cost.seconds > kLongestSeconds) {
            return fail(ErrorCode::resourceLimit, "too long to measure unasked");
        }
    }
    ASSIGN_OR_RETURN(auto summary, calibrate(space, options, job));
    if (summary.partial) {
        return fail(ErrorCode::cancelled, "cancelled before every word was measured");
    }
    Run denserGrid;
    denserGrid.request.options = options;
    denserGrid.provenance = run->run->provenance;
    denserGrid.summary = std::make_shared<const CalibrationSummary>(std::move(summary));
    const RunCurves between = arrange(std::make_shared<const Run>(std::move(denserGrid)));
    RunCurves denser = *run;
    for (std::size_t curve = 0; curve < denser.sw.size(); ++curve) {
        merge(denser.sw[curve].line, between.sw[curve].markers);
        if (!denser.nw[curve].exact) {
            merge(denser.nw[curve].line, between.nw[curve].markers);
        }
    }
    return std::make_shared<const RunCurves>(std::move(denser));
}

}  // namespace epsilens::calibration
