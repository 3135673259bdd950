#include "ui/live/output_job.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "core/base/parallel.h"
#include "core/base/pass_on.h"
#include "core/engine/create_series.h"
#include "core/numeric/quantile.h"
#include "ui/live/selection_outputs.h"
#include "ui/state/mechanism_neighbours.h"

namespace epsilens::ui::live {

namespace {

using Neighbourhoods = std::unordered_map<Row, std::shared_ptr<const engine::Neighbourhood>>;

/// Percentiles of the critical epsilons of a word's draws.
CriticalEpsilon criticalOf(const engine::PathTable& paths, std::size_t word) {
    std::vector<double> values(static_cast<std::size_t>(paths.draws()));
    for (int draw = 0; draw < paths.draws(); ++draw) {
        values[static_cast<std::size_t>(draw)] = paths.criticalEpsilon(word, draw);
    }
    std::sort(values.begin(), values.end());
    return {numeric::quantileOfSorted(values, 0.05), numeric::quantileOfSorted(values, 0.5),
            numeric::quantileOfSorted(values, 0.95)};
}

Result<Neighbourhoods> missingNeighbours(const OutputRequest& request, const JobContext& job) {
    ASSIGN_OR_RETURN(auto found, noiseNeighbours(*request.space, request.setting.mechanism,
                                                 request.withoutNeighbours, kNearNeighbours, job));
    Neighbourhoods neighbours;
    for (std::size_t i = 0; i < found.size(); ++i) {
        neighbours[request.withoutNeighbours[i]] =
            std::make_shared<const engine::Neighbourhood>(std::move(found[i]));
    }
    return neighbours;
}

Result<OutputAnswer> followPaths(const OutputRequest& request, const engine::NoiseSeries& series,
                                 const JobContext& job) {
    ASSIGN_OR_RETURN(auto neighbours, missingNeighbours(request, job));
    engine::PathOptions options;
    options.words = request.words;
    options.draws = request.setting.draws;
    options.seed = request.setting.seed;
    ASSIGN_OR_RETURN(auto computed, engine::computePaths(series, options, job));
    const auto paths = std::make_shared<const engine::PathTable>(std::move(computed));
    OutputAnswer answer{request.space, request.setting, {}};
    for (std::size_t i = 0; i < request.words.size(); ++i) {
        WordOutputs word;
        word.word = request.words[i];
        word.paths = paths;
        word.index = i;
        word.critical = criticalOf(*paths, i);
        word.neighbours = neighbours[word.word];
        answer.words.push_back(std::move(word));
    }
    return answer;
}

}  // namespace

bool OutputSetting::sharesAllButEpsilon(const OutputSetting& other) const {
    OutputSetting same = other;
    same.epsilon = epsilon;
    return *this == same;
}

bool OutputSetting::sharesNeighbours(const OutputSetting& other) const {
    return shareNeighbours(mechanism, other.mechanism);
}

Result<OutputAnswer> computeOutputs(const OutputRequest& request, const JobContext& job) {
    const mechanism::Mechanism& mechanism = request.setting.mechanism;
    if (mechanism.isExact()) {
        return selectionOutputs(request, job);
    }
    ASSIGN_OR_RETURN(const auto series,
                     engine::createSeries(*request.space, mechanism, {mechanism.lambda()}));
    return followPaths(request, *series, job);
}

}  // namespace epsilens::ui::live
