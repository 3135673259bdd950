#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/embedding/pca_basis.h"
#include "core/engine/neighbours.h"
#include "core/engine/paths.h"
#include "core/engine/search_space.h"

namespace epsilens::ui::live {

using embedding::Row;

/// Outputs count as near when they are among this many nearest neighbours.
constexpr int kNearNeighbours = 100;

/// What the paths of a word depend on besides the embedding.
struct PathSetting {
    double lambda = 0.0;  ///< 0 for the Laplace mechanism
    std::uint64_t seed = 1;
    int draws = 100;
    [[nodiscard]] bool operator==(const PathSetting&) const = default;
};

/// Percentiles over the draws of the least epsilon at which a draw keeps the word, per unit of
/// distance. Infinite where a draw never does.
struct CriticalEpsilon {
    double low = 0.0;     ///< 5th
    double median = 0.0;  ///< 50th
    double high = 0.0;    ///< 95th
};

struct PathRequest {
    engine::SearchSpaceHandle space{};
    std::shared_ptr<const embedding::PcaBasis> basis{};
    PathSetting setting{};
    std::vector<Row> words{};              ///< distinct
    std::vector<Row> withoutNeighbours{};  ///< those whose neighbours are not known yet
};

struct PathAnswer {
    engine::SearchSpaceHandle space{};
    PathSetting setting{};
    std::shared_ptr<const engine::PathTable> paths{};  ///< of the words of the request, in order
    std::vector<CriticalEpsilon> critical{};           ///< one per word
    std::vector<std::pair<Row, engine::Neighbourhood>> neighbours{};
};

/// Everything that Live shows of some words, exact for every epsilon. Fails with cancelled, or as
/// EllipticalNoise::create does.
[[nodiscard]] Result<PathAnswer> computePathAnswer(const PathRequest& request,
                                                   const JobContext& job);

}  // namespace epsilens::ui::live
