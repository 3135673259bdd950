#include "app/cli/commands/recommend.h"

#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/commands/grid_defaults.h"
#include "app/cli/commands/labelled_data.h"
#include "app/cli/exit_codes.h"
#include "core/base/numbers.h"
#include "core/base/pass_on.h"
#include "core/calibration/recommend.h"
#include "core/experiment/limited_recommendation.h"
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

/// Fills in defaults and checks everything against the embedding.
Result<void> prepareSearch(const engine::SearchSpace& space, RecommendationOptions& options,
                           const CommandContext& context) {
    chooseLambdas(space, options.calibration.grid, context.console);
    chooseLimits(options, context.console);
    if (std::optional<Error> problem = calibration::validate(options, space.embedding())) {
        return tl::unexpected(std::move(*problem));
    }
    return {};
}

/// What a search found, by limits on figures too or without any.
struct Found {
    calibration::Recommendation recommendation{};
    std::optional<experiment::FigureLimits> figures{};
};

CommandResult resultOf(const calibration::Provenance& provenance, const Found& found,
                       OutputFormat format) {
    const calibration::Recommendation& recommendation = found.recommendation;
    const experiment::FigureLimits* const figures = found.figures ? &*found.figures : nullptr;
    CommandResult result{
        rendered(format,
                 {[&] {
                      return report::recommendationJson(provenance, recommendation, kLimitsNotMet,
                                                        figures);
                  },
                  "settings",
                  [&] { return report::recommendationText(provenance, recommendation, figures); }}),
        recommendation.partial,
        {}};
    if (!recommendation.best && !recommendation.partial) {
        result.problem = Error{
            ErrorCode::limitsNotMet, report::shortfallSentence(recommendation, figures), {}, 0};
    }
    return result;
}

/// Labelled texts, whose words are measured too. A folder of texts names no words.
Result<experiment::DataSet> readFigureData(const RecommendOptions& options, MeasuredWords& measured,
                                           const CommandContext& context) {
    ASSIGN_OR_RETURN(auto data, readLabelled(options.evaluation.data, context));
    if (!data.textColumn) {
        measured.data.records.path.clear();
        context.console.note("--data: a folder; --words chooses among all words");
    } else if (measured.data.records.column.empty()) {
        measured.data.records.column = data.textColumn->name;
    }
    return data;
}

/// The search with limits on figures: its options and its defaults.
Result<experiment::LimitedOptions> prepareFigures(const engine::SearchSpace& space,
                                                  const experiment::DataSet& data,
                                                  const RecommendOptions& options,
                                                  RecommendationOptions search,
                                                  const CommandContext& context) {
    experiment::LimitedOptions limited;
    ASSIGN_OR_RETURN(limited.evaluation, readPolicies(options.evaluation, context));
    RETURN_IF_ERROR(readAttackers(options.evaluation, space.embedding().vocabulary(),
                                  limited.evaluation, context));
    chooseLambdas(space, search.calibration.grid, context.console);
    RETURN_IF_ERROR(chooseEpsilons(space, search.calibration, context));
    limited.search = std::move(search);
    limited.evaluation.crew = context.crew();
    limited.figures = options.figures;
    if (auto problem = experiment::validate(limited, data, space.embedding())) {
        return tl::unexpected(*std::move(problem));
    }
    return limited;
}

Result<Found> searchFigures(const engine::SearchSpace& space, const experiment::DataSet& data,
                            const RecommendOptions& options, const RecommendationOptions& search,
                            const CommandContext& context) {
    ASSIGN_OR_RETURN(const auto limited, prepareFigures(space, data, options, search, context));
    return context
        .withProgress([&](const JobContext& job) {
            return experiment::recommendWithin(space, data, limited, job);
        })
        .map([](experiment::LimitedRecommendation&& found) {
            return Found{std::move(found.found), std::move(found.figures)};
        });
}

Result<Found> searchCalibrations(const engine::SearchSpace& space, RecommendationOptions search,
                                 const CommandContext& context) {
    RETURN_IF_ERROR(prepareSearch(space, search, context));
    return context
        .withProgress(
            [&](const JobContext& job) { return calibration::recommend(space, search, job); })
        .map([](calibration::Recommendation&& found) {
            return Found{std::move(found), std::nullopt};
        });
}

}  // namespace

Result<CommandResult> runRecommend(const RecommendOptions& options, const CommandContext& context) {
    MeasuredWords measured = options.measured;
    std::optional<experiment::DataSet> data;
    if (!options.figures.empty()) {
        ASSIGN_OR_RETURN(data, readFigureData(options, measured, context));
    }
    RecommendationOptions search = options.search;
    search.crew = context.crew();
    ASSIGN_OR_RETURN(const auto space, openSearchSpace(context));
    ASSIGN_OR_RETURN(auto selection,
                     chooseWords(measured, *space, context, search.calibration.words));
    ASSIGN_OR_RETURN(const auto found, data ? searchFigures(*space, *data, options, search, context)
                                            : searchCalibrations(*space, search, context));
    if (context.endsHere()) {
        return CommandResult{.isWritten = true};
    }
    calibration::Provenance provenance = calibration::provenanceOf(space->embedding());
    provenance.selection = std::move(selection);
    return resultOf(provenance, found, context.general.format);
}

}  // namespace epsilens::cli
