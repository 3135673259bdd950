#include "core/calibration/cell_outputs.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <map>
#include <utility>

#include "core/base/pass_on.h"
#include "core/engine/create_series.h"
#include "core/engine/metric_space.h"
#include "core/engine/noise_draws.h"
#include "core/engine/selection_draws.h"
#include "core/metric/word_metric.h"

namespace epsilens::calibration {
namespace {

using engine::SelectionOutputs;

Result<std::vector<SelectionOutputs>> weighedOutputs(
    const engine::SearchSpace& space, const mechanism::Mechanism& mechanism, double lambda,
    const std::vector<const Cell*>& cells, std::span<const Row> words,
    const engine::SelectionOptions& options, const JobContext& job) {
    std::vector<mechanism::TruncatedExponential> settings;
    for (const Cell* cell : cells) {
        constexpr double kWithout = std::numeric_limits<double>::infinity();
        ASSIGN_OR_RETURN(const auto setting, mechanism::TruncatedExponential::create(
                                                 cell->epsilon, cell->gamma.value_or(kWithout)));
        settings.push_back(setting);
    }
    ASSIGN_OR_RETURN(const auto metric,
                     metric::WordMetric::create(space.handle(), mechanism.metric(), lambda)
                         .and_then([](metric::WordMetric&& ready) {
                             return engine::MetricSpace::create(std::move(ready));
                         }));
    return engine::drawSelections(metric, words, settings, options, job);
}

Result<std::vector<SelectionOutputs>> noiseOutputs(
    const engine::SearchSpace& space, const mechanism::Mechanism& mechanism, double lambda,
    const std::vector<const Cell*>& cells, std::span<const Row> words,
    const engine::SelectionOptions& options, const JobContext& job) {
    std::vector<double> epsilons;
    epsilons.reserve(cells.size());
    for (const Cell* cell : cells) {
        epsilons.push_back(cell->epsilon);
    }
    ASSIGN_OR_RETURN(const auto series, engine::createSeries(space, mechanism, {lambda}));
    return engine::drawOutputs(*series, words, epsilons, options, job);
}

}  // namespace

Result<CellOutputs> cellOutputs(const engine::SearchSpace& space,
                                const mechanism::Mechanism& mechanism, std::span<const Cell> cells,
                                std::span<const Row> words, int draws, std::uint64_t seed,
                                const JobContext& job) {
    std::map<double, std::vector<const Cell*>> byLambda;
    for (const Cell& cell : cells) {
        byLambda[cell.lambda].push_back(&cell);
    }
    const engine::SelectionOptions options{draws, seed, 1, 0};
    const auto draw = mechanism.isExact() ? weighedOutputs : noiseOutputs;
    CellOutputs outputs(cells.size());
    for (const auto& [lambda, some] : byLambda) {
        ASSIGN_OR_RETURN(auto drawn, draw(space, mechanism, lambda, some, words, options, job));
        for (std::size_t i = 0; i < some.size(); ++i) {
            for (SelectionOutputs& word : drawn) {
                outputs[static_cast<std::size_t>(some[i] - cells.data())].push_back(
                    std::move(word.outputs[i]));
            }
        }
    }
    return outputs;
}

}  // namespace epsilens::calibration
