#include "app/cli/parser/evaluate_options.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/cli/parser/command_options.h"
#include "app/cli/parser/mechanism_options.h"
#include "app/cli/parser/shared_options.h"
#include "core/base/trimmed.h"
#include "core/experiment/study_text.h"

namespace epsilens::cli {
namespace {

/// Names separated by commas.
template <typename Parse>
auto commaList(Parse parse) {
    return [parse](std::string_view typed, std::string_view option)
               -> Result<std::vector<typename decltype(parse(typed, option))::value_type>> {
        std::vector<typename decltype(parse(typed, option))::value_type> values;
        while (!typed.empty()) {
            const std::size_t end = std::min(typed.find(','), typed.size());
            ASSIGN_OR_RETURN(auto value, parse(trimmed(typed.substr(0, end)), option));
            values.push_back(std::move(value));
            typed.remove_prefix(std::min(end + 1, typed.size()));
        }
        return values;
    };
}

/// Tasks, each once.
Result<std::vector<experiment::Task>> parseTasks(std::string_view typed, std::string_view option) {
    ASSIGN_OR_RETURN(const auto all, commaList(choice(experiment::parseTask))(typed, option));
    std::vector<experiment::Task> tasks;
    for (const experiment::Task task : all) {
        if (std::find(tasks.begin(), tasks.end(), task) == tasks.end()) {
            tasks.push_back(task);
        }
    }
    return tasks;
}

Result<bool> parseTestText(std::string_view name, std::string_view option) {
    if (name == "original" || name == "perturbed") {
        return name == "perturbed";
    }
    return fail(ErrorCode::invalidArgument,
                fmt::format("{}: \"{}\" is not one of original, perturbed", option, name));
}

void addColumn(TypedOptions& options, const char* name, const char* meaning, std::string& column) {
    options.value(name, "C",
                  fmt::format("{}: its name in the header line, or its number from 1 (default: "
                              "guessed, and reported)",
                              meaning),
                  column, asTyped);
}

void addDataSet(TypedOptions& options, experiment::DataSetOptions& data) {
    options.input("--data", "FILE",
                  "labelled texts: CSV, TSV, JSON Lines, or \"label TAB text\" without a header, "
                  "also compressed; or a folder with a folder of text files for each class",
                  data.path);
    options.require("--data");
    addColumn(options, "--text-column,--column", "column with the text", data.textColumn);
    addColumn(options, "--author-column", "column with the author", data.authorColumn);
    addLabels(options, data);
    options.value("--data-format", "NAME",
                  withDefault("auto (: from the file name, else from the first line), tsv, "
                              "tsv-quoted, csv or jsonl",
                              io::recordFormatName(data.format)),
                  data.format, choice(io::parseRecordFormat));
}

void addWords(TypedOptions& options, EvaluateOptions& evaluate) {
    experiment::ReplacementPolicies& policies = evaluate.run.policies;
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
        return experiment::checkStudyName(evaluate.studyPath).map_error([](const Error& error) {
            return named("--save-perturbed", error);
        });
    });
}

/// Fails for an option that no task reads.
Result<void> checkUsed(const TypedOptions& options, const EvaluateOptions& evaluate) {
    using experiment::Task;
    static const std::vector<std::pair<const char*, std::vector<Task>>> kReaders{
        {"--classifier", {Task::classify, Task::membership}},
        {"--positive", {Task::classify}},
        {"--test-text", {Task::classify}},
        {"--prior", {Task::reconstruct}}};
    for (const auto& [option, tasks] : kReaders) {
        if (options.isGiven(option) && std::none_of(tasks.begin(), tasks.end(), [&](Task task) {
                return evaluate.run.has(task);
            })) {
            return fail(ErrorCode::invalidArgument,
                        fmt::format("{}: only --task {} reads it", option,
                                    experiment::taskName(tasks.front())));
        }
    }
    return {};
}

}  // namespace

void addLabels(TypedOptions& options, experiment::DataSetOptions& data) {
    options.input("--test", "FILE",
                  "more of them, to test on; without it and without a split column, each repeat "
                  "trains on 70% of the texts and tests on the others",
                  data.testPath);
    addColumn(options, "--label-column", "column with the class", data.labelColumn);
    addColumn(options, "--split-column", "column that says train or test", data.splitColumn);
}

void addPrior(TypedOptions& options, EvaluateOptions& evaluate) {
    options.add("--prior", "FILE",
                "how attackers know which words are common: training (default; from the training "
                "texts), uniform (all words alike), or a file with a text, or with a word, a tab "
                "and a count in each line",
                [&evaluate](const auto& typed, std::string_view) -> Result<void> {
                    using experiment::PriorKind;
                    const std::string& name = typed.front();
                    evaluate.run.attack.prior = name == "training"  ? PriorKind::training
                                                : name == "uniform" ? PriorKind::uniform
                                                                    : PriorKind::file;
                    evaluate.priorPath =
                        evaluate.run.attack.prior == PriorKind::file ? name : std::string();
                    return {};
                });
    options.reads([&evaluate] { return std::vector<std::string>{evaluate.priorPath}; });
}

void addRepeats(TypedOptions& options, experiment::EvaluationOptions& run) {
    options.value("--repeats", "N", "repeats, each with a split and noise of its own (default {})",
                  run.repeats, integer(1, experiment::EvaluationOptions::kMostRepeats));
}

void addEvaluate(TypedOptions& options, Arguments& arguments) {
    EvaluateOptions& evaluate = arguments.evaluate;
    experiment::EvaluationOptions& run = evaluate.run;
    GeneralOptions& general = arguments.general;
    addGeneral(options, general, {}, true);
    addDataSet(options, evaluate.data);
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
        run.classifiers, commaList(choice(experiment::parseClassifier)));
    options.text("--positive",
                 "the class that precision, recall and AUC are about (default: the "
                 "last one of two)",
                 run.positive);
    options.value("--test-text", "NAME",
                  "whether test texts stay as they are or are perturbed too: original (default) or "
                  "perturbed",
                  run.perturbTest, parseTestText);
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
        "5..40x4 \
      --task classify,reconstruct");
}

}  // namespace epsilens::cli
