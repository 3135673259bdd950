#include "app/cli/commands/recommend.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "app/cli/exit_codes.h"
#include "core/base/numbers.h"
#include "core/base/pass_on.h"
#include "core/calibration/recommend.h"
#include "core/report/recommendation_report.h"

namespace epsilens::cli {
namespace {

using calibration::Recommendation;
using calibration::RecommendationOptions;

Result<std::vector<calibration::Limit>> parseLimits(const std::vector<std::string>& typed) {
    std::vector<calibration::Limit> limits;
    for (const std::string& text : typed) {
        const auto limit = calibration::parseLimit(text);
        if (!limit) {
            return tl::unexpected(
                Error{limit.error().code, "--limit: " + limit.error().message, {}, 0});
        }
        limits.push_back(*limit);
    }
    return limits;
}

Result<calibration::Objective> parseObjectiveOption(const std::string& typed) {
    if (typed.empty()) {
        return calibration::Objective::distance;
    }
    return calibration::parseObjective(typed).map_error([](Error error) {
        error.message = "--objective: " + error.message;
        return error;
    });
}

/// Where no limit was typed: those of the window, which are named.
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
                          Console& console) {
    ASSIGN_OR_RETURN(const auto cost, calibration::estimateCost(space, options));
    console.note(fmt::format("{} words × {} draws, {} limits: about {} s", formatCount(cost.words),
                             formatCount(options.calibration.draws), options.limits.size(),
                             cost.seconds < 1.0 ? "1" : fmt::format("{:.0f}", cost.seconds)));
    return {};
}

/// Fills in defaults and checks everything against the embedding.
Result<void> prepareSearch(const engine::SearchSpace& space, CheckedRun& checked,
                           RecommendationOptions& options, const CommandContext& context) {
    if (Result<void> chosen = chooseWords(space, checked, context); !chosen) {
        return chosen;
    }
    chooseLambdas(space, checked.options, context.console);
    chooseLimits(options, context.console);
    options.calibration = checked.options;
    if (std::optional<Error> problem = calibration::validate(options, space.embedding())) {
        return tl::unexpected(std::move(*problem));
    }
    return announceCost(space, options, context.console);
}

std::string render(OutputFormat format, const calibration::Provenance& provenance,
                   const Recommendation& recommendation) {
    switch (format) {
        case OutputFormat::json:
            return report::recommendationJson(provenance, recommendation, kLimitsNotMet);
        case OutputFormat::csv:
            return report::recommendationCsv(recommendation);
        case OutputFormat::text:
            break;
    }
    return report::recommendationText(provenance, recommendation);
}

}  // namespace

Result<CommandResult> runRecommend(const RecommendArguments& arguments,
                                   const CommandContext& context) {
    ASSIGN_OR_RETURN(auto checked, checkRun(arguments.run, context.general));
    RecommendationOptions options;
    ASSIGN_OR_RETURN(auto limits, parseLimits(arguments.limits));
    options.limits = std::move(limits);
    ASSIGN_OR_RETURN(const auto objective, parseObjectiveOption(arguments.objective));
    options.objective = objective;
    ASSIGN_OR_RETURN(const auto space, openSearchSpace(context));
    RETURN_IF_ERROR(prepareSearch(*space, checked, options, context));
    const auto found = calibration::recommend(*space, options, context.console.job(context.stop));
    context.console.finishProgress();
    if (!found) {
        return tl::unexpected(found.error());
    }
    calibration::Provenance provenance = calibration::provenanceOf(space->embedding());
    provenance.selection = checked.selection;
    CommandResult result{render(context.general.format, provenance, *found), found->partial, {}};
    if (!found->best && !found->partial) {
        result.problem = Error{ErrorCode::limitsNotMet, report::shortfallSentence(*found), {}, 0};
    }
    return result;
}

}  // namespace epsilens::cli
