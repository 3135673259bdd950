#include "core/calibration/measurement.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "core/base/job_part.h"
#include "core/base/pass_on.h"
#include "core/calibration/block_run.h"
#include "core/calibration/epsilon_defaults.h"
#include "core/calibration/selection_measurement.h"
#include "core/calibration/step_measurement.h"
#include "core/engine/create_series.h"

namespace epsilens::calibration {
namespace {

constexpr double kShownBeyond = 3.0;

/// Checks the weights and brings them into the order of the words.
Result<std::vector<double>> weightsOf(const MeasurementOptions& options,
                                      const std::vector<Row>& words) {
    if (options.weights.empty()) {
        return std::vector<double>(words.size(), 1.0);
    }
    const std::vector<Row>& rows = options.words.rows;
    if (options.words.kind != WordSelection::Kind::list || rows.size() != options.weights.size()) {
        return fail(ErrorCode::invalidArgument,
                    fmt::format("{} weights are given for {} listed words; give one for each",
                                options.weights.size(), rows.size()));
    }
    std::map<Row, double> weights;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (!(options.weights[i] > 0.0 && std::isfinite(options.weights[i]))) {
            return fail(ErrorCode::invalidArgument,
                        fmt::format("the weight {} is outside its range, finite and above 0",
                                    options.weights[i]));
        }
        weights[rows[i]] += options.weights[i];
    }
    std::vector<double> inOrder;
    std::transform(weights.begin(), weights.end(), std::back_inserter(inOrder),
                   [](const auto& entry) { return entry.second; });
    return inOrder;
}

Result<MeasurementHandle> measureSteps(const engine::NoiseSeries& series, MeasurementBasis basis,
                                       Crew* crew, const JobContext& job) {
    const std::vector<std::size_t> order = shuffledIndices(basis.words.size(), basis.options.seed);
    std::vector<Row> shuffled(order.size());
    std::transform(order.begin(), order.end(), shuffled.begin(),
                   [&basis](std::size_t place) { return basis.words[place]; });
    ASSIGN_OR_RETURN(auto gathered,
                     gatherSteps(series, basis.options.calibration(), shuffled, crew, job));
    std::vector<WordSteps> steps(gathered.size());
    for (std::size_t i = 0; i < gathered.size(); ++i) {
        steps[order[i]] = std::move(gathered[i]);
    }
    return std::make_shared<const StepMeasurement>(std::move(basis), std::move(steps));
}

}  // namespace

CalibrationOptions MeasurementOptions::calibration() const {
    CalibrationOptions run;
    run.grid = mechanism::Grid::of(mechanism);
    run.words = words;
    run.draws = draws;
    run.seed = seed;
    run.nearNeighbours = nearNeighbours;
    run.threads = threads;
    run.independentDraws = independentDraws;
    return run;
}

MeasurementOptions MeasurementOptions::of(const CalibrationOptions& run,
                                          const mechanism::Mechanism& setting) {
    MeasurementOptions options;
    options.mechanism = setting;
    options.words = run.words;
    options.draws = run.draws;
    options.seed = run.seed;
    options.nearNeighbours = run.nearNeighbours;
    options.threads = run.threads;
    options.independentDraws = run.independentDraws;
    return options;
}

EpsilonSpan shownSpan(const engine::EpsilonRange& range, double origin) {
    // A range without scale, where every draw keeps its word, may lie below the origin.
    const double low = range.low > origin ? range.low - origin : 1.0;
    const double high = range.high > origin ? range.high - origin : 1.0;
    return {origin + low / kShownBeyond, origin + high * kShownBeyond};
}

void Measurement::setScale(std::vector<double> halfKept, const engine::EpsilonRange& range) {
    m_halfKept = std::move(halfKept);
    m_shown = shownSpan(range, origin());
}

std::vector<OutputShares> Measurement::sharesAlong(std::span<const double> epsilons,
                                                   const std::stop_token& stop) const {
    std::vector<OutputShares> shares(epsilons.size());
    for (std::size_t i = 0; i < epsilons.size() && !stop.stop_requested(); ++i) {
        shares[i] = sharesAt(epsilons[i]);
    }
    return shares;
}

std::optional<double> Measurement::epsilonOfKept(double share) const {
    constexpr double kExact = 1e-6;
    double low = m_shown.low;
    double high = m_shown.high;
    if (sharesAt(low).kept >= share || sharesAt(high).kept < share) {
        return std::nullopt;
    }
    while (high - low > kExact * (low - origin())) {
        const double middle = origin() + std::sqrt((low - origin()) * (high - origin()));
        (sharesAt(middle).kept < share ? low : high) = middle;
    }
    return high;
}

Result<std::vector<LimitCheck>> Measurement::check(const std::vector<Limit>& limits,
                                                   double epsilon) const {
    return checkLimits(limits, cellsAt(std::span(&epsilon, 1)).front(), options().draws);
}

Result<MeasurementHandle> measure(const engine::SearchSpace& space, MeasurementOptions options,
                                  const JobContext& job, Crew* crew) {
    CalibrationOptions run = options.calibration();
    MeasurementBasis basis;
    basis.origin = epsilonOrigin(run, space.embedding().dimensions());
    run.grid.epsilons = {basis.origin + 1.0};
    if (auto error = validate(run, space.embedding())) {
        return tl::unexpected(std::move(*error));
    }
    ASSIGN_OR_RETURN(basis.words,
                     selectWords(options.words, space.embedding().wordCount(), options.seed));
    ASSIGN_OR_RETURN(basis.weights, weightsOf(options, basis.words));
    basis.options = std::move(options);
    if (basis.options.mechanism.isExact()) {
        return measureSelection(space, std::move(basis), crew, job);
    }
    ASSIGN_OR_RETURN(const auto series,
                     engine::createSeries(space, run.grid.mechanism, run.grid.usedLambdas()));
    return measureSteps(*series, std::move(basis), crew, job);
}

}  // namespace epsilens::calibration
