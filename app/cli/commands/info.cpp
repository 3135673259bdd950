#include <optional>
#include <utility>

#include <nlohmann/json.hpp>

#include "app/cli/commands/preparation.h"
#include "app/cli/parser/shared_options.h"
#include "core/base/error.h"
#include "core/base/stopwatch.h"
#include "core/report/info_report.h"

namespace epsilens::cli {
namespace {

/// Nothing if the mechanism cannot run on these vectors. Fails with cancelled.
Result<std::optional<engine::EpsilonRange>> laplaceRange(const engine::SearchSpace& space,
                                                         const CommandContext& context) {
    calibration::CalibrationOptions options;
    options.seed = context.general.seed;
    options.threads = context.general.threads;
    const auto range = epsilonRange(space, options, context);
    if (!range && range.error().code == ErrorCode::cancelled) {
        return tl::unexpected(range.error());
    }
    if (!range) {
        context.console.note(range.error().message);
        return std::nullopt;
    }
    return std::optional(*range);
}

/// Nothing if --density is not given.
Result<std::optional<report::InfoDensity>> densityOf(const InfoOptions& options,
                                                     const engine::SearchSpace& space,
                                                     const CommandContext& context) {
    if (!options.density) {
        return std::nullopt;
    }
    ASSIGN_OR_RETURN(auto words, readData(options.data, space.embedding().vocabulary(), context));
    const Stopwatch watch;
    ASSIGN_OR_RETURN(auto profile, computeDensity(space, context));
    const double taken = watch.seconds();
    return std::optional(
        report::InfoDensity{std::move(profile), space.positions(), taken, std::move(words)});
}

}  // namespace

void addInfo(TypedOptions& options, GeneralOptions& general, InfoOptions& info) {
    addGeneral(options, general);
    options.flag("--density", info.density,
                 "also compute the distance from every word to its nearest neighbour, and list the "
                 "sparsest and densest words");
    addData(options, info.data,
            "with --density: count how often the sparsest words occur in this data set, and repeat "
            "the profile for the words that occur in it");
    options.needs("--data", "--density");
    options.footer(
        "Example:\n  epsilens-cli info vectors.txt.gz --format json\n"
        "  epsilens-cli info vectors.txt.gz --density --data tweets.csv --column text");
}

Result<CommandResult> runInfo(const InfoOptions& options, const CommandContext& context) {
    ASSIGN_OR_RETURN(const auto space, openSearchSpace(context));
    const auto range = laplaceRange(*space, context);
    report::InfoReport info{space->embedding()};
    info.epsilonRange = range.value_or(std::nullopt);
    if (range) {
        auto density = densityOf(options, *space, context);
        // Equal vectors have no nearest neighbour; all else can be told of them.
        if (!density && density.error().code == ErrorCode::unsupported) {
            context.console.note(density.error().message);
        } else if (!density && density.error().code != ErrorCode::cancelled) {
            return tl::unexpected(density.error());
        } else {
            info.partial = !density;
        }
        info.density = std::move(density).value_or(std::nullopt);
    } else {
        info.partial = true;
    }
    return rendered(
        context.general,
        {[&] { return report::infoJson(info); }, "", [&] { return report::infoText(info); }},
        info.partial);
}

}  // namespace epsilens::cli
