#include <algorithm>
#include <filesystem>
#include <string_view>

#include <fmt/format.h>

#include "app/cli/commands/commands.h"
#include "app/cli/parser/shared_options.h"
#include "core/base/numbers.h"
#include "core/base/pass_on.h"
#include "core/embedding/load.h"
#include "core/training/is_a_pairs.h"

namespace epsilens::cli {
namespace {

using embedding::SkippedRows;
using training::IsAList;
using training::IsAReport;
using training::PoincareOptions;
using training::Row;

constexpr std::size_t kShownNodes = 5;

std::string positionsText(const SkippedRows& lines) {
    std::string text;
    for (const std::int64_t line : lines.firstPositions) {
        text += fmt::format("{}{}", text.empty() ? "" : ", ", formatCount(line));
    }
    if (lines.count > std::ssize(lines.firstPositions)) {
        text += ", …";
    }
    return text;
}

/// "3 bad lines skipped: empty name 2 (at 2, 5), …"; empty if there are none.
std::string badLinesText(const IsAReport& report) {
    struct Reason {
        const SkippedRows& lines;
        std::string_view text;
    };
    std::string reasons;
    for (const Reason& reason :
         {Reason{report.wrongFields, "not a child and a parent separated by one tab"},
          Reason{report.emptyNames, "empty name"}, Reason{report.longNames, "name too long"},
          Reason{report.invalidText, "not valid UTF-8, or a control character"}}) {
        if (reason.lines.count > 0) {
            reasons += fmt::format("{}{} {} (at {})", reasons.empty() ? "" : ", ", reason.text,
                                   formatCount(reason.lines.count), positionsText(reason.lines));
        }
    }
    return reasons.empty()
               ? reasons
               : fmt::format("{} bad line{} skipped: {}", formatCount(report.badLines()),
                             report.badLines() == 1 ? "" : "s", reasons);
}

std::string cyclesText(const IsAList& list, const training::Cycles& cycles) {
    std::string example;
    for (std::size_t i = 0; i < std::min(kShownNodes, cycles.example.size()); ++i) {
        example +=
            fmt::format("{}{}", example.empty() ? "" : ", ", list.nodes.word(cycles.example[i]));
    }
    example += cycles.example.size() > kShownNodes ? ", …" : "";
    return fmt::format(
        "{} group{} of nodes that form cycles, {} nodes in all (such as {}): their pairs are kept, "
        "but the vectors show no order within a group",
        formatCount(cycles.groups), cycles.groups == 1 ? "" : "s", formatCount(cycles.nodes),
        example);
}

/// Reports what is unusual about a list and how it is handled, then its size.
void announce(const std::string& name, const IsAList& list, Console& console) {
    const IsAReport& report = list.report;
    if (const std::string bad = badLinesText(report); !bad.empty()) {
        console.warning(fmt::format("{}: {}", name, bad));
    }
    if (report.selfPairs.count > 0) {
        console.note(fmt::format("{}: pairs of a node with itself are left out (at {})", name,
                                 positionsText(report.selfPairs)));
    }
    if (report.namesWithBlanks > 0) {
        console.note(fmt::format("{}: blanks in names are written as underscores ({} node{})", name,
                                 formatCount(report.namesWithBlanks),
                                 report.namesWithBlanks == 1 ? "" : "s"));
    }
    const training::Cycles cycles =
        findCycles(training::IsAGraph(static_cast<Row>(list.nodes.size()), list.pairs));
    if (cycles.groups > 0) {
        console.warning(fmt::format("{}: {}", name, cyclesText(list, cycles)));
    }
    console.note(fmt::format(
        "{}: {} pairs of {} nodes; bad lines {}, self pairs {}, repeated pairs {}, cycles {}", name,
        formatCount(list.pairs.size()), formatCount(list.nodes.size()),
        formatCount(report.badLines()), formatCount(report.selfPairs.count),
        formatCount(report.duplicates.count), formatCount(cycles.groups)));
}

}  // namespace

void addTrainPoincare(TypedOptions& options, GeneralOptions& general, TrainPoincareOptions& train) {
    PoincareOptions& training = train.training;
    options.input("PAIRS", "",
                  "file whose lines hold a child, a tab and a parent; - for standard input",
                  train.pairsPath);
    options.require("PAIRS");
    addRun(options, general);
    options.value("--dimensions", "M", "dimensions of the vectors (default {})",
                  training.dimensions, integer(1, PoincareOptions::kMostDimensions));
    options.value("--epochs", "N", "passes over the pairs after the burn-in (default {})",
                  training.epochs, integer(1, PoincareOptions::kMostEpochs));
    options.value("--negatives", "K", "negative examples per pair (default {})", training.negatives,
                  integer(1, PoincareOptions::kMostNegatives));
    options.value(
        "--rate", "RATE", "learning rate (default {})", training.rate,
        number({kAboveZero, PoincareOptions::kHighestRate,
                fmt::format("is not above 0 and at most {}", PoincareOptions::kHighestRate)}));
    options.value("--burn-in", "N", "initial passes at a tenth of the learning rate (default {})",
                  training.burnIn, integer(0, PoincareOptions::kMostEpochs));
    takeSeed(options, general, training);
    options.footer(
        "Example:\n  epsilens-cli train-poincare mammals.tsv --dimensions 5 --epochs 100 "
        "--negatives 10 \\\n      --rate 0.3 --burn-in 10 --seed 1 -o mammals.vec");
}

Result<CommandResult> runTrainPoincare(const TrainPoincareOptions& options,
                                       const CommandContext& context) {
    training::IsAReadOptions reading;
    reading.path = options.pairsPath;
    reading.strict = context.general.load.strict;
    ASSIGN_OR_RETURN(const auto list, context.withProgress([&](const JobContext& job) {
        return readIsAPairs(reading, job);
    }));
    announce(options.pairsPath == "-"
                 ? "standard input"
                 : std::filesystem::path(options.pairsPath).filename().string(),
             list, context.console);
    ASSIGN_OR_RETURN(const auto training, context.withProgress([&](const JobContext& job) {
        return trainPoincare(list, options.training, job);
    }));
    context.console.note(fmt::format(
        "{} of {} epochs after {} of burn-in in {:.2f} s: {} relations/s, final loss {}",
        formatCount(training.epochs), formatCount(options.training.epochs),
        formatCount(options.training.burnIn), training.seconds,
        formatCount(static_cast<std::int64_t>(training.relationsPerSecond())),
        formatSignificant(training.finalLoss(), 4)));
    return CommandResult{embedding::word2vecText(list.nodes, training.vectors.cast<float>()),
                         training.partial};
}

}  // namespace epsilens::cli
