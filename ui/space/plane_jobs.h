#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/engine/search_space.h"
#include "core/mechanism/mechanism.h"
#include "core/plane/ball_noise.h"
#include "core/plane/plane_axes.h"
#include "core/plane/plane_noise.h"
#include "ui/state/metric_space_cache.h"
#include "ui/state/word.h"

namespace epsilens::ui {

using plane::BallNoise;
using plane::Contour;
using plane::PlaneAxes;
using plane::PlaneNoise;
using plane::PlanePoint;

/// A word in the plane.
struct PlaneWord {
    Word word;
    PlanePoint point{};
    /// From the selected word, in all dimensions, as the mechanism measures.
    double distance = 0.0;
};

/// What the picture of a mechanism depends on besides word, epsilon, lambda and radius.
struct PlaneView {
    bool isDisk = false;                              ///< the Poincaré ball, else principal axes
    std::optional<mechanism::Mechanism> ballNoise{};  ///< what adds noise in the ball

    [[nodiscard]] static PlaneView of(const mechanism::Mechanism& mechanism);
    [[nodiscard]] bool operator==(const PlaneView& other) const = default;
};

/// What the plane shows of an embedding, whatever the word.
struct PlaneCloud {
    embedding::EmbeddingHandle embedding{};
    PlaneView view{};
    PlaneAxes axes{};
    std::vector<PlaneWord> words{};   ///< random words of the vocabulary
    PlaneNoise noise{};               ///< elliptical; of principal axes only
    std::optional<BallNoise> ball{};  ///< of view.ballNoise
};

/// A word whose neighbours or outputs are asked for.
struct SceneRequest {
    engine::SearchSpaceHandle space{};
    std::shared_ptr<MetricSpaceCache> spaces{};
    mechanism::Mechanism mechanism{};
    embedding::Row word = 0;
    PlaneView view{};
    int neighbours = 100;

    [[nodiscard]] bool operator==(const SceneRequest& other) const = default;
};

/// The selected word and those near it.
struct PlaneScene {
    SceneRequest request{};
    PlaneWord word;
    std::vector<PlaneWord> neighbours{};  ///< nearest first
};

/// Words that TEM drew for the selected word.
struct DrawnWords {
    SceneRequest request{};
    double epsilon = 0.0;
    std::vector<PlanePoint> offsets{};  ///< of the outputs, from the word; one per draw
    int distinct = 0;
    int kept = 0;
};

/// Projects random words and prepares the noise of the plane. Fails when the embedding has one
/// dimension only and when the mechanism cannot run.
[[nodiscard]] Result<std::shared_ptr<const PlaneCloud>> makeCloud(
    const embedding::EmbeddingHandle& embedding, const PlaneView& view, std::int64_t points,
    std::int64_t draws, std::uint64_t seed);

/// Finds and projects a word's neighbours. Fails with cancelled and as the metric does.
[[nodiscard]] Result<std::shared_ptr<const PlaneScene>> makeScene(const SceneRequest& request,
                                                                  const JobContext& job = {});

/// Draws outputs of TEM for the word and projects them.
///
/// epsilon  at which the radius exists
[[nodiscard]] Result<std::shared_ptr<const DrawnWords>> drawWords(const SceneRequest& request,
                                                                  double epsilon, int draws,
                                                                  std::uint64_t seed,
                                                                  const JobContext& job = {});

}  // namespace epsilens::ui
