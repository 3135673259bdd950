#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "ui/state/mechanism_view.h"

namespace epsilens::ui {

struct RadiusRequest {
    embedding::EmbeddingHandle embedding{};
    metric::Metric metric = metric::Metric::euclidean;
    double lambda = 0.0;
    std::optional<double> gamma{};  ///< nothing: only the largest distance is asked for
    std::uint64_t seed = 1;
    std::shared_ptr<MetricSpaceCache> spaces{};

    [[nodiscard]] bool operator==(const RadiusRequest&) const = default;
};

/// What some words of a vocabulary say about a radius.
struct RadiusFacts {
    double largestDistance = 0.0;          ///< from any of them to any word
    std::optional<double> medianWithin{};  ///< words at most gamma away, the word itself included
};

/// Measures distances from up to 200 random words to all words. Fails with cancelled, or as the
/// metric does.
[[nodiscard]] Result<RadiusFacts> findRadiusFacts(const RadiusRequest& request,
                                                  const JobContext& job);

}  // namespace epsilens::ui
