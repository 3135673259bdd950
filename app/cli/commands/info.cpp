#include "app/cli/commands/info.h"

#include <optional>
#include <utility>

#include "app/cli/commands/density.h"
#include "app/cli/commands/mechanism_options.h"
#include "core/base/pass_on.h"
#include "core/engine/epsilon_range.h"
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

using DensityResult = Result<std::optional<report::DensityReport>>;

/// Nothing if --density is not given.
DensityResult densityOf(const InfoArguments& arguments, const std::optional<DataOption>& data,
                        const engine::SearchSpace& space, const CommandContext& context) {
    if (!arguments.density) {
        return std::nullopt;
    }
    ASSIGN_OR_RETURN(const auto words, readData(data, space.embedding().vocabulary(), context));
    return computeDensity(space, context).map([&](const TimedProfile& timed) {
        return std::optional(report::describeDensity(timed.profile, space, words, timed.seconds));
    });
}

std::string render(OutputFormat format, const report::InfoReport& info) {
    switch (format) {
        case OutputFormat::json:
            return report::infoJson(info);
        case OutputFormat::csv:
            return report::infoCsv(info);
        case OutputFormat::text:
            break;
    }
    return report::infoText(info);
}

}  // namespace

Result<CommandResult> runInfo(const InfoArguments& arguments, const CommandContext& context) {
    const auto data = parseData(arguments.data);
    if (!data) {
        return tl::unexpected(data.error());
    }
    if (*data && !arguments.density) {
        return fail(ErrorCode::invalidArgument, "--data: needs --density");
    }
    ASSIGN_OR_RETURN(const auto space, openSearchSpace(context));
    const auto range = laplaceRange(*space, context);
    auto density = range ? densityOf(arguments, *data, *space, context)
                         : DensityResult(tl::unexpected(range.error()));
    if (!density && density.error().code != ErrorCode::cancelled) {
        return tl::unexpected(density.error());
    }
    report::InfoReport info =
        report::describeInfo(space->embedding(), range.value_or(std::nullopt));
    info.partial = !density;
    info.density = std::move(density).value_or(std::nullopt);
    return CommandResult{render(context.general.format, info), info.partial};
}

}  // namespace epsilens::cli
