#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/engine/neighbours.h"
#include "core/engine/paths.h"
#include "core/engine/search_space.h"
#include "core/mechanism/mechanism.h"
#include "ui/live/shown_distribution.h"
#include "ui/state/metric_space_cache.h"

namespace epsilens::ui::live {

using embedding::Row;

class SelectionCache;

using NeighbourhoodHandle = std::shared_ptr<const engine::Neighbourhood>;

/// Outputs count as near when they are among this many nearest neighbours.
constexpr int kNearNeighbours = 100;

/// What the outputs of a word depend on besides the embedding.
struct OutputSetting {
    mechanism::Mechanism mechanism{};
    std::uint64_t seed = 1;
    int draws = 100;
    double epsilon = 0.0;  ///< 0 for mechanisms with paths, whose outputs are known at all epsilons

    [[nodiscard]] bool operator==(const OutputSetting&) const = default;
    [[nodiscard]] bool sharesAllButEpsilon(const OutputSetting& other) const;
    /// Whether words have the same neighbours.
    [[nodiscard]] bool sharesNeighbours(const OutputSetting& other) const;
};

/// Percentiles over the draws of the least epsilon at which a draw keeps the word, per unit of
/// distance, infinite where a draw never does. Where probabilities are exact, all three are the
/// epsilon at which the word is kept with probability 1/2.
struct CriticalEpsilon {
    double low = 0.0;     ///< 5th
    double median = 0.0;  ///< 50th
    double high = 0.0;    ///< 95th
};

/// What a job found out about one word.
struct WordOutputs {
    Row word = 0;
    /// Of noise: the table of the job, and the word's place in it.
    std::shared_ptr<const engine::PathTable> paths{};
    std::size_t index = 0;
    /// Of TEM: the outputs of R draws at the epsilon of the setting, and their exact distribution.
    std::vector<Row> draws{};
    ShownDistribution distribution{};
    CriticalEpsilon critical{};
    /// By the metric that the mechanism goes by; null when the request did not ask for them.
    NeighbourhoodHandle neighbours{};
};

struct OutputRequest {
    engine::SearchSpaceHandle space{};
    OutputSetting setting{};
    std::vector<Row> words{};                    ///< distinct
    std::vector<Row> withoutNeighbours{};        ///< those whose neighbours are not known yet
    std::shared_ptr<MetricSpaceCache> spaces{};  ///< of TEM
    std::shared_ptr<SelectionCache> cache{};     ///< of TEM; used by one job at a time
};

struct OutputAnswer {
    engine::SearchSpaceHandle space{};
    OutputSetting setting{};
    std::vector<WordOutputs> words{};  ///< in the order of the request
};

/// Everything that Choose shows of some words. Fails with cancelled, or as the mechanism does.
[[nodiscard]] Result<OutputAnswer> computeOutputs(const OutputRequest& request,
                                                  const JobContext& job);

}  // namespace epsilens::ui::live
