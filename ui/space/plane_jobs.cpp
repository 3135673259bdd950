#include "ui/space/plane_jobs.h"

#include <algorithm>
#include <set>
#include <utility>

#include "core/base/parallel.h"
#include "core/base/pass_on.h"
#include "core/engine/metric_rows.h"
#include "core/engine/selection_draws.h"
#include "core/engine/word_sample.h"
#include "ui/state/mechanism_neighbours.h"

namespace epsilens::ui {

namespace {

PlaneAxes planeOf(const embedding::PreparedEmbedding& embedding, const PlaneView& view) {
    return view.isDisk ? plane::diskPlane(embedding) : plane::principalPlane(embedding);
}

std::vector<PlaneWord> projected(const embedding::EmbeddingHandle& embedding,
                                 const PlaneAxes& plane, const std::vector<embedding::Row>& rows) {
    const std::vector<PlanePoint> points = plane.project(*embedding, rows);
    std::vector<PlaneWord> words;
    words.reserve(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        words.push_back({Word(embedding, rows[i]), points[i], 0.0});
    }
    return words;
}

Result<engine::Neighbourhood> neighboursOf(const SceneRequest& request, const JobContext& job) {
    const std::vector<embedding::Row> asked{request.word};
    if (request.mechanism.isExact()) {
        return request.spaces
            ->get(request.space->handle(), request.mechanism.metric(), request.mechanism.lambda())
            .map([&](const MetricSpaceHandle& space) {
                engine::MetricRows rows(false);
                rows.load(*space, asked);
                return rows.finish(0, request.neighbours).neighbours;
            });
    }
    return noiseNeighbours(*request.space, request.mechanism, asked, request.neighbours, job)
        .map([](std::vector<engine::Neighbourhood>&& found) { return std::move(found.front()); });
}

}  // namespace

PlaneView PlaneView::of(const mechanism::Mechanism& mechanism) {
    PlaneView view;
    view.isDisk = mechanism.metric() == metric::Metric::poincare;
    if (view.isDisk && !mechanism.isExact()) {
        view.ballNoise = mechanism;
    }
    return view;
}

Result<std::shared_ptr<const PlaneCloud>> makeCloud(const embedding::EmbeddingHandle& embedding,
                                                    const PlaneView& view, std::int64_t points,
                                                    std::int64_t draws, std::uint64_t seed) {
    if (embedding->dimensions() < 2) {
        return fail(ErrorCode::unsupported,
                    "the embedding has one dimension; a plane needs at least two");
    }
    PlaneCloud cloud;
    cloud.embedding = embedding;
    cloud.view = view;
    cloud.axes = planeOf(*embedding, view);
    if (view.ballNoise) {
        ASSIGN_OR_RETURN(const auto form, view.ballNoise->on(embedding));
        cloud.ball =
            BallNoise::create(embedding, std::get<mechanism::HyperbolicNoise>(form), seed, draws);
    } else {
        ASSIGN_OR_RETURN(cloud.noise,
                         PlaneNoise::create({embedding, &embedding->basis}, seed, draws));
    }
    cloud.words =
        projected(embedding, cloud.axes, engine::sampleWords(embedding->wordCount(), points, seed));
    return std::make_shared<const PlaneCloud>(std::move(cloud));
}

Result<std::shared_ptr<const PlaneScene>> makeScene(const SceneRequest& request,
                                                    const JobContext& job) {
    ASSIGN_OR_RETURN(const auto near, neighboursOf(request, job));
    const embedding::EmbeddingHandle& embedding = request.space->handle();
    const PlaneAxes plane = planeOf(*embedding, request.view);
    PlaneScene scene{request, projected(embedding, plane, {request.word}).front(),
                     projected(embedding, plane, near.rows)};
    for (std::size_t i = 0; i < scene.neighbours.size(); ++i) {
        scene.neighbours[i].distance = near.distances[i];
    }
    return std::make_shared<const PlaneScene>(std::move(scene));
}

Result<std::shared_ptr<const DrawnWords>> drawWords(const SceneRequest& request, double epsilon,
                                                    int draws, std::uint64_t seed,
                                                    const JobContext& job) {
    const embedding::PreparedEmbedding& embedding = request.space->embedding();
    ASSIGN_OR_RETURN(const auto form, request.mechanism.on(request.space->handle()));
    const auto& weights = std::get<mechanism::SelectionWeights>(form);
    ASSIGN_OR_RETURN(const auto tem, weights.truncation.at(epsilon));
    ASSIGN_OR_RETURN(const auto space,
                     request.spaces->get(request.space->handle(), weights.metric.metric(),
                                         weights.metric.lambda()));
    const std::array words{request.word};
    const std::array mechanisms{tem};
    ASSIGN_OR_RETURN(const auto drawn,
                     engine::drawSelections(*space, words, mechanisms,
                                            {std::max(1, draws), seed, 1, kAllThreads}, job));
    const PlaneAxes plane = planeOf(embedding, request.view);
    const PlanePoint place = plane.project(embedding, words).front();
    const std::vector<embedding::Row>& outputs = drawn.front().outputs.front();
    DrawnWords result;
    result.request = request;
    result.epsilon = epsilon;
    for (const PlanePoint& point : plane.project(embedding, outputs)) {
        result.offsets.push_back({point.x - place.x, point.y - place.y});
    }
    result.distinct = static_cast<int>(std::set(outputs.begin(), outputs.end()).size());
    result.kept = static_cast<int>(std::count(outputs.begin(), outputs.end(), request.word));
    return std::make_shared<const DrawnWords>(std::move(result));
}

}  // namespace epsilens::ui
