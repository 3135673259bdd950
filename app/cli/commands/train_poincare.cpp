#include "app/cli/commands/train_poincare.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

#include <fmt/format.h>

#include "app/cli/commands/mechanism_options.h"
#include "core/base/numbers.h"
#include "core/base/pass_on.h"
#include "core/embedding/word2vec_text_writer.h"
#include "core/training/is_a_graph.h"
#include "core/training/poincare_training.h"
#include "core/training/reconstruction.h"

namespace epsilens::cli {
namespace {

using embedding::SkippedRows;
using training::IsAList;
using training::IsAReport;
using training::PoincareOptions;
using training::PoincareTraining;
using training::Row;

constexpr std::size_t kShownNodes = 5;

Result<double> parseRate(const std::string& typed, double fallback) {
    if (typed.empty()) {
        return fallback;
    }
    auto rate = parseNumber(typed, "--rate");
    if (rate && !(*rate > 0.0 && *rate <= PoincareOptions::kHighestRate)) {
        return fail(ErrorCode::invalidArgument,
                    fmt::format("--rate: {} is not above 0 and at most {}", formatNumber(*rate),
                                formatNumber(PoincareOptions::kHighestRate)));
    }
    return rate;
}

Result<PoincareOptions> parseOptions(const TrainPoincareArguments& arguments,
                                     const GeneralOptions& general) {
    struct Count {
        const std::string& typed;
        std::string_view option;
        int lowest;
        int highest;
        int PoincareOptions::*target;
    };
    PoincareOptions options;
    for (const Count& count :
         {Count{arguments.dimensions, "--dimensions", 1, PoincareOptions::kMostDimensions,
                &PoincareOptions::dimensions},
          Count{arguments.epochs, "--epochs", 1, PoincareOptions::kMostEpochs,
                &PoincareOptions::epochs},
          Count{arguments.negatives, "--negatives", 1, PoincareOptions::kMostNegatives,
                &PoincareOptions::negatives},
          Count{arguments.burnIn, "--burn-in", 0, PoincareOptions::kMostEpochs,
                &PoincareOptions::burnIn}}) {
        ASSIGN_OR_RETURN(const auto value, parseCount(count.typed, count.option, count.lowest,
                                                      count.highest, options.*count.target));
        options.*count.target = value;
    }
    ASSIGN_OR_RETURN(const auto rate, parseRate(arguments.rate, options.rate));
    options.rate = rate;
    options.seed = general.seed;
    options.threads = general.threads;
    return options;
}

std::string positionsText(const SkippedRows& lines) {
    std::string text;
    for (const std::int64_t line : lines.firstPositions) {
        text += fmt::format("{}{}", text.empty() ? "" : ", ", formatCount(line));
    }
    if (lines.count > static_cast<std::int64_t>(lines.firstPositions.size())) {
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
        formatCount(static_cast<std::int64_t>(list.pairs.size())), formatCount(list.nodes.size()),
        formatCount(report.badLines()), formatCount(report.selfPairs.count),
        formatCount(report.duplicates.count), formatCount(cycles.groups)));
}

void summarise(const PoincareTraining& training, const PoincareOptions& options, Console& console) {
    console.note(fmt::format(
        "{} of {} epochs after {} of burn-in in {:.2f} s: {} relations/s, final loss {}",
        formatCount(training.epochs), formatCount(options.epochs), formatCount(options.burnIn),
        training.seconds, formatCount(static_cast<std::int64_t>(training.relationsPerSecond())),
        formatSignificant(training.finalLoss(), 4)));
}

/// Measures and reports how well the vectors, as they will be written, reconstruct the pairs.
Result<void> evaluate(const IsAList& list, const RowMatrixF& vectors,
                      const CommandContext& context) {
    ASSIGN_OR_RETURN(const auto quality,
                     training::reconstruct(list, vectors.cast<double>(), context.general.threads,
                                           context.console.job(context.stop)));
    context.console.note(fmt::format("reconstruction: mean rank {}, MAP {}",
                                     formatSignificant(quality.meanRank, 4),
                                     formatSignificant(quality.meanAveragePrecision, 4)));
    return {};
}

Result<IsAList> readList(const std::string& path, const CommandContext& context) {
    training::IsAReadOptions options;
    options.path = path;
    options.strict = context.general.load.strict;
    auto list = readIsAPairs(options, context.console.job(context.stop));
    context.console.finishProgress();
    return list;
}

}  // namespace

Result<CommandResult> runTrainPoincare(const TrainPoincareArguments& arguments,
                                       const CommandContext& context) {
    ASSIGN_OR_RETURN(const auto options, parseOptions(arguments, context.general));
    ASSIGN_OR_RETURN(const auto list, readList(arguments.pairs, context));
    const std::string name = arguments.pairs == "-"
                                 ? "standard input"
                                 : std::filesystem::path(arguments.pairs).filename().string();
    announce(name, list, context.console);
    const auto training = trainPoincare(list, options, context.console.job(context.stop));
    context.console.finishProgress();
    if (!training) {
        return tl::unexpected(training.error());
    }
    summarise(*training, options, context.console);
    const RowMatrixF vectors = training->vectors.cast<float>();
    bool interrupted = training->partial;
    if (arguments.evaluate && !interrupted) {
        const auto done = evaluate(list, vectors, context);
        // Training may have taken hours: a cancelled evaluation must not lose the vectors.
        interrupted = !done && done.error().code == ErrorCode::cancelled;
        if (!done && !interrupted) {
            return tl::unexpected(done.error());
        }
    }
    return CommandResult{embedding::word2vecText(list.nodes, vectors), interrupted};
}

}  // namespace epsilens::cli
