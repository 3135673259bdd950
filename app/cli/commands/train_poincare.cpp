#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "app/cli/commands/commands.h"
#include "app/cli/parser/shared_options.h"
#include "core/base/error.h"
#include "core/base/numbers.h"
#include "core/embedding/load.h"
#include "core/report/info_report.h"
#include "core/report/report_parts.h"
#include "core/training/is_a_pairs.h"

namespace epsilens::cli {
namespace {

using report::counted;
using training::IsAList;
using training::IsAReport;
using training::PoincareOptions;
using training::Row;

constexpr std::size_t kShownNodes = 5;

std::string cyclesText(const IsAList& list, const training::Cycles& cycles) {
    std::string example;
    for (std::size_t i = 0; i < std::min(kShownNodes, cycles.example.size()); ++i) {
        example +=
            fmt::format("{}{}", example.empty() ? "" : ", ", list.nodes.word(cycles.example[i]));
    }
    example += cycles.example.size() > kShownNodes ? ", …" : "";
    return fmt::format(
        "{} of nodes that form cycles, {} nodes in all (such as {}): their pairs are kept, but the "
        "vectors show no order within a group",
        counted(cycles.groups, "group", "groups"), formatCount(cycles.nodes), example);
}

/// Reports what is unusual about a list and how it is handled, then its size.
void announce(const std::string& name, const IsAList& list, Console& console) {
    const IsAReport& report = list.report;
    const std::string bad =
        report::reasonsText({{"not a child and a parent separated by one tab", report.wrongFields},
                             {"empty name", report.emptyNames},
                             {"name too long", report.longNames},
                             {"not valid UTF-8, or a control character", report.invalidText}});
    if (!bad.empty()) {
        console.warning(fmt::format("{}: {} skipped: {}", name,
                                    counted(report.badLines(), "bad line", "bad lines"), bad));
    }
    const std::string selfPairs =
        report::reasonsText({{"pairs of a node with itself are left out:", report.selfPairs}});
    if (!selfPairs.empty()) {
        console.note(fmt::format("{}: {}", name, selfPairs));
    }
    if (report.namesWithBlanks > 0) {
        console.note(fmt::format("{}: blanks in names are written as underscores ({})", name,
                                 counted(report.namesWithBlanks, "node", "nodes")));
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
