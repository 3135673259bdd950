#include "core/calibration/rerun_statistics.h"

#include <utility>

#include "core/base/pass_on.h"
#include "core/calibration/epsilon_defaults.h"

namespace epsilens::calibration {
namespace {

/// How far beyond the 5th and 95th percentile of critical epsilons a search begins.
constexpr double kMargin = 10.0;

}  // namespace

Result<std::unique_ptr<SettingStatistics>> RerunStatistics::create(
    const engine::SearchSpace& space, const CalibrationOptions& options, const JobContext& job) {
    ASSIGN_OR_RETURN(const auto range, estimateRange(space, options, job));
    EpsilonInterval interval;
    interval.origin = epsilonOrigin(options, space.embedding().dimensions());
    // A range without scale, where every draw keeps its word, may lie below the origin.
    const double low = range.low > interval.origin ? range.low - interval.origin : 1.0;
    const double high = range.high > interval.origin ? range.high - interval.origin : 1.0;
    interval.low = interval.origin + low / kMargin;
    interval.high = interval.origin + high * kMargin;
    interval.canGrow = true;
    return std::make_unique<RerunStatistics>(space, options, interval);
}

RerunStatistics::RerunStatistics(const engine::SearchSpace& space, CalibrationOptions options,
                                 EpsilonInterval interval)
    : m_space(space), m_options(std::move(options)), m_interval(interval) {
    m_options.rerunWorst = false;
    m_options.criticalEpsilons = false;
    m_options.deniabilityOdds.reset();
}

Result<std::vector<Cell>> RerunStatistics::cells(std::span<const double> epsilons,
                                                 CellNeeds /*needs*/, const JobContext& job) {
    m_options.grid.epsilons.assign(epsilons.begin(), epsilons.end());
    const JobContext quiet{job.stop, {}};
    ASSIGN_OR_RETURN(auto summary, calibrate(m_space, m_options, quiet));
    if (summary.partial) {
        return fail(ErrorCode::cancelled, "cancelled");
    }
    return std::move(summary.cells);
}

}  // namespace epsilens::calibration
