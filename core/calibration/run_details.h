#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/calibration/options.h"
#include "core/calibration/plane_picture.h"
#include "core/embedding/load.h"
#include "core/embedding/vocabulary.h"

namespace epsilens::calibration {
struct CalibrationSummary;
}
namespace epsilens::engine {
class SearchSpace;
}

namespace epsilens::calibration {

/// All that a run was asked for: enough to do it again.
struct RunRequest {
    /// The path is absolute, or the name of a built-in embedding, or "-".
    embedding::LoadOptions load{};
    calibration::CalibrationOptions options{};
};

/// A request as it is kept: paths made absolute, what the machine decides left out.
[[nodiscard]] RunRequest keptRequest(embedding::LoadOptions load,
                                     calibration::CalibrationOptions options);

/// A word with its values in one cell.
struct WordValue {
    std::string word{};
    embedding::Row row = 0;
    double nw = 0.0;
    double sw = 0.0;
};

/// Two words at one lambda, with their distance in the metric of the guarantee.
struct PairDistance {
    std::string first{};
    std::string second{};
    double lambda = 0.0;
    double distance = 0.0;
};

/// What a calibration file holds beside its statistics, for reports and for doing the run again.
struct RunDetails {
    static constexpr std::size_t kWorstWords = 10;

    RunRequest request{};
    /// For every cell the words that are kept most often, of those kept equally often the ones with
    /// the fewest outputs; at most kWorstWords.
    std::vector<std::vector<WordValue>> worstWords{};
    /// Well-known pairs that the vocabulary has, lambda by lambda.
    std::vector<PairDistance> pairs{};
    /// Nothing for an embedding of one dimension, and in files of versions without it.
    std::optional<PlanePicture> plane{};
};

/// Fails as metric::WordMetric::create and planePicture.
[[nodiscard]] Result<RunDetails> describeDetails(const engine::SearchSpace& space,
                                                 const calibration::CalibrationSummary& summary,
                                                 RunRequest request);

}  // namespace epsilens::calibration
