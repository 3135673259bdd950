#include <limits>

#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/commands/preparation.h"
#include "app/cli/parser/shared_options.h"
#include "core/base/pass_on.h"
#include "core/base/trimmed.h"
#include "core/mechanism/guaranteed_setting.h"
#include "core/mechanism/prepared_mechanism.h"
#include "core/metric/word_metric.h"
#include "core/report/guarantee_report.h"
#include "core/text/lookup.h"

namespace epsilens::cli {
namespace {

constexpr double kAboveOne = 1.0 + std::numeric_limits<double>::epsilon();

constexpr double kLargest = std::numeric_limits<double>::max();

using embedding::Row;
using mechanism::GuaranteedSetting;

/// Every setting of the command line: lambda by lambda, radius by radius.
Result<std::vector<GuaranteedSetting>> settingsOf(const engine::SearchSpace& space,
                                                  const mechanism::Grid& grid,
                                                  const GeneralOptions& general) {
    if (const auto problem =
            calibration::validate(calibrationOptions(grid, general), space.embedding())) {
        return tl::unexpected(*problem);
    }
    std::vector<GuaranteedSetting> settings;
    for (const mechanism::Mechanism& mechanism : grid.mechanisms()) {
        ASSIGN_OR_RETURN(const auto prepared,
                         mechanism::PreparedMechanism::create(space.handle(), mechanism));
        for (const double epsilon : grid.epsilons) {
            ASSIGN_OR_RETURN(auto guarantee, prepared.guarantee(epsilon));
            settings.push_back(
                mechanism::guaranteedSetting(std::move(guarantee), prepared.metric()));
        }
    }
    return settings;
}

}  // namespace

void addGuarantee(TypedOptions& options, GeneralOptions& general, GuaranteeOptions& guarantee) {
    addGeneral(options, general);
    addMechanism(options, guarantee.grid, {mechanism::kDefaultLambda});
    options.list("--pair", "WORD,WORD", "two words whose odds to state; may be repeated",
                 guarantee.pairs, choice(parsePair));
    options.value("--odds", "G",
                  "state the distance within which odds change by at most G (default "
                  "{})",
                  guarantee.odds, number({kAboveOne, kLargest, "is not above 1"}));
    options.footer(
        "Example:\n  epsilens-cli guarantee --mechanism mahalanobis --epsilon 5,20 --lambda 0.5 "
        "\\\n      --pair paris,london --pair doctor,nurse");
}

Result<CommandResult> runGuarantee(const GuaranteeOptions& options, const CommandContext& context) {
    ASSIGN_OR_RETURN(const auto space, openSearchSpace(context));
    const embedding::Vocabulary& vocabulary = space->embedding().vocabulary();
    ASSIGN_OR_RETURN(const auto pairs, findPairs(options.pairs, vocabulary));
    report::GuaranteeReport report;
    report.odds = options.odds;
    mechanism::Grid grid = options.grid;
    RETURN_IF_ERROR(chooseEpsilon(*space, grid, context));
    ASSIGN_OR_RETURN(const auto settings, settingsOf(*space, grid, context.general));
    report.provenance = calibration::provenanceOf(space->embedding());
    report.mechanism = grid.mechanism;
    for (const GuaranteedSetting& setting : settings) {
        ASSIGN_OR_RETURN(
            auto entry,
            report::describeGuarantee(setting, space->embedding().vectors(), pairs, options.odds));
        report.entries.push_back(std::move(entry));
    }
    return CommandResult{
        rendered(context.general.format,
                 {[&] { return report::guaranteeJson(report, vocabulary); }, "guarantees.pairs",
                  [&] { return report::guaranteeText(report, vocabulary); }})};
}

}  // namespace epsilens::cli
