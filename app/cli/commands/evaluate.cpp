#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/commands/preparation.h"
#include "app/cli/output.h"
#include "app/cli/parser/shared_options.h"
#include "core/base/error.h"
#include "core/calibration/calibrate.h"
#include "core/calibration/run.h"
#include "core/corpus/data_set.h"
#include "core/evaluation/evaluation_run.h"
#include "core/report/evaluation_report.h"
#include "core/report/report_model.h"

namespace epsilens::cli {
namespace {

/// Tasks, each once.
Result<std::vector<attack::Task>> parseTasks(std::string_view typed, std::string_view option) {
    ASSIGN_OR_RETURN(const auto all, commaList(choice(attack::parseTask))(typed, option));
    std::vector<attack::Task> tasks;
    for (const attack::Task task : all) {
        if (std::ranges::find(tasks, task) == tasks.end()) {
            tasks.push_back(task);
        }
    }
    return tasks;
}

constexpr EnumNames<bool, 2> kTestTexts{{{"original", false}, {"perturbed", true}}};

void addWords(TypedOptions& options, EvaluateOptions& evaluate) {
    corpus::ReplacementPolicies& policies = evaluate.run.policies;
    options.value(
        "--unknown", "POLICY",
        "words that are not in the vocabulary: " +
            withDefault("mask, random, drop or keep", release::unknownPolicyName(policies.unknown)),
        policies.unknown, choice(release::parseUnknownPolicy));
    addCase(options, policies.letterCase, "letter case when words are looked up");
    options.input("--stop-words", "FILE",
                  "do not replace the words listed in this file (one per line)",
                  evaluate.stopWordsPath);
    options.input("--only-words", "FILE",
                  "replace only the words listed in this file; nothing else is protected, and "
                  "which words were replaced is visible",
                  evaluate.onlyWordsPath);
}

/// What is written beside the results.
void addStudyText(TypedOptions& options, EvaluateOptions& evaluate) {
    options.output("--save-perturbed",
                   "also write the perturbed texts of the first repeat to this CSV file, whose "
                   "name must contain \"study\", and a description of them to the same name with "
                   ".json appended; text from a seed, not a release",
                   evaluate.studyPath);
    options.writes("--save-perturbed", evaluate.studySidecarPath);
    options.check([&evaluate]() -> Result<void> {
        if (evaluate.studyPath.empty()) {
            return {};
        }
        evaluate.studySidecarPath = evaluate.studyPath + ".json";
        return evaluation::checkStudyName(evaluate.studyPath).map_error([](const Error& error) {
            return named("--save-perturbed", error);
        });
    });
}

/// Fails for an option that no task reads.
Result<void> checkUsed(const TypedOptions& options, const EvaluateOptions& evaluate) {
    using attack::Task;
    static const std::vector<std::pair<const char*, std::vector<Task>>> kReaders{
        {"--classifier", {Task::classify, Task::membership}},
        {"--positive", {Task::classify}},
        {"--test-text", {Task::classify}},
        {"--prior", {Task::reconstruct}}};
    for (const auto& [option, tasks] : kReaders) {
        if (options.isGiven(option) &&
            std::ranges::none_of(tasks, [&](Task task) { return evaluate.run.has(task); })) {
            return refused(fmt::format("{}: only --task {} reads it", option,
                                       attack::taskName(tasks.front())));
        }
    }
    return {};
}

using corpus::DataSet;
using document::EvaluationRecord;
using evaluation::EvaluationOptions;

Result<evaluation::Evaluation> createEvaluation(const engine::SearchSpace& space,
                                                const DataSet& data, const EvaluationOptions& asked,
                                                const CommandContext& context) {
    return context.withProgress([&](const JobContext& job) {
        return evaluation::Evaluation::create(space, data, asked, job);
    });
}

/// Writes study text, and beside it what says of it that it is no release.
Result<void> writeStudyText(const EvaluateOptions& options, const engine::SearchSpace& space,
                            const DataSet& data, const EvaluationOptions& asked,
                            const EvaluationRecord& record, const CommandContext& context) {
    ASSIGN_OR_RETURN(const auto evaluation, createEvaluation(space, data, asked, context));
    ASSIGN_OR_RETURN(const auto study, context.withProgress([&](const JobContext& job) {
        return evaluation::studyText(evaluation, job);
    }));
    RETURN_IF_ERROR(writeOutput(options.studyPath, study, context.stop));
    return writeOutput(options.studySidecarPath, document::studyTextJson(record), context.stop);
}

/// N_w and S_w of the settings that were evaluated, over some words of the vocabulary.
Result<document::Survival> survivalOf(const engine::SearchSpace& space,
                                      const EvaluationOptions& asked,
                                      const CommandContext& context) {
    const auto options = calibrationOptions(asked.grid, context.general);
    ASSIGN_OR_RETURN(auto run, context.withProgress([&](const JobContext& job) {
        return calibration::calibrate(space, options, job);
    }));
    if (run.partial) {
        return fail(ErrorCode::cancelled, "cancelled");
    }
    return document::Survival{run.words, run.draws, std::move(run.cells)};
}

/// What repeats the evaluation, as its results keep it.
///
/// asked  with the grid that is measured
Result<document::EvaluationRequest> requestOf(const EvaluateOptions& options,
                                              EvaluationOptions asked,
                                              const CommandContext& context) {
    asked.grid = usedValues(std::move(asked.grid));
    document::EvaluationRequest request;
    request.load = calibration::keptRequest(context.general.load, {}).load;
    request.data.options = options.data;
    ASSIGN_OR_RETURN(request.data.fingerprint, corpus::fingerprintOf(options.data, context.stop));
    request.data.options.path = calibration::absolutePath(options.data.path);
    request.data.options.testPath = calibration::absolutePath(options.data.testPath);
    request.options = std::move(asked);
    for (const auto& [path, file] : {std::pair(&options.stopWordsPath, &request.stopWords),
                                     std::pair(&options.onlyWordsPath, &request.onlyWords),
                                     std::pair(&options.priorPath, &request.prior)}) {
        ASSIGN_OR_RETURN(*file, document::inputFile(*path, context.stop));
    }
    return request;
}

/// Fills what is not typed in `asked`, and evaluates.
Result<EvaluationRecord> evaluate(const EvaluateOptions& options, const engine::SearchSpace& space,
                                  const DataSet& data, EvaluationOptions& asked,
                                  const CommandContext& context) {
    RETURN_IF_ERROR(readAttackers(options, space.embedding().vocabulary(), asked, context));
    chooseLambdas(space, asked.grid, context.console);
    calibration::CalibrationOptions calibrating = calibrationOptions(asked.grid, context.general);
    RETURN_IF_ERROR(chooseEpsilons(space, calibrating, context));
    asked.grid.epsilons = calibrating.grid.epsilons;
    EvaluationRecord record{calibration::provenanceOf(space.embedding()), {}, {}, {}};
    if (context.isFirst()) {
        ASSIGN_OR_RETURN(record.request, requestOf(options, asked, context));
    }
    EvaluationOptions shared = asked;
    shared.crew = context.crew();
    ASSIGN_OR_RETURN(const auto evaluation, createEvaluation(space, data, shared, context));
    ASSIGN_OR_RETURN(record.summary, context.withProgress([&](const JobContext& job) {
        return evaluation.run(job);
    }));
    if (context.isFirst() && !record.summary.partial) {
        // What was measured is worth more than what is missing when this is cancelled.
        if (auto survival = survivalOf(space, asked, context)) {
            record.survival = *std::move(survival);
        } else if (survival.error().code != ErrorCode::cancelled) {
            return tl::unexpected(std::move(survival.error()));
        }
    }
    return record;
}

}  // namespace

void addEvaluate(TypedOptions& options, GeneralOptions& general, EvaluateOptions& evaluate) {
    evaluation::EvaluationOptions& run = evaluate.run;
    addGeneral(options, general, {}, true);
    addTexts(options, evaluate.data);
    options.require("--data");
    addColumn(options, "--author-column", "column with the author", evaluate.data.authorColumn);
    options.value(
        "--task", "NAMES",
        "what to measure, separated by commas: classify (default; how well a classifier trained on "
        "perturbed texts still works), or attacks: reconstruct (how often the words of the test "
        "texts are guessed), membership (whether an attacker can tell which texts a classifier was "
        "trained on), authorship (how often the author of a test text is found), audit (whether an "
        "attacker can tell whose texts a language model was trained on)",
        run.tasks, parseTasks);
    addMechanism(options, run.grid, {});
    options.value(
        "--classifier", "NAMES",
        "classifiers, separated by commas: linear (default; words with tf-idf, logistic "
        "regression), vectors (mean of the word vectors, the same regression) or fasttext",
        run.classifiers, commaList(choice(evaluation::parseClassifier)));
    options.text("--positive",
                 "the class that precision, recall and AUC are about (default: the "
                 "last one of two)",
                 run.positive);
    options.value("--test-text", "NAME",
                  "whether test texts stay as they are or are perturbed too: original (default) or "
                  "perturbed",
                  run.perturbTest, oneOf(kTestTexts));
    addRepeats(options, run);
    addWords(options, evaluate);
    addPrior(options, evaluate);
    addStudyText(options, evaluate);
    options.check([&options, &evaluate] { return checkUsed(options, evaluate); });
    options.check([&options, &general]() -> Result<void> {
        if (!options.isGiven("--format") && general.outputPath.ends_with(".html")) {
            general.format = OutputFormat::html;
        }
        return {};
    });
    options.footer(
        "The text is perturbed with a seed, for study only; release it with sanitize.\n"
        "Example:\n  epsilens-cli evaluate vectors.txt.gz --data messages.csv --label-column class "
        "\\\n      --mechanism mahalanobis --lambda 0,0.5,1 --epsilon 5,10,20,40 -o page.html\n"
        "  epsilens-cli evaluate vectors.txt.gz --data messages.csv --lambda 0,0.5,1 --epsilon "
        "5..40x4 \\\n      --task classify,reconstruct");
}

Result<EvaluationRecord> evaluated(const EvaluateOptions& options, const engine::SearchSpace& space,
                                   const CommandContext& context) {
    ASSIGN_OR_RETURN(auto asked, readPolicies(options, context));
    ASSIGN_OR_RETURN(const auto data, readLabelled(options.data, context));
    return evaluate(options, space, data, asked, context);
}

Result<CommandResult> runEvaluate(const EvaluateOptions& options, const CommandContext& context) {
    if (!options.studyPath.empty()) {
        RETURN_IF_ERROR(checkOutput(options.studyPath));
        RETURN_IF_ERROR(checkOutput(options.studySidecarPath));
    }
    ASSIGN_OR_RETURN(auto asked, readPolicies(options, context));
    ASSIGN_OR_RETURN(const auto data, readLabelled(options.data, context));
    ASSIGN_OR_RETURN(const auto space, openSearchSpace(context));
    ASSIGN_OR_RETURN(const auto record, evaluate(options, *space, data, asked, context));
    if (context.endsHere()) {
        return CommandResult{.isWritten = true};
    }
    if (!options.studyPath.empty() && !record.summary.partial) {
        RETURN_IF_ERROR(writeStudyText(options, *space, data, asked, record, context));
    }
    return rendered(context.general,
                    {[&] { return document::evaluationDocument(record); }, "cells",
                     [&] { return report::reportText(report::evaluationPage(record)); },
                     [&] { return report::reportHtml(report::evaluationPage(record)); }},
                    record.summary.partial);
}

}  // namespace epsilens::cli
