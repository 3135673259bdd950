#include "app/cli/commands/compare.h"

#include "core/base/pass_on.h"
#include "core/document/calibration_comparison.h"
#include "core/document/json_parser.h"
#include "core/report/comparison_report.h"

namespace epsilens::cli {

Result<CommandResult> runCompare(const CompareOptions& options, const CommandContext& context) {
    ASSIGN_OR_RETURN(const auto first, document::openJson(options.first, context.stop));
    ASSIGN_OR_RETURN(const auto second, document::openJson(options.second, context.stop));
    ASSIGN_OR_RETURN(const auto comparison, document::compareResults(first, second));
    return CommandResult{
        rendered(context.general.format, {[&] { return report::comparisonText(comparison); },
                                          [&] { return document::comparisonJson(comparison); },
                                          [&] { return report::comparisonCsv(comparison); }})};
}

}  // namespace epsilens::cli
