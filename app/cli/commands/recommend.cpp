#include "app/cli/commands/recommend.h"

#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "app/cli/commands/grid_defaults.h"
#include "app/cli/exit_codes.h"
#include "core/base/numbers.h"
#include "core/base/pass_on.h"
#include "core/calibration/recommend.h"
#include "core/report/recommendation_report.h"

namespace epsilens::cli {
namespace {

using calibration::RecommendationOptions;

/// If there is no limit, sets those of the window and names them.
void chooseLimits(RecommendationOptions& options, Console& console) {
    if (!options.limits.empty()) {
        return;
    }
    options.limits = calibration::defaultLimits();
    std::string texts;
    for (const calibration::Limit& limit : options.limits) {
        texts += (texts.empty() ? "" : ", ") + calibration::limitText(limit);
    }
    console.note(fmt::format("no --limit given: using {}", texts));
}

Result<void> announceCost(const engine::SearchSpace& space, const RecommendationOptions& options,
                          const CommandContext& context) {
    ASSIGN_OR_RETURN(const auto cost,
                     calibration::estimateCost(space, options, {context.stop, {}}));
    context.console.note(
        fmt::format("{} words × {} draws, {} limits: about {} s", formatCount(cost.words),
                    formatCount(options.calibration.draws), options.limits.size(),
                    cost.seconds < 1.0 ? "1" : fmt::format("{:.0f}", cost.seconds)));
    return refuseLongWork(cost.seconds, context);
}

/// Fills in defaults and checks everything against the embedding.
Result<void> prepareSearch(const engine::SearchSpace& space, RecommendationOptions& options,
                           const CommandContext& context) {
    chooseLambdas(space, options.calibration.grid, context.console);
    chooseLimits(options, context.console);
    if (std::optional<Error> problem = calibration::validate(options, space.embedding())) {
        return tl::unexpected(std::move(*problem));
    }
    return announceCost(space, options, context);
}

}  // namespace

Result<CommandResult> runRecommend(const RecommendOptions& options, const CommandContext& context) {
    RecommendationOptions search = options.search;
    ASSIGN_OR_RETURN(const auto space, openSearchSpace(context));
    ASSIGN_OR_RETURN(auto selection,
                     chooseWords(options.measured, *space, context, search.calibration.words));
    RETURN_IF_ERROR(prepareSearch(*space, search, context));
    ASSIGN_OR_RETURN(const auto found, context.withProgress([&](const JobContext& job) {
        return calibration::recommend(*space, search, job);
    }));
    calibration::Provenance provenance = calibration::provenanceOf(space->embedding());
    provenance.selection = std::move(selection);
    CommandResult result{
        rendered(context.general.format,
                 {[&] { return report::recommendationText(provenance, found); },
                  [&] { return report::recommendationJson(provenance, found, kLimitsNotMet); },
                  [&] { return report::recommendationCsv(found); }}),
        found.partial,
        {}};
    if (!found.best && !found.partial) {
        result.problem = Error{ErrorCode::limitsNotMet, report::shortfallSentence(found), {}, 0};
    }
    return result;
}

}  // namespace epsilens::cli
