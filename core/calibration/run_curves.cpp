#include "core/calibration/run_curves.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/calibration/epsilon_search.h"

namespace epsilens::calibration {

namespace {

// Under two pixels apart at the home range.
constexpr int kLinePoints = 240;
// The line goes on outside the grid by this factor, for those who zoom out.
constexpr double kBeyondGrid = 10.0;
constexpr double kMostCurveBytes = 512.0 * 1024.0 * 1024.0;
// Of the steps of one draw, and of the distances of a word in closed form: what the built-in
// samples and 41,353 x 300 vectors take at most, on average.
constexpr double kStepBytesPerDraw = 410.0;
constexpr double kBytesPerProfile = 16.0 * 1024.0;

/// Rising.
std::vector<double> withGrid(std::vector<double> epsilons, const mechanism::Grid& grid) {
    epsilons.insert(epsilons.end(), grid.epsilons.begin(), grid.epsilons.end());
    std::sort(epsilons.begin(), epsilons.end());
    return epsilons;
}

bool fits(std::int64_t words, int draws, const mechanism::Grid& grid) {
    const double perWord = grid.mechanism.isExact() ? kBytesPerProfile : kStepBytesPerDraw * draws;
    return static_cast<double>(words) * perWord * static_cast<double>(grid.mechanisms().size()) <=
           kMostCurveBytes;
}

Cell between(const Cell& a, const Cell& b, double epsilon) {
    const double share = std::log(epsilon / a.epsilon) / std::log(b.epsilon / a.epsilon);
    Cell cell;
    cell.epsilon = epsilon;
    for (const auto of : {&Cell::nw, &Cell::sw}) {
        for (const auto field : kSummaryValues) {
            cell.*of.*field = a.*of.*field + share * (b.*of.*field - a.*of.*field);
        }
    }
    return cell;
}

/// Nothing outside the grid.
std::optional<Cell> interpolated(const std::vector<Cell>& grid, double epsilon) {
    const auto above = std::ranges::lower_bound(grid, epsilon, {}, &Cell::epsilon);
    if (above != grid.end() && above->epsilon == epsilon) {
        return *above;
    }
    if (above == grid.end() || above == grid.begin()) {
        return std::nullopt;
    }
    return between(*(above - 1), *above, epsilon);
}

}  // namespace

CurveParameter parameterOf(const mechanism::Mechanism& mechanism) {
    if (mechanism.hasRadius()) {
        return mechanism.parameters().gamma ? CurveParameter::gamma : CurveParameter::beta;
    }
    return mechanism.hasLambda() || mechanism.sharesUnitWith(mechanism::Mahalanobis())
               ? CurveParameter::lambda
               : CurveParameter::none;
}

double parameterValue(const Cell& cell, CurveParameter parameter) {
    return parameter == CurveParameter::lambda  ? cell.lambda
           : parameter == CurveParameter::beta  ? cell.beta.value_or(0.0)
           : parameter == CurveParameter::gamma ? cell.gamma.value_or(0.0)
                                                : 0.0;
}

double parameterValue(const mechanism::Mechanism& mechanism, CurveParameter parameter) {
    const mechanism::Parameters parameters = mechanism.parameters();
    return parameter == CurveParameter::lambda  ? mechanism.lambda()
           : parameter == CurveParameter::beta  ? parameters.beta.value_or(mechanism::kDefaultBeta)
           : parameter == CurveParameter::gamma ? parameters.gamma.value_or(0.0)
                                                : 0.0;
}

RunCurves arrange(RunHandle handle) {
    const CalibrationSummary& summary = *handle->summary;
    const mechanism::Grid& asked = handle->request.options.grid;
    RunCurves run;
    const auto mechanisms = asked.mechanisms();
    run.parameter = parameterOf(mechanisms.empty() ? asked.mechanism : mechanisms.front());
    run.epsilonBound = asked.mechanism.epsilonBound(handle->provenance.embedding.dimensions);
    const std::size_t epsilons = summary.grid.epsilons.size();
    for (std::size_t first = 0; first < summary.cells.size(); first += epsilons) {
        // Documents may lack the last cells.
        const auto family = std::span(summary.cells)
                                .subspan(first)
                                .first(std::min(epsilons, summary.cells.size() - first));
        std::vector<Cell> cells(family.begin(), family.end());
        std::ranges::sort(cells, {}, &Cell::epsilon);
        run.curves.push_back({parameterValue(cells.front(), run.parameter), cells, cells});
    }
    run.run = std::move(handle);
    return run;
}

bool lacksResponses(const RunCurves& run) {
    const CalibrationOptions& options = run.options();
    const CalibrationSummary& summary = run.summary();
    const std::size_t cells = summary.grid.mechanisms().size() * summary.grid.epsilons.size();
    const std::vector<double>& epsilons = summary.grid.epsilons;
    return run.responses.empty() && !summary.partial && options.grid == summary.grid &&
           summary.cells.size() == cells && options.draws == summary.draws &&
           options.seed == summary.seed && *std::ranges::min_element(epsilons) > run.epsilonBound &&
           fits(summary.words, summary.draws, summary.grid);
}

Result<RunCurvesHandle> withResponses(const engine::SearchSpace& space, const RunCurvesHandle& run,
                                      const JobContext& job) {
    RunCurves denser = *run;
    const std::vector<mechanism::Mechanism> families = run->summary().grid.mechanisms();
    for (std::size_t k = 0; k < families.size(); ++k) {
        ASSIGN_OR_RETURN(auto response, measure(space, {run->options(), families[k]},
                                                partOf(job, k, k + 1, families.size())));
        const std::vector<Cell>& grid = run->curves[k].markers;
        const double bound = run->epsilonBound;
        denser.curves[k].line = response->cellsAt(withGrid(
            spread(widened({grid.front().epsilon, grid.back().epsilon}, bound, kBeyondGrid), bound,
                   kLinePoints),
            run->summary().grid));
        denser.responses.push_back(std::move(response));
    }
    return std::make_shared<const RunCurves>(std::move(denser));
}

Result<std::vector<Cell>> familyAlongAxis(const Run& run, const mechanism::Mechanism& family,
                                          const engine::SearchSpace& space, double from,
                                          const JobContext& job) {
    const CalibrationSummary& summary = *run.summary;
    const auto [least, largest] =
        std::minmax_element(summary.grid.epsilons.begin(), summary.grid.epsilons.end());
    const double bound = family.epsilonBound(space.embedding().dimensions());
    const double low = from > bound ? std::min(from, *least) : *least;
    if (summary.partial || !(low > bound) || low == *largest ||
        !fits(summary.words, summary.draws, mechanism::Grid::of(family))) {
        return std::vector<Cell>();
    }
    ASSIGN_OR_RETURN(const auto response, measure(space, {run.request.options, family}, job));
    return response->cellsAt(withGrid(spread({low, *largest}, bound, kLinePoints), summary.grid));
}

Result<RunCurvesHandle> runCurves(const engine::SearchSpace& space,
                                  const CalibrationOptions& options, const JobContext& job,
                                  std::optional<SelectionDescription> selection) {
    ASSIGN_OR_RETURN(auto summary, calibrate(space, options, job));
    ASSIGN_OR_RETURN(auto run,
                     describeRun(space, std::move(summary),
                                 keptRequest(loadOptionsOf(space.embedding().embedding), options)));
    run.provenance.selection = std::move(selection);
    RunCurves curves = arrange(std::make_shared<const Run>(std::move(run)));
    curves.embedding = space.handle();
    return std::make_shared<const RunCurves>(std::move(curves));
}

Reading readCurve(const RunCurves& run, std::size_t curve, double epsilon) {
    const std::vector<Cell>& markers = run.curves[curve].markers;
    Reading reading;
    reading.value = run.curves[curve].value;
    if (!(epsilon > run.epsilonBound)) {
        return reading;
    }
    const bool isOfGrid = std::ranges::find(markers, epsilon, &Cell::epsilon) != markers.end();
    reading.isExact = isOfGrid || run.isExact();
    reading.cell = isOfGrid || run.responses.empty()
                       ? interpolated(markers, epsilon)
                       : run.responses[curve]->cellsAt(std::span(&epsilon, 1)).front();
    return reading;
}

}  // namespace epsilens::calibration
