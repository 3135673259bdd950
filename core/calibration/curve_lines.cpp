#include "core/calibration/curve_lines.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "core/base/pass_on.h"
#include "core/calibration/epsilon_defaults.h"
#include "core/calibration/result_size.h"

namespace epsilens::calibration {

namespace {

constexpr double kLongestSeconds = 30.0;
constexpr double kLongestFamilySeconds = 10.0;
constexpr double kMostLineBytes = 512.0 * 1024.0 * 1024.0;
// With fewer points a line does not look as it is.
constexpr int kFewestLinePoints = 28;
// Where every epsilon costs a pass over the words.
constexpr int kPassPoints = 40;
// Of a run along the axis to one of five epsilons, where words share their draws.
constexpr double kTimesAlongAxis = 2.5;

/// Whether the options ask for the cells that the summary has.
bool isOfItsCells(const RunCurves& run) {
    const CalibrationOptions& options = run.options();
    const CalibrationSummary& summary = run.summary();
    const std::size_t cells = summary.grid.mechanisms().size() * summary.grid.epsilons.size();
    return options.grid == summary.grid && summary.cells.size() == cells &&
           options.draws == summary.draws && options.seed == summary.seed;
}

double secondsOfLines(const RunCurves& run) {
    const double factor =
        run.options().independentDraws
            ? 1.0 + kAxisPoints / static_cast<double>(run.options().grid.epsilons.size())
            : kTimesAlongAxis;
    return run.summary().seconds * factor;
}

}  // namespace

std::vector<CurvePoint> pointsOf(const CalibrationSummary& summary, std::size_t curve,
                                 statistics::Summary Cell::*statistic) {
    std::vector<CurvePoint> points;
    const std::size_t epsilons = summary.grid.epsilons.size();
    for (std::size_t e = 0; e < epsilons; ++e) {
        const Cell& cell = summary.cells[curve * epsilons + e];
        points.push_back({cell.epsilon, cell.*statistic});
    }
    std::sort(points.begin(), points.end(),
              [](const CurvePoint& a, const CurvePoint& b) { return a.epsilon < b.epsilon; });
    return points;
}

int pointsAlongAxis(const engine::SearchSpace& space, const CalibrationOptions& options) {
    const auto words = selectWords(options.words, space.embedding().wordCount(), options.seed);
    if (!words) {
        return 0;
    }
    CalibrationOptions one = options;
    one.grid.epsilons = {1.0};
    one.criticalEpsilons = false;
    const double bytes = resultBytes(one, static_cast<std::int64_t>(words->size()));
    const int points = static_cast<int>(std::min<double>(kAxisPoints, kMostLineBytes / bytes));
    return points < kFewestLinePoints ? 0 : points;
}

CalibrationOptions alongAxis(CalibrationOptions options, double bound, int points) {
    std::vector<double>& epsilons = options.grid.epsilons;
    const auto [least, largest] = std::minmax_element(epsilons.begin(), epsilons.end());
    if (epsilons.empty() || !(*least > bound) || *least == *largest) {
        return options;
    }
    const double low = std::log(*least - bound);
    const double high = std::log(*largest - bound);
    // The ends are of the grid.
    for (int i = 1; i <= points; ++i) {
        epsilons.push_back(bound + std::exp(low + (high - low) * i / (points + 1)));
    }
    return options;
}

bool measuresExactly(const engine::SearchSpace& space, const CalibrationOptions& options) {
    return !options.grid.mechanism.isExact() && !options.independentDraws && !options.rerunWorst &&
           exactCountsFit(space, options);
}

CalibrationOptions measuredOptions(const engine::SearchSpace& space,
                                   const CalibrationOptions& options) {
    if (options.grid.mechanism.isExact() || options.independentDraws || options.rerunWorst ||
        measuresExactly(space, options)) {
        return options;
    }
    return alongAxis(options, options.grid.mechanism.epsilonBound(space.embedding().dimensions()),
                     pointsAlongAxis(space, options));
}

void setLines(RunCurves& run, const CalibrationSummary& dense) {
    for (std::size_t curve = 0; curve < run.sw.size(); ++curve) {
        run.sw[curve].line = pointsOf(dense, curve, &Cell::sw);
        if (!run.nw[curve].exact) {
            run.nw[curve].line = pointsOf(dense, curve, &Cell::nw);
        }
    }
}

bool deservesLines(const RunCurves& run) {
    const bool hasLines = run.sw.front().line.size() > run.sw.front().markers.size();
    return !run.options().grid.mechanism.isExact() && !hasLines &&
           run.options().grid.epsilons.size() > 1 && !run.summary().partial &&
           (!run.isRestored || isOfItsCells(run)) && secondsOfLines(run) < kLongestSeconds;
}

Result<std::shared_ptr<const CalibrationSummary>> familyAlongAxis(
    const Run& run, const mechanism::Mechanism& family, const engine::SearchSpace& space,
    double from, const JobContext& job) {
    const CalibrationSummary& summary = *run.summary;
    const double ofFamily = summary.seconds / static_cast<double>(summary.grid.mechanisms().size());
    // In closed form every epsilon costs as much as the others.
    const double times = family.isExact()
                             ? kPassPoints / static_cast<double>(summary.grid.epsilons.size())
                             : kTimesAlongAxis;
    CalibrationOptions options = run.request.options;
    if (options.independentDraws || summary.partial || times * ofFamily > kLongestFamilySeconds) {
        return nullptr;
    }
    options.grid = mechanism::Grid::of(family);
    options.grid.epsilons = summary.grid.epsilons;
    options.criticalEpsilons = false;
    options.deniabilityOdds.reset();
    options.rerunWorst = false;
    const double bound = family.epsilonBound(space.embedding().dimensions());
    std::vector<double>& epsilons = options.grid.epsilons;
    if (from > bound && from < *std::min_element(epsilons.begin(), epsilons.end())) {
        epsilons.push_back(from);
    }
    const std::size_t ends = epsilons.size();
    const int points = pointsAlongAxis(space, options);
    options = alongAxis(options, bound, family.isExact() ? std::min(points, kPassPoints) : points);
    if (options.grid.epsilons.size() == ends) {
        return nullptr;
    }
    ASSIGN_OR_RETURN(auto dense, calibrate(space, options, job));
    if (dense.partial) {
        return fail(ErrorCode::cancelled, "cancelled before every word was measured");
    }
    return std::make_shared<const CalibrationSummary>(std::move(dense));
}

Result<RunCurvesHandle> measureLines(const engine::SearchSpace& space, const RunCurvesHandle& run,
                                     const JobContext& job) {
    const bool exactly = exactCountsFit(space, run->options());
    CalibrationOptions options = exactly ? run->options()
                                         : alongAxis(run->options(), run->epsilonBound,
                                                     pointsAlongAxis(space, run->options()));
    if (!exactly && options.grid == run->options().grid) {
        return run;
    }
    options.criticalEpsilons = false;
    options.deniabilityOdds.reset();
    options.rerunWorst = false;
    RunCurves denser = *run;
    if (exactly) {
        ASSIGN_OR_RETURN(auto steps, measureExactly(space, options, job));
        setSteps(denser, std::move(steps));
        return std::make_shared<const RunCurves>(std::move(denser));
    }
    ASSIGN_OR_RETURN(const auto dense, calibrate(space, options, job));
    if (dense.partial) {
        return fail(ErrorCode::cancelled, "cancelled before every word was measured");
    }
    setLines(denser, dense);
    return std::make_shared<const RunCurves>(std::move(denser));
}

}  // namespace epsilens::calibration
