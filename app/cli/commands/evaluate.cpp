#include "app/cli/commands/evaluate.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "app/cli/commands/grid_defaults.h"
#include "core/base/numbers.h"
#include "core/base/pass_on.h"
#include "core/embedding/word_list.h"
#include "core/experiment/reference_text.h"
#include "core/report/evaluation_report.h"

namespace epsilens::cli {
namespace {

using experiment::DataSet;

Result<DataSet> readData(const EvaluateOptions& options, const CommandContext& context) {
    ASSIGN_OR_RETURN(auto data, context.withProgress([&](const JobContext& job) {
        return experiment::readDataSet(options.data, job);
    }));
    context.console.note(fmt::format("{}: {} documents; {}", data.file,
                                     formatCount(static_cast<std::int64_t>(data.documents.size())),
                                     experiment::columnsText(data)));
    if (data.badRows > 0) {
        context.console.warning(fmt::format(
            "{}: {} rows left out, because they lack a text or another column: {}{}", data.file,
            formatCount(data.badRows), fmt::join(data.firstBadRows, ", "),
            data.badRows > static_cast<std::int64_t>(data.firstBadRows.size()) ? ", …" : ""));
    }
    return data;
}

/// The grid where nothing is typed: its epsilons from the embedding.
Result<void> fillGrid(const engine::SearchSpace& space, mechanism::Grid& grid,
                      const CommandContext& context) {
    chooseLambdas(space, grid, context.console);
    calibration::CalibrationOptions calibrating = calibrationOptions(grid, context.general);
    RETURN_IF_ERROR(chooseEpsilons(space, calibrating, context));
    grid.epsilons = calibrating.grid.epsilons;
    return {};
}

Result<void> announce(const experiment::Evaluation& evaluation, const CommandContext& context) {
    const experiment::DataDescription& data = evaluation.data();
    context.console.note(fmt::format(
        "{} words, {} in the vocabulary, {} replaced; {} training and {} test documents",
        formatCount(data.tokens), formatCount(data.knownTokens), formatCount(data.replacedTokens),
        formatCount(data.trainingDocuments), formatCount(data.testDocuments)));
    ASSIGN_OR_RETURN(const auto cost, evaluation.cost());
    const std::string models =
        cost.models > 0 ? fmt::format("{} substitutions and {} models, ",
                                      formatCount(cost.substitutions), formatCount(cost.models))
                        : std::string();
    context.console.note(fmt::format("{}about {:.0f} s and {} MiB", models,
                                     std::max(cost.seconds, 1.0),
                                     formatCount(static_cast<std::int64_t>(cost.bytes >> 20U))));
    return refuseLongWork(cost.seconds, context);
}

Result<release::StopWordsHandle> readWords(const std::string& path, const CommandContext& context) {
    return path.empty() ? Result<release::StopWordsHandle>(nullptr)
                        : release::readStopWords(path, context.stop);
}

/// What the attackers know of the vocabulary: the reference text and the list.
Result<void> readAttackers(const EvaluateOptions& options, const embedding::Vocabulary& vocabulary,
                           experiment::EvaluationOptions& asked, const CommandContext& context) {
    if (!options.priorPath.empty()) {
        ASSIGN_OR_RETURN(
            asked.attack.reference,
            experiment::readReferenceText(options.priorPath, vocabulary, asked.policies.letterCase,
                                          context.console.job(context.stop)));
    }
    if (options.sensitivePath.empty()) {
        return {};
    }
    ASSIGN_OR_RETURN(auto list,
                     embedding::findListedWords(options.sensitivePath, vocabulary, context.stop));
    const auto known = static_cast<std::int64_t>(list.rows.size());
    if (known == 0) {
        return tl::unexpected(
            Error{ErrorCode::badFile,
                  fmt::format("none of its {} words is in the embedding", formatCount(list.words)),
                  options.sensitivePath, 0});
    }
    if (known < list.words) {
        context.console.warning(fmt::format("{}: {} of {} words unknown", options.sensitivePath,
                                            formatCount(list.words - known),
                                            formatCount(list.words)));
    }
    asked.attack.listed = std::move(list.rows);
    return {};
}

}  // namespace

Result<CommandResult> runEvaluate(const EvaluateOptions& options, const CommandContext& context) {
    experiment::EvaluationOptions asked = options.run;
    asked.seed = context.general.seed;
    asked.threads = context.general.threads;
    ASSIGN_OR_RETURN(asked.policies.stopWords, readWords(options.stopWordsPath, context));
    ASSIGN_OR_RETURN(asked.policies.onlyWords, readWords(options.onlyWordsPath, context));
    ASSIGN_OR_RETURN(const auto data, readData(options, context));
    ASSIGN_OR_RETURN(const auto space, openSearchSpace(context));
    RETURN_IF_ERROR(readAttackers(options, space->embedding().vocabulary(), asked, context));
    RETURN_IF_ERROR(fillGrid(*space, asked.grid, context));
    ASSIGN_OR_RETURN(const auto evaluation, context.withProgress([&](const JobContext& job) {
        return experiment::Evaluation::create(*space, data, asked, job);
    }));
    RETURN_IF_ERROR(announce(evaluation, context));
    ASSIGN_OR_RETURN(auto summary, context.withProgress(
                                       [&](const JobContext& job) { return evaluation.run(job); }));
    const bool partial = summary.partial;
    const document::EvaluationRecord record{calibration::provenanceOf(space->embedding()),
                                            std::move(summary)};
    return CommandResult{
        rendered(context.general.format, {[&] { return report::evaluationText(record); },
                                          [&] { return document::evaluationJson(record); },
                                          [&] { return report::evaluationCsv(record); },
                                          [&] { return report::evaluationHtml(record); }}),
        partial};
}

}  // namespace epsilens::cli
