#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "app/cli/parser/command_options.h"
#include "app/cli/parser/mechanism_options.h"
#include "app/cli/parser/shared_options.h"
#include "core/base/trimmed.h"

namespace epsilens::cli {
namespace {

using experiment::ClassifierKind;

constexpr double kLargest = std::numeric_limits<double>::max();
constexpr double kAboveZero = std::numeric_limits<double>::denorm_min();
constexpr std::string_view kClassify = "classify";

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

Result<std::string> parseTask(std::string_view name, std::string_view option) {
    if (name == kClassify) {
        return std::string(name);
    }
    return fail(ErrorCode::invalidArgument,
                fmt::format("{}: \"{}\" is not one of {}", option, name, kClassify));
}

Result<bool> parseTestText(std::string_view name, std::string_view option) {
    if (name == "original" || name == "perturbed") {
        return name == "perturbed";
    }
    return fail(ErrorCode::invalidArgument,
                fmt::format("{}: \"{}\" is not one of original, perturbed", option, name));
}

void addDataSet(TypedOptions& options, experiment::DataSetOptions& data) {
    options.input("--data", "FILE",
                  "labelled texts: CSV, TSV, JSON Lines, or \"label TAB text\" without a header, "
                  "also compressed; or a folder with a folder of text files for each class",
                  data.path);
    options.require("--data");
    options.input("--test", "FILE",
                  "more of them, to test on; without it and without a split column, each repeat "
                  "trains on 70 % of the texts and tests on the others",
                  data.testPath);
    for (const auto& [name, meaning, column] :
         {std::tuple("--text-column,--column", "column with the text", &data.textColumn),
          std::tuple("--label-column", "column with the class", &data.labelColumn),
          std::tuple("--author-column", "column with the author", &data.authorColumn),
          std::tuple("--split-column", "column that says train or test", &data.splitColumn)}) {
        options.value(name, "C",
                      fmt::format("{}: its name in the header line, or its number from 1 (default: "
                                  "guessed, and said)",
                                  meaning),
                      *column, asTyped);
    }
    options.value("--data-format", "NAME",
                  withDefault("auto (: from the file name, else from the first line), tsv, csv or "
                              "jsonl",
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

}  // namespace

void addEvaluate(TypedOptions& options, Arguments& arguments) {
    EvaluateOptions& evaluate = arguments.evaluate;
    experiment::EvaluationOptions& run = evaluate.run;
    GeneralOptions& general = arguments.general;
    addGeneral(options, general, {}, true);
    addDataSet(options, evaluate.data);
    options.value("--task", "NAMES",
                  fmt::format("what to measure: {} (default), how well a classifier still works "
                              "that learned from perturbed texts",
                              kClassify),
                  evaluate.tasks, commaList(parseTask));
    addMechanism(options, run.grid, {});
    options.value(
        "--classifier", "NAMES",
        "classifiers, separated by commas: linear (default; words with tf-idf, logistic "
        "regression), vectors (mean of the word vectors, the same regression) or fasttext",
        run.classifiers, commaList(choice(experiment::parseClassifier)));
    options.text("--positive",
                 "the class that precision, recall and AUC speak of (default: the "
                 "last one of two)",
                 run.positive);
    options.value("--test-text", "NAME",
                  "whether test texts stay as they are or are perturbed too: original (default) or "
                  "perturbed",
                  run.perturbTest, parseTestText);
    options.value("--repeats", "N", "repeats, each with a split and noise of its own (default {})",
                  run.repeats, integer(1, experiment::EvaluationOptions::kMostRepeats));
    options.value("--C", "V",
                  "cost of linear and vectors, the inverse of their regularisation (default: 0.1, "
                  "1 or 10, by 3-fold cross-validation on the training texts)",
                  run.cost, number({kAboveZero, kLargest, "is not above 0"}));
    options.add("--margin", "POINTS",
                "a difference in accuracy of fewer points than this counts as none (default 1)",
                [&run](const auto& typed, std::string_view option) -> Result<void> {
                    ASSIGN_OR_RETURN(const auto points,
                                     number({kAboveZero, 99.0, "is not above 0 and at most 99"})(
                                         typed.front(), option));
                    run.margin = points / 100.0;
                    return {};
                });
    addWords(options, evaluate);
    options.check([&options, &general]() -> Result<void> {
        if (!options.isGiven("--format") && general.outputPath.ends_with(".html")) {
            general.format = OutputFormat::html;
        }
        return {};
    });
    options.footer(
        "The text is perturbed with a seed, for study only; release it with sanitize.\n"
        "Example:\n  epsilens-cli evaluate vectors.txt.gz --data messages.csv --label-column class "
        "\\\n      --mechanism mahalanobis --lambda 0,0.5,1 --epsilon 5,10,20,40 -o page.html");
}

}  // namespace epsilens::cli
