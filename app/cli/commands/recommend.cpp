#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "app/cli/commands/preparation.h"
#include "app/cli/parser/shared_options.h"
#include "core/base/error.h"
#include "core/evaluation/figure_search.h"
#include "core/report/command_fields.h"

namespace epsilens::cli {
namespace {

/// Limits where none are typed, those of the window.
std::string defaultLimitsText(std::string_view between) {
    std::string texts;
    for (const calibration::Limit& limit : calibration::defaultLimits()) {
        texts += texts.empty() ? std::string() : std::string(between);
        texts += calibration::limitText(limit);
    }
    return texts;
}

Result<void> takeMatch(const std::string& typed, std::string_view option,
                       RecommendOptions& recommend) {
    if (evaluation::namesFigure(typed)) {
        ASSIGN_OR_RETURN(const auto figure, choice(evaluation::parseFigureMatch)(typed, option));
        recommend.figures = {figure};
        return {};
    }
    ASSIGN_OR_RETURN(const auto limit, choice(calibration::parseMatch)(typed, option));
    recommend.search.limits = {limit};
    recommend.search.matches = true;
    return {};
}

/// What limits on figures need, and what needs them.
Result<void> checkFigures(const TypedOptions& options, RecommendOptions& recommend) {
    if (options.isGiven("--match") && options.isGiven("--limit")) {
        return refused("--match: cannot be combined with --limit; give one of them");
    }
    if (recommend.figures.empty()) {
        for (const char* option :
             {"--test", "--label-column", "--split-column", "--prior", "--repeats"}) {
            if (options.isGiven(option)) {
                return refused(
                    fmt::format("{}: needs a --limit or --match on attack or classify", option));
            }
        }
        return {};
    }
    const DataOption& words = recommend.measured.data;
    if (words.records.path.empty()) {
        return refused("attack and classify need labelled texts: --data FILE");
    }
    corpus::DataSetOptions& data = recommend.evaluation.data;
    data.path = words.records.path;
    data.textColumn = words.records.column;
    data.format = words.records.format;
    recommend.evaluation.run.policies.letterCase = words.letterCase;
    return {};
}

using calibration::RecommendationOptions;

using evaluation::LimitedRecommendation;

/// Labelled texts, whose words are measured too. A folder of texts names no words.
Result<corpus::DataSet> readFigureData(const RecommendOptions& options, MeasuredWords& measured,
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

Result<LimitedRecommendation> searchFigures(const engine::SearchSpace& space,
                                            const corpus::DataSet& data,
                                            const RecommendOptions& options,
                                            RecommendationOptions search,
                                            const CommandContext& context) {
    evaluation::LimitedOptions limited;
    ASSIGN_OR_RETURN(limited.evaluation, readPolicies(options.evaluation, context));
    RETURN_IF_ERROR(readAttackers(options.evaluation, space.embedding().vocabulary(),
                                  limited.evaluation, context));
    RETURN_IF_ERROR(chooseEpsilons(space, search.calibration, context));
    limited.search = std::move(search);
    limited.evaluation.crew = context.crew();
    limited.figures = options.figures;
    return context.withProgress([&](const JobContext& job) {
        return evaluation::recommendWithin(space, data, limited, job);
    });
}

Result<LimitedRecommendation> searchCalibrations(const engine::SearchSpace& space,
                                                 RecommendationOptions search,
                                                 const CommandContext& context) {
    if (search.limits.empty()) {
        search.limits = calibration::defaultLimits();
        context.console.note("no --limit given: using " + defaultLimitsText(", "));
    }
    RETURN_IF_ERROR(calibration::validate(search, space.embedding()));
    ASSIGN_OR_RETURN(auto found, context.withProgress([&](const JobContext& job) {
        return calibration::recommend(space, search, job);
    }));
    return LimitedRecommendation{std::move(found)};
}

}  // namespace

void addRecommend(TypedOptions& options, GeneralOptions& general, RecommendOptions& recommend) {
    addGeneral(options, general);
    addMeasuredWords(options, general, recommend.search.calibration, recommend.measured);
    options.addList(
        "--limit", "LIMIT",
        fmt::format(
            "STATISTIC.AGGREGATE<=VALUE or STATISTIC.AGGREGATE>=VALUE; may be repeated. "
            "STATISTIC is nw, sw, kept, near, far, minEntropy, shannonEntropy, kw, meanDistance or "
            "meanCosine; "
            "AGGREGATE is mean, min, max, p1, p5, p25, p50, p75, p95 or p99; a VALUE with % "
            "is a share of the draws (default {}). With labelled texts (--data) also "
            "attack.best<=VALUE, attack.gain<=VALUE, attack.upper<=VALUE (whoever sees the noisy "
            "vector), and classify.CLASSIFIER.accuracy>=, "
            "macroF1>= or retained>=VALUE, which their whole intervals must meet",
            defaultLimitsText(" and ")),
        [&recommend](const auto& typed, std::string_view option) {
            return takeLimits(typed, option, recommend.search.limits, recommend.figures);
        });
    options.add(
        "--match", "MATCH",
        "STATISTIC.AGGREGATE=VALUE: compare settings where a statistic has the same value, "
        "such as nw.max=29.7%: find the epsilon at which each lambda or radius has it; with "
        "labelled texts (--data) also a figure of --limit, such as attack.best=20%; in "
        "place of --limit",
        [&recommend](const auto& typed, std::string_view option) {
            return takeMatch(typed.front(), option, recommend);
        });
    addLabels(options, recommend.evaluation.data);
    addPrior(options, recommend.evaluation);
    addRepeats(options, recommend.evaluation.run);
    options.check([&] { return checkFigures(options, recommend); });
    options.value("--objective", "NAME",
                  "how the best setting is chosen: " +
                      withDefault("distance, cosine or changed",
                                  calibration::objectiveName(recommend.search.objective)),
                  recommend.search.objective, choice(calibration::parseObjective));
    options.footer(
        "The smallest and the largest value of --epsilon bound the search.\n"
        "Example:\n  epsilens-cli recommend vectors.txt.gz --lambda 0..1x5 "
        "--limit 'nw.p95<=50%' \\\n      --limit 'sw.p5>=20' --objective cosine\n"
        "  epsilens-cli recommend vectors.txt.gz --data messages.csv --label-column class "
        "\\\n      --limit 'attack.gain<=5%' --limit 'classify.linear.retained>=80%'");
}

Result<CommandResult> runRecommend(const RecommendOptions& options, const CommandContext& context) {
    MeasuredWords measured = options.measured;
    std::optional<corpus::DataSet> data;
    if (!options.figures.empty()) {
        ASSIGN_OR_RETURN(data, readFigureData(options, measured, context));
    }
    RecommendationOptions search = options.search;
    search.crew = context.crew();
    ASSIGN_OR_RETURN(const auto space, openSearchSpace(context));
    ASSIGN_OR_RETURN(auto selection,
                     chooseWords(measured, *space, context, search.calibration.words));
    chooseLambdas(*space, search.calibration.grid, context.console);
    ASSIGN_OR_RETURN(const auto found, data ? searchFigures(*space, *data, options, search, context)
                                            : searchCalibrations(*space, search, context));
    if (context.endsHere()) {
        return CommandResult{.isWritten = true};
    }
    calibration::Provenance provenance = calibration::provenanceOf(space->embedding());
    provenance.selection = std::move(selection);
    CommandResult result = rendered(
        context.general,
        {[&] { return report::recommendationFields(provenance, kLimitsNotMet).write(found); },
         "settings", [&] { return report::recommendationText(provenance, found); }},
        found.partial);
    if (!found.best && !found.partial) {
        result.problem = Error{ErrorCode::limitsNotMet, report::shortfallSentence(found), {}, 0};
    }
    return result;
}

}  // namespace epsilens::cli
