#include "app/cli/commands/compare.h"

#include "core/base/pass_on.h"
#include "core/document/evaluation_comparison.h"
#include "core/document/stored_evaluation.h"
#include "core/report/comparison_report.h"

namespace epsilens::cli {

Result<CommandResult> runCompare(const CompareOptions& options, const CommandContext& context) {
    ASSIGN_OR_RETURN(const auto first, document::openEvaluation(options.first, context.stop));
    ASSIGN_OR_RETURN(const auto second, document::openEvaluation(options.second, context.stop));
    ASSIGN_OR_RETURN(const auto comparison, document::compareEvaluations(first, second));
    return CommandResult{
        rendered(context.general.format, {[&] { return report::comparisonText(comparison); },
                                          [&] { return document::comparisonJson(comparison); },
                                          [&] { return report::comparisonCsv(comparison); }})};
}

}  // namespace epsilens::cli
