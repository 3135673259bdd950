#include "ui/live/path_job.h"

#include <algorithm>

#include "core/engine/elliptical_series.h"
#include "core/mechanism/elliptical_noise.h"
#include "core/numeric/quantile.h"

namespace epsilens::ui::live {

namespace {

CriticalEpsilon criticalOf(const engine::PathTable& paths, std::size_t word) {
    std::vector<double> values(static_cast<std::size_t>(paths.draws()));
    for (int draw = 0; draw < paths.draws(); ++draw) {
        values[static_cast<std::size_t>(draw)] = paths.criticalEpsilon(word, draw);
    }
    std::sort(values.begin(), values.end());
    return {numeric::quantileOfSorted(values, 0.05), numeric::quantileOfSorted(values, 0.5),
            numeric::quantileOfSorted(values, 0.95)};
}

}  // namespace

Result<PathAnswer> computePathAnswer(const PathRequest& request, const JobContext& job) {
    const auto noise = mechanism::EllipticalNoise::create(request.basis, request.setting.lambda);
    if (!noise) {
        return tl::unexpected(noise.error());
    }
    auto neighbours = engine::nearestNeighbours(*request.space, request.withoutNeighbours,
                                                kNearNeighbours, 0, job);
    if (!neighbours) {
        return tl::unexpected(neighbours.error());
    }
    engine::PathOptions options;
    options.words = request.words;
    options.draws = request.setting.draws;
    options.seed = request.setting.seed;
    auto paths =
        engine::computePaths(engine::EllipticalSeries(*request.space, {*noise}), options, job);
    if (!paths) {
        return tl::unexpected(paths.error());
    }
    PathAnswer answer{request.space, request.setting, {}, {}, {}};
    for (std::size_t i = 0; i < request.words.size(); ++i) {
        answer.critical.push_back(criticalOf(*paths, i));
    }
    for (std::size_t i = 0; i < request.withoutNeighbours.size(); ++i) {
        answer.neighbours.emplace_back(request.withoutNeighbours[i], std::move((*neighbours)[i]));
    }
    answer.paths = std::make_shared<const engine::PathTable>(std::move(*paths));
    return answer;
}

}  // namespace epsilens::ui::live
