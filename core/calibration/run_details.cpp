#include "core/calibration/run_details.h"

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <tuple>
#include <utility>

#include "core/base/pass_on.h"
#include "core/calibration/calibrate.h"
#include "core/embedding/examples.h"
#include "core/metric/word_metric.h"

namespace epsilens::calibration {
namespace {

using calibration::CalibrationSummary;

std::string absolutePath(const std::string& path) {
    if (path.empty() || path == "-" || embedding::isBuiltIn(path)) {
        return path;
    }
    std::error_code error;
    const auto absolute = std::filesystem::absolute(path, error);
    return error ? path : absolute.lexically_normal().string();
}

std::vector<WordValue> worstOf(const calibration::WordTable& table, std::size_t cell,
                               const embedding::Vocabulary& vocabulary) {
    const auto worse = [&](std::size_t a, std::size_t b) {
        const std::size_t atA = a * table.cells + cell;
        const std::size_t atB = b * table.cells + cell;
        return std::tuple(-table.nw[atA], table.sw[atA], a) <
               std::tuple(-table.nw[atB], table.sw[atB], b);
    };
    std::vector<std::size_t> order(table.words.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const std::size_t count = std::min(RunDetails::kWorstWords, order.size());
    std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count),
                      order.end(), worse);
    std::vector<WordValue> worst;
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t at = order[i] * table.cells + cell;
        const embedding::Row row = table.words[order[i]];
        worst.push_back({std::string(vocabulary.word(row)), row, table.nw[at], table.sw[at]});
    }
    return worst;
}

Result<std::vector<PairDistance>> pairDistances(const engine::SearchSpace& space,
                                                const CalibrationSummary& summary) {
    std::vector<PairDistance> pairs;
    const embedding::Vocabulary& vocabulary = space.embedding().vocabulary();
    for (const double lambda : summary.grid.lambdas) {
        ASSIGN_OR_RETURN(
            const auto metric,
            metric::WordMetric::create(space.handle(), summary.grid.mechanism.metric(), lambda));
        for (const embedding::ExamplePair& pair : embedding::examplePairs()) {
            const auto first = vocabulary.find(pair.first);
            const auto second = vocabulary.find(pair.second);
            if (first && second) {
                pairs.push_back({std::string(pair.first), std::string(pair.second), lambda,
                                 metric.distance(*first, *second)});
            }
        }
    }
    return pairs;
}

}  // namespace

RunRequest keptRequest(embedding::LoadOptions load, calibration::CalibrationOptions options) {
    load.path = absolutePath(load.path);
    load.vocabularyPath = absolutePath(load.vocabularyPath);
    load.threads = 0;
    load.memoryLimit = 0;
    options.threads = 0;
    options.criticalEpsilons = false;
    return {std::move(load), std::move(options)};
}

Result<RunDetails> describeDetails(const engine::SearchSpace& space,
                                   const CalibrationSummary& summary, RunRequest request) {
    ASSIGN_OR_RETURN(auto pairs, pairDistances(space, summary));
    ASSIGN_OR_RETURN(auto plane, planePicture(space, summary));
    RunDetails details{std::move(request), {}, std::move(pairs), std::move(plane)};
    for (std::size_t cell = 0; cell < summary.cells.size(); ++cell) {
        details.worstWords.push_back(
            worstOf(summary.perWord, cell, space.embedding().vocabulary()));
    }
    return details;
}

}  // namespace epsilens::calibration
