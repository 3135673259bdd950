#include <limits>
#include <utility>

#include "app/cli/commands/preparation.h"
#include "app/cli/parser/shared_options.h"
#include "core/base/error.h"
#include "core/mechanism/guarantee.h"
#include "core/mechanism/prepared_mechanism.h"
#include "core/metric/word_metric.h"
#include "core/report/command_fields.h"

namespace epsilens::cli {
namespace {

constexpr double kAboveOne = 1.0 + std::numeric_limits<double>::epsilon();

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
    const embedding::Embedding& embedding = space->embedding().embedding;
    report::GuaranteeReport report;
    ASSIGN_OR_RETURN(const auto pairs, findPairs(options.pairs, embedding.vocabulary));
    report.odds = options.odds;
    mechanism::Grid grid = options.grid;
    RETURN_IF_ERROR(chooseEpsilon(*space, grid, context));
    RETURN_IF_ERROR(
        calibration::validate(calibrationOptions(grid, context.general), space->embedding()));
    report.provenance = calibration::provenanceOf(space->embedding());
    report.mechanism = grid.mechanism;
    for (const mechanism::Mechanism& mechanism : grid.mechanisms()) {
        ASSIGN_OR_RETURN(const auto prepared,
                         mechanism::PreparedMechanism::create(space->handle(), mechanism));
        for (const double epsilon : grid.epsilons) {
            ASSIGN_OR_RETURN(auto guarantee, prepared.guarantee(epsilon));
            report.add(mechanism::guaranteedSetting(std::move(guarantee), prepared.metric()), pairs,
                       embedding);
        }
    }
    return rendered(context.general,
                    {[&] { return report::kGuarantee.write(report); }, "guarantees.pairs",
                     [&] { return report::guaranteeText(report); }});
}

}  // namespace epsilens::cli
