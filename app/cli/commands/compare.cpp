#include "app/cli/commands/compare.h"

#include "core/base/pass_on.h"
#include "core/document/evaluation_document.h"
#include "core/document/json_parser.h"
#include "core/report/comparison_report.h"

namespace epsilens::cli {
namespace {

Result<document::JsonDocument> openEvaluation(const std::string& path,
                                              const std::stop_token& stop) {
    ASSIGN_OR_RETURN(auto json, document::openJson(path, stop));
    if (!document::isFamily(json, document::kEvaluationSchema)) {
        return tl::unexpected(
            Error{ErrorCode::badFile, "it is no result of evaluate --format json", path, 0});
    }
    return json;
}

}  // namespace

Result<CommandResult> runCompare(const CompareOptions& options, const CommandContext& context) {
    ASSIGN_OR_RETURN(const auto first, openEvaluation(options.first, context.stop));
    ASSIGN_OR_RETURN(const auto second, openEvaluation(options.second, context.stop));
    ASSIGN_OR_RETURN(const auto comparison, document::compareEvaluations(first, second));
    return CommandResult{
        rendered(context.general.format, {[&] { return report::comparisonText(comparison); },
                                          [&] { return document::comparisonJson(comparison); },
                                          [&] { return report::comparisonCsv(comparison); }})};
}

}  // namespace epsilens::cli
