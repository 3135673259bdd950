#include "core/calibration/cell_outputs.h"

#include <cstddef>
#include <functional>
#include <limits>
#include <map>
#include <memory>
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

/// What draws outputs of one word at the cells of one lambda.
using DrawWord = std::function<Result<std::vector<SelectionOutputs>>(
    std::span<const Row> word, const engine::SelectionOptions& options)>;

Result<DrawWord> weighing(const engine::SearchSpace& space, const mechanism::Mechanism& mechanism,
                          double lambda, const std::vector<const Cell*>& cells,
                          const JobContext& job) {
    std::vector<mechanism::TruncatedExponential> settings;
    for (const Cell* cell : cells) {
        constexpr double kWithout = std::numeric_limits<double>::infinity();
        ASSIGN_OR_RETURN(const auto setting, mechanism::TruncatedExponential::create(
                                                 cell->epsilon, cell->gamma.value_or(kWithout)));
        settings.push_back(setting);
    }
    ASSIGN_OR_RETURN(auto metric,
                     metric::WordMetric::create(space.handle(), mechanism.metric(), lambda)
                         .and_then([](metric::WordMetric&& ready) {
                             return engine::MetricSpace::create(std::move(ready));
                         }));
    return
        [settings, &job, metric = std::make_shared<const engine::MetricSpace>(std::move(metric))](
            std::span<const Row> word, const engine::SelectionOptions& options) {
            return engine::drawSelections(*metric, word, settings, options, job);
        };
}

Result<DrawWord> addingNoise(const engine::SearchSpace& space,
                             const mechanism::Mechanism& mechanism, double lambda,
                             const std::vector<const Cell*>& cells, const JobContext& job) {
    std::vector<double> epsilons;
    epsilons.reserve(cells.size());
    for (const Cell* cell : cells) {
        epsilons.push_back(cell->epsilon);
    }
    ASSIGN_OR_RETURN(const auto series, engine::createSeries(space, mechanism, {lambda}));
    return [epsilons, series, &job](std::span<const Row> word,
                                    const engine::SelectionOptions& options) {
        return engine::drawOutputs(*series, word, epsilons, options, job);
    };
}

}  // namespace

Result<CellOutputs> cellOutputs(const engine::SearchSpace& space,
                                const mechanism::Mechanism& mechanism, std::span<const Cell> cells,
                                std::span<const SeededWord> words, int draws,
                                const JobContext& job) {
    std::map<double, std::vector<const Cell*>> byLambda;
    for (const Cell& cell : cells) {
        byLambda[cell.lambda].push_back(&cell);
    }
    const auto prepare = mechanism.isExact() ? weighing : addingNoise;
    CellOutputs outputs(cells.size());
    for (const auto& [lambda, some] : byLambda) {
        ASSIGN_OR_RETURN(const auto draw, prepare(space, mechanism, lambda, some, job));
        for (const SeededWord& word : words) {
            ASSIGN_OR_RETURN(auto drawn, draw({&word.row, 1}, {draws, word.seed, 1, 0}));
            for (std::size_t i = 0; i < some.size(); ++i) {
                outputs[static_cast<std::size_t>(some[i] - cells.data())].push_back(
                    std::move(drawn.front().outputs[i]));
            }
        }
    }
    return outputs;
}

}  // namespace epsilens::calibration
