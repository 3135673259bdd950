#include "core/calibration/run_curves.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/base/job_part.h"
#include "core/base/pass_on.h"
#include "core/calibration/curve_lines.h"
#include "core/calibration/some_epsilons.h"

namespace epsilens::calibration {

namespace {

// Dense enough that neighbouring points are under a pixel apart at the home range.
constexpr int kLinePoints = 720;
// The line goes on outside the grid by this factor, for those who zoom out.
constexpr double kBeyondGrid = 10.0;
// Of the time of a run whose steps are measured too.
constexpr double kShareOfGrid = 0.4;

std::vector<double> lineEpsilons(std::vector<double> grid, double bound) {
    const auto [low, high] = std::minmax_element(grid.begin(), grid.end());
    // A file may hold results at which its mechanism does not exist.
    if (!(*low > bound)) {
        std::sort(grid.begin(), grid.end());
        return grid;
    }
    const double first = std::log((*low - bound) / kBeyondGrid);
    const double last = std::log((*high - bound) * kBeyondGrid);
    for (int i = 0; i < kLinePoints; ++i) {
        grid.push_back(bound + std::exp(first + (last - first) * i / (kLinePoints - 1)));
    }
    std::sort(grid.begin(), grid.end());
    return grid;
}

double mixed(double low, double high, double share) {
    return low + share * (high - low);
}

CurvePoint between(const CurvePoint& a, const CurvePoint& b, double epsilon) {
    const double share = std::log(epsilon / a.epsilon) / std::log(b.epsilon / a.epsilon);
    CurvePoint point{epsilon, {}};
    static constexpr std::array kFields{
        &statistics::Summary::mean, &statistics::Summary::sd,  &statistics::Summary::min,
        &statistics::Summary::p1,   &statistics::Summary::p5,  &statistics::Summary::p25,
        &statistics::Summary::p50,  &statistics::Summary::p75, &statistics::Summary::p95,
        &statistics::Summary::p99,  &statistics::Summary::max};
    for (const auto field : kFields) {
        point.over.*field = mixed(a.over.*field, b.over.*field, share);
    }
    return point;
}

struct Found {
    std::optional<CurvePoint> point{};
    bool onGrid = false;
};

Found findAt(const std::vector<CurvePoint>& grid, double epsilon) {
    const auto above = std::lower_bound(
        grid.begin(), grid.end(), epsilon,
        [](const CurvePoint& point, double value) { return point.epsilon < value; });
    if (above != grid.end() && above->epsilon == epsilon) {
        return {*above, true};
    }
    if (above == grid.end() || above == grid.begin()) {
        return {};
    }
    return {between(*(above - 1), *above, epsilon), false};
}

/// N_w and S_w of a curve.
std::pair<Found, Found> bothAt(const RunCurves& run, std::size_t curve, double epsilon) {
    const std::array asked{epsilon};
    if (!run.steps.empty()) {
        const ExactCurve& steps = *run.steps[curve];
        return {{steps.kept.at(asked).front(), true}, {steps.distinct.at(asked).front(), true}};
    }
    const Found sw = findAt(run.sw[curve].line, epsilon);
    return {run.nw[curve].exact ? Found{run.exact[curve].at(asked).front(), true}
                                : findAt(run.nw[curve].line, epsilon),
            sw};
}

}  // namespace

bool exactCurvesFit(std::int64_t words, int draws, std::size_t lambdas) {
    return static_cast<double>(words) * draws * static_cast<double>(lambdas) * sizeof(double) <=
           kLargestCriticalTable;
}

RunCurves arrange(RunHandle handle) {
    const CalibrationSummary& summary = *handle->summary;
    const mechanism::Grid& asked = handle->request.options.grid;
    RunCurves run;
    run.parameter = parameterOf(familyOf(asked));
    run.epsilonBound = asked.mechanism.epsilonBound(handle->provenance.embedding.dimensions);
    for (const CriticalTable& table : summary.critical) {
        run.exact.emplace_back(std::shared_ptr<const CriticalTable>(handle->summary, &table),
                               summary.draws);
    }
    const std::vector<double> dense = run.exact.empty()
                                          ? std::vector<double>{}
                                          : lineEpsilons(summary.grid.epsilons, run.epsilonBound);
    const std::size_t epsilons = summary.grid.epsilons.size();
    const std::size_t curves = summary.cells.size() / epsilons;
    for (std::size_t k = 0; k < curves; ++k) {
        const double value = parameterValue(summary.cells[k * epsilons], run.parameter);
        Curve nw{value, !run.exact.empty(), {}, {}};
        nw.markers = pointsOf(summary, k, &Cell::nw);
        nw.line = nw.exact ? run.exact[k].at(dense) : nw.markers;
        Curve sw{value, false, {}, {}};
        sw.markers = pointsOf(summary, k, &Cell::sw);
        sw.line = sw.markers;
        run.nw.push_back(std::move(nw));
        run.sw.push_back(std::move(sw));
    }
    run.run = std::move(handle);
    return run;
}

void setSteps(RunCurves& run, std::vector<ExactCurveHandle> steps) {
    const std::vector<double> dense = lineEpsilons(run.summary().grid.epsilons, run.epsilonBound);
    for (std::size_t k = 0; k < steps.size(); ++k) {
        run.nw[k].exact = run.sw[k].exact = true;
        run.nw[k].line = steps[k]->kept.at(dense);
        run.sw[k].line = steps[k]->distinct.at(dense);
    }
    run.steps = std::move(steps);
}

Result<RunCurvesHandle> runCurves(const engine::SearchSpace& space,
                                  const CalibrationOptions& options, const JobContext& job,
                                  std::optional<SelectionDescription> selection) {
    const bool exactly = measuresExactly(space, options);
    ASSIGN_OR_RETURN(auto measured, calibrate(space, measuredOptions(space, options),
                                              partOf(job, 0.0, exactly ? kShareOfGrid : 1.0)));
    CalibrationSummary summary = summaryAt(measured, options.grid.epsilons);
    summary.critical = std::move(measured.critical);
    ASSIGN_OR_RETURN(auto run,
                     describeRun(space, std::move(summary),
                                 keptRequest(loadOptionsOf(space.embedding().embedding), options)));
    run.provenance.selection = std::move(selection);
    RunCurves curves = arrange(std::make_shared<const Run>(std::move(run)));
    setLines(curves, measured);
    if (exactly && !measured.partial) {
        auto steps = measureExactly(space, options, partOf(job, kShareOfGrid, 1.0));
        if (steps) {
            setSteps(curves, std::move(*steps));
        }
    }
    curves.embedding = space.handle();
    return std::make_shared<const RunCurves>(std::move(curves));
}

std::vector<Reading> readAt(const RunCurves& run, double epsilon) {
    std::vector<Reading> readings;
    for (std::size_t k = 0; k < run.nw.size(); ++k) {
        Reading reading;
        reading.value = run.nw[k].value;
        if (!(epsilon > run.epsilonBound)) {
            readings.push_back(reading);
            continue;
        }
        const auto [nw, sw] = bothAt(run, k, epsilon);
        reading.nw = nw.point;
        reading.nwExact = nw.onGrid;
        reading.sw = sw.point;
        reading.swExact = sw.onGrid;
        readings.push_back(reading);
    }
    return readings;
}

}  // namespace epsilens::calibration
