#include "core/calibration/tem_columns.h"

#include <utility>

#include "core/base/pass_on.h"

namespace epsilens::calibration {
namespace {

using mechanism::Truncation;

/// How the radius is chosen, one entry per gamma, or per beta if no gamma is given.
Result<std::vector<Truncation>> truncationsOf(const CalibrationOptions& options,
                                              std::int64_t vocabularySize) {
    if (!options.grid.mechanism.hasRadius()) {
        return std::vector{Truncation::none()};
    }
    std::vector<Truncation> truncations;
    const bool byRadius = !options.grid.gammas.empty();
    for (const double value : byRadius ? options.grid.gammas : options.grid.betas) {
        ASSIGN_OR_RETURN(auto truncation,
                         byRadius ? Truncation::byRadius(value)
                                  : Truncation::byErrorProbability(value, vocabularySize));
        truncations.push_back(truncation);
    }
    if (truncations.empty()) {
        return fail(ErrorCode::invalidArgument, "the grid has neither a gamma nor a beta");
    }
    return truncations;
}

}  // namespace

Result<std::vector<engine::MetricSpace>> createSpaces(const embedding::EmbeddingHandle& embedding,
                                                      const CalibrationOptions& options) {
    std::vector<engine::MetricSpace> spaces;
    for (const double lambda : options.grid.usedLambdas()) {
        ASSIGN_OR_RETURN(
            auto space,
            spaces.empty()
                ? metric::WordMetric::create(embedding, options.grid.mechanism.metric(), lambda)
                      .and_then([&](metric::WordMetric&& metric) {
                          return engine::MetricSpace::create(std::move(metric), options.threads);
                      })
                : spaces.front().withLambda(lambda));
        spaces.push_back(std::move(space));
    }
    return spaces;
}

Result<std::vector<TemColumn>> createColumns(const CalibrationOptions& options, std::size_t spaces,
                                             std::int64_t vocabularySize) {
    ASSIGN_OR_RETURN(const auto truncations, truncationsOf(options, vocabularySize));
    std::vector<TemColumn> columns;
    for (std::size_t space = 0; space < spaces; ++space) {
        for (const Truncation& truncation : truncations) {
            TemColumn column{space, truncation, {}};
            for (const double epsilon : options.grid.epsilons) {
                ASSIGN_OR_RETURN(auto mechanism, truncation.at(epsilon));
                column.mechanisms.push_back(mechanism);
            }
            columns.push_back(std::move(column));
        }
    }
    return columns;
}

}  // namespace epsilens::calibration
