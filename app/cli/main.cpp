#include <csignal>
#include <cstdlib>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include <unistd.h>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "app/cli/commands/calibrate.h"
#include "app/cli/commands/command.h"
#include "app/cli/commands/guarantee.h"
#include "app/cli/commands/info.h"
#include "app/cli/commands/sample.h"
#include "app/cli/commands/train_poincare.h"
#include "app/cli/console.h"
#include "app/cli/exit_codes.h"
#include "app/cli/general_options.h"
#include "app/cli/interrupt.h"
#include "app/cli/output.h"
#include "core/report/error_json.h"
#include "core/report/run_description.h"

namespace epsilens::cli {
namespace {

/// Everything that can be typed.
struct Arguments {
    GeneralArguments general{};
    InfoArguments info{};
    CalibrateArguments calibrate{};
    GuaranteeArguments guarantee{};
    SampleArguments sample{};
    TrainPoincareArguments trainPoincare{};
};

std::string versionText() {
    return fmt::format("epsilens-cli {}", report::programVersion());
}

void addValue(CLI::App& command, const char* name, std::string& target, const char* type,
              const char* meaning) {
    command.add_option(name, target, meaning)->type_name(type);
}

/// Options of every command.
void addRun(CLI::App& command, GeneralArguments& general) {
    addValue(command, "-o,--output", general.outputPath, "FILE",
             "write the results to this file instead of standard output");
    addValue(command, "--threads", general.threads, "N", "threads to use (default 0: all)");
    addValue(command, "--seed", general.seed, "N", "same seed, same numbers (default 1)");
    command.add_flag("--quiet", general.quiet, "no notes, warnings and progress");
    command.add_flag("--progress", general.progress, "show progress also without a terminal");
    command.add_flag("--strict", general.strict,
                     "stop at the first bad row instead of skipping it");
    command.set_version_flag("--version", versionText());
}

/// Options of every command that opens an embedding.
void addGeneral(CLI::App& command, GeneralArguments& general) {
    addValue(command, "EMBEDDING", general.embedding, "",
             "embedding file, - for standard input, or a built-in one: sample (default) or "
             "sample-poincare");
    addRun(command, general);
    command.add_flag("--yes", general.yes, "go on when the work will take more than an hour");
    addValue(command, "--format", general.format, "NAME", "text (default), json or csv");
    addValue(command, "--input-format", general.inputFormat, "NAME",
             "auto (default), glove, word2vec-text, word2vec-binary or fasttext");
    addValue(command, "--limit-rows", general.limitRows, "N", "load only the first N rows");
    addValue(command, "--vocabulary", general.vocabularyPath, "FILE",
             "keep only the words of this file (a word a line)");
}

void addList(CLI::App& command, const char* name, std::vector<std::string>& target,
             const char* meaning) {
    command.add_option(name, target, meaning)->expected(1)->take_all()->type_name("LIST");
}

void addMechanism(CLI::App& command, MechanismArguments& mechanism) {
    addValue(command, "--mechanism", mechanism.mechanism, "NAME",
             "laplace, mahalanobis (default) or tem");
    addList(command, "--epsilon", mechanism.epsilons,
            "list such as 1,5,10 or range 1..40x9 (log spacing); default: from the data");
    addList(command, "--lambda", mechanism.lambdas,
            "shape of the noise, 0 to 1: list such as 0,0.5,1 or range 0..1x5");
    addValue(command, "--metric", mechanism.metric, "NAME",
             "of tem: euclidean (default), mahalanobis, angular or poincare");
    addList(command, "--gamma", mechanism.gammas,
            "of tem: radius beyond which all words are equally likely, list or range");
    addList(command, "--beta", mechanism.betas,
            "of tem: probability to leave the radius that follows from it (default 0.001)");
    addValue(command, "--noise", mechanism.noise, "NAME",
             "of hyperbolic: riemannian (default, epsilon above m - 1) or eq7");
    addValue(command, "--placement", mechanism.placement, "NAME",
             "of hyperbolic: mobius (default) or additive, which guarantees nothing");
}

void addData(CLI::App& command, DataArguments& data, const char* meaning) {
    addValue(command, "--data", data.path, "FILE", meaning);
    addValue(command, "--column", data.column, "C",
             "column of the data set that holds the text: a name in its first line, or a number "
             "from 1 when that line is a record too");
    addValue(command, "--data-format", data.format, "NAME",
             "auto (default: by the ending, then the first line), lines, tsv or csv");
}

void addInfo(CLI::App& app, Arguments& arguments) {
    CLI::App& command = *app.add_subcommand("info", "what an embedding file is");
    command.group("Commands");
    addGeneral(command, arguments.general);
    command.add_flag("--density", arguments.info.density,
                     "also the distance of every word to its nearest neighbour, with the sparsest "
                     "and densest words");
    addData(command, arguments.info.data,
            "with --density: how often the sparsest words occur in the records of this data set, "
            "and the same profile over the words that occur in it");
    command.footer(
        "Example:\n  epsilens-cli info vectors.txt.gz --format json\n"
        "  epsilens-cli info vectors.txt.gz --density --data tweets.csv --column text");
}

void addCalibrate(CLI::App& app, Arguments& arguments) {
    CLI::App& command =
        *app.add_subcommand("calibrate", "N_w, S_w and the rest on a grid of epsilon and lambda");
    CalibrateArguments& calibrate = arguments.calibrate;
    command.group("Commands");
    addGeneral(command, arguments.general);
    addMechanism(command, calibrate.mechanism);
    addValue(command, "--words", calibrate.words, "WORDS",
             "words to measure: all, a number of random ones, @file, sparsest:N or densest:N by "
             "the distance to the nearest neighbour (default 500)");
    addData(command, calibrate.data,
            "measure only words that occur in the records of this data set: --words then chooses "
            "among them; the vocabulary that words are replaced from stays whole");
    addValue(command, "--draws", calibrate.draws, "R", "repetitions per word (default 100)");
    addValue(command, "--near", calibrate.nearNeighbours, "K",
             "neighbours that count as near (default 100)");
    addValue(command, "--per-word", calibrate.perWordPath, "FILE",
             "also write the values of every word to this CSV file");
    command.footer(
        "Example:\n  epsilens-cli calibrate vectors.txt.gz --mechanism mahalanobis "
        "--epsilon 1,5,10,20,40 \\\n      --lambda 0..1x5 --words 500 --draws 100 --seed 1 "
        "--format json -o calibration.json");
}

void addSample(CLI::App& app, Arguments& arguments) {
    CLI::App& command = *app.add_subcommand(
        "sample", "seeded substitutions of a text, for looking at (not for release)");
    SampleArguments& sample = arguments.sample;
    command.group("Commands");
    addGeneral(command, arguments.general);
    addMechanism(command, sample.mechanism);
    command.add_option("--text", sample.text, "the text (default: standard input)");
    addValue(command, "--draws", sample.draws, "R", "sampled texts to show (default 5)");
    addValue(command, "--top", sample.top, "K",
             "most frequent outputs to list for each word, 0 for none (default 5)");
    addValue(command, "--near", sample.nearNeighbours, "K",
             "neighbours that count as near (default 100)");
    command.footer(
        "Example:\n  epsilens-cli sample --text \"the quick brown fox\" --mechanism mahalanobis "
        "--lambda 0.5 \\\n      --epsilon 5,20 --draws 3 --top 5 --seed 1");
}

void addTrainPoincare(CLI::App& app, Arguments& arguments) {
    CLI::App& command =
        *app.add_subcommand("train-poincare", "is-a pairs to Poincaré vectors in word2vec text");
    TrainPoincareArguments& train = arguments.trainPoincare;
    command.group("Commands");
    command
        .add_option("PAIRS", train.pairs,
                    "file with a child, a tab and a parent in every line, - for standard input")
        ->type_name("")
        ->required();
    addRun(command, arguments.general);
    addValue(command, "--dimensions", train.dimensions, "M", "of the vectors (default 10)");
    addValue(command, "--epochs", train.epochs, "N",
             "passes over the pairs, after the burn-in (default 50)");
    addValue(command, "--negatives", train.negatives, "K",
             "nodes that each pair is set against (default 10)");
    addValue(command, "--rate", train.rate, "RATE", "learning rate (default 0.3)");
    addValue(command, "--burn-in", train.burnIn, "N",
             "passes at a tenth of the rate to begin with (default 10)");
    command.add_flag("--evaluate", train.evaluate,
                     "also measure mean rank and MAP of the reconstruction of the pairs");
    command.footer(
        "Example:\n  epsilens-cli train-poincare mammals.tsv --dimensions 5 --epochs 100 "
        "--negatives 10 \\\n      --rate 0.3 --burn-in 10 --seed 1 -o mammals.vec");
}

void addGuarantee(CLI::App& app, Arguments& arguments) {
    CLI::App& command = *app.add_subcommand(
        "guarantee", "the real guarantee of a setting: constant, metric, odds for words and texts");
    GuaranteeArguments& guarantee = arguments.guarantee;
    command.group("Commands");
    addGeneral(command, arguments.general);
    addMechanism(command, guarantee.mechanism);
    command
        .add_option("--pair", guarantee.pairs, "two words whose odds to tell, may be given often")
        ->expected(1)
        ->take_all()
        ->type_name("WORD,WORD");
    command
        .add_option("--sentences", guarantee.sentences,
                    "two files, each with a text; the texts have equally many words")
        ->expected(2)
        ->type_name("FILE");
    addValue(command, "--odds", guarantee.odds, "G",
             "tell the distance within which odds change by at most G (default 2)");
    command.footer(
        "Example:\n  epsilens-cli guarantee --mechanism mahalanobis --epsilon 5,20 --lambda 0.5 "
        "\\\n      --pair paris,london --pair doctor,nurse");
}

/// The format asked for, readable even when the rest of the command line is not.
bool asksForJson(int argc, char** argv) {
    bool json = false;
    for (int i = 1; i < argc; ++i) {
        const std::string_view argument = argv[i];
        if (argument == "--format" && i + 1 < argc) {
            json = std::string_view(argv[i + 1]) == "json";
        } else if (argument.substr(0, 9) == "--format=") {
            json = argument.substr(9) == "json";
        }
    }
    return json;
}

int reportError(const Error& error, bool json, Console& console) {
    std::string message = error.message;
    if (!error.file.empty() && message.find(error.file) == std::string::npos) {
        message = error.line > 0 ? fmt::format("{}:{}: {}", error.file, error.line, message)
                                 : fmt::format("{}: {}", error.file, message);
    }
    const ExitCode code = exitCodeOf(error.code);
    console.error(message);
    if (json) {
        // A standard output that cannot take the message is not worth a second one.
        [[maybe_unused]] const auto written =
            writeAll(STDOUT_FILENO, report::errorJson(error, code), "standard output");
    }
    return code;
}

Result<CommandResult> runCommand(std::string_view name, const Arguments& arguments,
                                 const CommandContext& context) {
    if (name == "calibrate") {
        return runCalibrate(arguments.calibrate, context);
    }
    if (name == "guarantee") {
        return runGuarantee(arguments.guarantee, context);
    }
    if (name == "sample") {
        return runSample(arguments.sample, context);
    }
    if (name == "train-poincare") {
        return runTrainPoincare(arguments.trainPoincare, context);
    }
    return runInfo(arguments.info, context);
}

/// From checked arguments to written results; nothing that fails leaves as an exception.
Result<CommandResult> runGuarded(std::string_view name, const Arguments& arguments,
                                 Console& console) {
    const auto general = parseGeneral(arguments.general);
    if (!general) {
        return tl::unexpected(general.error());
    }
    const auto output = Output::open(arguments.general.outputPath);
    if (!output) {
        return tl::unexpected(output.error());
    }
    const InterruptWatcher interrupts;
    try {
        auto result = runCommand(name, arguments, {*general, console, interrupts.token()});
        if (result) {
            if (const auto written = output->write(result->text); !written) {
                return tl::unexpected(written.error());
            }
        }
        return result;
    } catch (const std::bad_alloc&) {
        return fail(ErrorCode::resourceLimit, "out of memory");
    } catch (const std::exception& exception) {
        return fail(ErrorCode::internal, fmt::format("internal error: {}", exception.what()));
    }
}

int run(std::string_view name, const Arguments& arguments, bool json) {
    Console console;
    console.setQuiet(arguments.general.quiet);
    console.forceProgress(arguments.general.progress);
    const auto result = runGuarded(name, arguments, console);
    if (!result) {
        const int code = reportError(result.error(), json, console);
        if (result.error().code == ErrorCode::resourceLimit) {
            // Where memory ended, a thread of OpenBLAS may ask for it for ever, and an ordinary end
            // waits for that thread. Everything is written.
            std::_Exit(code);
        }
        return code;
    }
    if (result->interrupted) {
        console.warning("interrupted: the results are partial");
        return kInterrupted;
    }
    return kDone;
}

/// What is wrong when no command was recognised, in words that name the commands.
std::string commandProblem(int argc, char** argv) {
    const std::string typed = argc > 1 ? argv[1] : "";
    const std::string problem = typed.empty() || typed.front() == '-'
                                    ? "a command is required"
                                    : fmt::format("unknown command \"{}\"", typed);
    return problem + ": info, calibrate, sample, guarantee or train-poincare";
}

int usageError(const std::string& problem, const std::string& command, bool json) {
    const std::string help = command.empty() ? "" : command + " ";
    Console console;
    return reportError(
        {ErrorCode::invalidArgument, fmt::format("{}; see epsilens-cli {}--help", problem, help)},
        json, console);
}

int printed(const std::string& text) {
    const auto written = writeAll(STDOUT_FILENO, text, "standard output");
    Console console;
    return written ? static_cast<int>(kDone) : reportError(written.error(), false, console);
}

int parseAndRun(int argc, char** argv) {
    Arguments arguments;
    CLI::App app("Calibrates metric differential privacy for text.", "epsilens-cli");
    app.set_version_flag("--version", versionText());
    app.get_formatter()->label("SUBCOMMAND", "COMMAND");
    app.require_subcommand(1);
    addInfo(app, arguments);
    addCalibrate(app, arguments);
    addSample(app, arguments);
    addGuarantee(app, arguments);
    addTrainPoincare(app, arguments);
    app.footer(
        "Examples:\n  epsilens-cli info sample\n  epsilens-cli calibrate sample --words 200\n"
        "  epsilens-cli sample --text \"the quick brown fox\"\n"
        "epsilens-cli COMMAND --help explains the options of a command.");
    const bool json = asksForJson(argc, argv);
    try {
        app.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
        return printed(app.help());
    } catch (const CLI::CallForVersion& version) {
        return printed(std::string(version.what()) + "\n");
    } catch (const CLI::ParseError& problem) {
        const auto commands = app.get_subcommands();
        return commands.empty() ? usageError(commandProblem(argc, argv), {}, json)
                                : usageError(problem.what(), commands.front()->get_name(), json);
    }
    return run(app.get_subcommands().front()->get_name(), arguments, json);
}

}  // namespace
}  // namespace epsilens::cli

int main(int argc, char** argv) try {
    // A reader that goes away, or a limit of the size of files, makes the write fail, which is
    // reported; the signals would kill.
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
    epsilens::cli::reserveStandardStreams();
    return epsilens::cli::parseAndRun(argc, argv);
} catch (...) {
    // Out of memory before a command began: formatting a message would fail as well.
    constexpr std::string_view kMessage = "error: out of memory\n";
    [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, kMessage.data(), kMessage.size());
    std::_Exit(epsilens::cli::kFailed);
}
