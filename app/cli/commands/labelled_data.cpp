#include "app/cli/commands/labelled_data.h"

#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "core/base/numbers.h"
#include "core/base/pass_on.h"
#include "core/experiment/reference_text.h"

namespace epsilens::cli {
namespace {

using experiment::DataSet;

Result<release::StopWordsHandle> readWords(const std::string& path, const CommandContext& context) {
    return path.empty() ? Result<release::StopWordsHandle>(nullptr)
                        : release::readStopWords(path, context.stop);
}

void warnOfBadRows(const std::string& file, std::int64_t count, const experiment::BadRows& first,
                   const CommandContext& context) {
    if (count > 0) {
        context.console.warning(
            fmt::format("{}: {} rows left out, because they lack a text or another column, or are "
                        "malformed: {}",
                        file, formatCount(count), experiment::rowsText(first, count)));
    }
}

}  // namespace

Result<DataSet> readLabelled(experiment::DataSetOptions options, const CommandContext& context) {
    options.strict = context.general.load.strict;
    ASSIGN_OR_RETURN(auto data, context.withProgress([&](const JobContext& job) {
        return experiment::readDataSet(options, job);
    }));
    context.console.note(fmt::format("{}: {} documents; {}", data.file,
                                     formatCount(static_cast<std::int64_t>(data.documents.size())),
                                     data.columns));
    warnOfBadRows(data.file, data.badRows - data.badTestRows, data.firstBadRows, context);
    warnOfBadRows(std::filesystem::path(options.testPath).filename().string(), data.badTestRows,
                  data.firstBadTestRows, context);
    return data;
}

Result<experiment::EvaluationOptions> readPolicies(const EvaluateOptions& options,
                                                   const CommandContext& context) {
    experiment::EvaluationOptions asked = options.run;
    asked.seed = context.general.seed;
    asked.threads = context.general.threads;
    ASSIGN_OR_RETURN(asked.policies.stopWords, readWords(options.stopWordsPath, context));
    ASSIGN_OR_RETURN(asked.policies.onlyWords, readWords(options.onlyWordsPath, context));
    return asked;
}

Result<void> readAttackers(const EvaluateOptions& options, const embedding::Vocabulary& vocabulary,
                           experiment::EvaluationOptions& asked, const CommandContext& context) {
    if (!options.priorPath.empty()) {
        ASSIGN_OR_RETURN(
            asked.attack.reference,
            experiment::readReferenceText(options.priorPath, vocabulary, asked.policies.letterCase,
                                          context.console.job(context.stop)));
    }
    return {};
}

}  // namespace epsilens::cli
