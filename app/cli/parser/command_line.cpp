#include "app/cli/parser/command_line.h"

#include <algorithm>
#include <array>
#include <deque>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "app/cli/commands/preparation.h"
#include "app/cli/parser/typed_options.h"
#include "core/base/error.h"
#include "core/document/session.h"
#include "core/release/policies.h"

namespace epsilens::cli {
namespace {

struct Command {
    const char* name;
    const char* description;
    /// Adds the options. After TypedOptions::finish its part of the arguments is valid as far as
    /// that can be known without reading a file.
    void (*addOptions)(TypedOptions& options, Arguments& arguments);
    RunCommand run;
    bool isShared = false;  ///< whether several processes can run it together
};

template <auto Options, auto Add, auto Run>
constexpr Command commandOf(const char* name, const char* description, bool isShared = false) {
    return {name, description,
            [](TypedOptions& options, Arguments& arguments) {
                Add(options, arguments.general, arguments.*Options);
            },
            [](const Arguments& arguments, const CommandContext& context) {
                return Run(arguments.*Options, context);
            },
            isShared};
}

constexpr std::array kCommands{
    commandOf<&Arguments::info, addInfo, runInfo>("info", "describe an embedding file"),
    commandOf<&Arguments::compare, addCompare, runCompare>(
        "compare", "compare mechanisms where they keep the same share of words"),
    commandOf<&Arguments::calibrate, addCalibrate, runCalibrate>(
        "calibrate", "measure N_w, S_w and more on a grid of epsilon and lambda", true),
    commandOf<&Arguments::recommend, addRecommend, runRecommend>(
        "recommend", "find the largest epsilon within limits, for each lambda, gamma or beta",
        true),
    commandOf<&Arguments::sample, addSample, runSample>(
        "sample", "show seeded substitutions of a text (not for release)"),
    commandOf<&Arguments::sanitize, addSanitize, runSanitize>(
        "sanitize", "replace the words of a text for release, with fresh randomness"),
    commandOf<&Arguments::guarantee, addGuarantee, runGuarantee>(
        "guarantee", "state what a setting guarantees: constant, metric, odds for pairs of words"),
    commandOf<&Arguments::evaluate, addEvaluate, runEvaluate>(
        "evaluate",
        "measure what perturbed texts are still good for, and what attackers learn from them",
        true),
    commandOf<&Arguments::trainPoincare, addTrainPoincare, runTrainPoincare>(
        "train-poincare", "train Poincaré vectors from is-a pairs"),
    commandOf<&Arguments::report, addReport, runReport>(
        "report", "write a report about a calibration or session"),
    commandOf<&Arguments::verify, addVerify, runVerify>(
        "verify", "repeat the run of a calibration, evaluation, report or session and compare")};

/// Error message for a missing or unknown command; it lists the commands.
std::string commandProblem(std::span<char*> words, bool isForTeam) {
    const std::string typed = words.size() > 1 ? words[1] : "";
    std::vector<std::string_view> names;
    for (const Command& command : kCommands) {
        if (command.isShared || !isForTeam) {
            names.emplace_back(command.name);
        }
    }
    return fmt::format("{}: {}",
                       typed.empty() || typed.front() == '-'
                           ? "a command is required"
                           : fmt::format("unknown command \"{}\"", typed),
                       alternatives(names));
}

Error usageError(const std::string& problem, const std::string& program,
                 const std::string& command) {
    return invalidArgument(
        fmt::format("{}; see {} {}--help", problem, program, command.empty() ? "" : command + " "));
}

constexpr const char* kExamples =
    "Examples:\n  epsilens-cli info sample\n  epsilens-cli calibrate sample --words 200\n"
    "  epsilens-cli sample --text \"the quick brown fox\"\n"
    "Run epsilens-cli COMMAND --help for the options of a command.";
constexpr const char* kTeamExamples =
    "Each process opens the embedding; the first one writes the results, which are those of "
    "epsilens-cli.\n"
    "MPI does not encrypt what the processes send each other: counts and scores of single words "
    "and texts. Use a network that you trust.\n"
    "Examples:\n  epsilens-cli calibrate vectors.txt.gz --words all --format json -o "
    "calibration.json\n"
    "Run epsilens-mpi COMMAND --help for the options of a command.";

/// What an option takes, in words.
const char* expectedValues(const CLI::Option& option) {
    const int least = option.get_items_expected_min();
    const int most = option.get_items_expected_max();
    return most == 0       ? "takes no value"
           : least != most ? "takes one value or more"
                           : "takes one value, once";
}

/// What is wrong with what was typed, in words of this program.
std::string problemText(const CLI::ParseError& problem, const CLI::App& command) {
    if (dynamic_cast<const CLI::ExtrasError*>(&problem) != nullptr) {
        const std::vector<std::string> extras = command.remaining(true);
        const auto option = std::ranges::find_if(
            extras, [](const auto& extra) { return extra.size() > 1 && extra.front() == '-'; });
        if (option != extras.end()) {
            return fmt::format("this command has no option {}", *option);
        }
        if (!extras.empty()) {
            return fmt::format("the argument \"{}\" is one too many", extras.front());
        }
    }
    const std::string message = problem.what();
    const CLI::Option* option =
        command.get_option_no_throw(message.substr(0, message.find_first_of(": ")));
    return option == nullptr || dynamic_cast<const CLI::RequiredError*>(&problem) != nullptr
               ? message
               : fmt::format("{}: {}", option->get_name(), expectedValues(*option));
}

/// isComplete  whether values that are not typed have their final defaults
CommandLine parse(std::span<char*> typed, bool isForTeam, const Arguments& defaults,
                  bool isComplete) {
    CommandLine line{.typed = typed, .isForTeam = isForTeam, .arguments = defaults};
    CLI::App app(isForTeam ? "Calibrates metric differential privacy for text by several processes."
                           : "Calibrates metric differential privacy for text.",
                 isForTeam ? "epsilens-mpi" : "epsilens-cli");
    app.set_help_flag("-h,--help", "show this help and exit");
    app.set_version_flag("--version", versionText(app.get_name()), "show the version and exit");
    app.get_formatter()->label("SUBCOMMAND", "COMMAND");
    app.require_subcommand(1);
    app.footer(isForTeam ? kTeamExamples : kExamples);
    std::deque<TypedOptions> options;
    std::vector<RunCommand> runs;
    for (const Command& command : kCommands) {
        if (isForTeam && !command.isShared) {
            continue;
        }
        runs.push_back(command.run);
        CLI::App& subcommand = *app.add_subcommand(command.name, command.description);
        subcommand.group("Commands");
        command.addOptions(options.emplace_back(subcommand), line.arguments);
    }
    try {
        app.parse(static_cast<int>(typed.size()), typed.data());
    } catch (const CLI::CallForHelp&) {
        line.text = app.help();
        // The library leaves an empty line for a section of which all is hidden.
        for (std::size_t gap = 0; (gap = line.text.find("\n\n\n")) != std::string::npos;) {
            line.text.erase(gap, 1);
        }
        return line;
    } catch (const CLI::CallForVersion& version) {
        line.text = std::string(version.what()) + "\n";
        return line;
    } catch (const CLI::ParseError& problem) {
        const auto commands = app.get_subcommands();
        line.command = commands.empty() ? std::string() : commands.front()->get_name();
        line.problem = usageError(commands.empty() ? commandProblem(typed, isForTeam)
                                                   : problemText(problem, *commands.front()),
                                  app.get_name(), line.command);
        return line;
    }
    line.command = app.get_subcommands().front()->get_name();
    for (std::size_t i = 0; i < runs.size(); ++i) {
        if (line.command == options[i].command()) {
            line.run = runs[i];
            line.problem = options[i].emptyValue();
            if (!line.problem && (isComplete || line.arguments.general.sessionPath.empty())) {
                line.problem = options[i].finish();
            }
        }
    }
    return line;
}

MeasuredWords measuredWords(const document::Session& session, const GeneralOptions& typed,
                            const DataOption& typedData) {
    MeasuredWords measured;
    measured.data.letterCase = session.letterCase;
    if (!typedData.records.path.empty()) {
        return measured;
    }
    const calibration::WordSelection& words = session.grid.words;
    WordsOption& option = measured.words;
    option.isGiven = true;
    switch (words.kind) {
        case calibration::WordSelection::Kind::all:
            option.kind = WordsOption::Kind::all;
            break;
        case calibration::WordSelection::Kind::random:
            option.count = words.count;
            break;
        case calibration::WordSelection::Kind::list:
            option.kind = WordsOption::Kind::rows;
            option.rows = words.rows;
            // They may be other words in an embedding that was typed.
            if (typed.load.path.empty()) {
                option.rowsFrom = session.wordsFrom;
            }
            break;
    }
    return measured;
}

/// Values of a session as defaults of a command line.
///
/// typed  the same command line, as far as it was read without the session: an embedding that is
///        typed may differ from that of the session, and a data set has words of its own
Result<Arguments> valuesOf(const document::Session& session, const Arguments& typed) {
    Arguments values;
    values.general.seed = session.grid.seed;
    if (session.embedding && typed.general.load.path.empty()) {
        // It must be unchanged.
        const document::SessionEmbedding& embedding = *session.embedding;
        values.general.load = embedding.load;
        ASSIGN_OR_RETURN(values.general.load.path,
                         document::firstExisting(
                             document::embeddingPlaces(embedding, typed.general.sessionPath)));
        ASSIGN_OR_RETURN(values.general.load.vocabularyPath,
                         document::firstExisting({embedding.load.vocabularyPath}));
        values.general.expectedSha256 = embedding.sha256;
    }
    values.calibrate.run = session.grid;
    values.calibrate.run.grid = usedValues(session.grid.grid);
    values.calibrate.measured =
        measuredWords(session, typed.general, typed.calibrate.measured.data);
    // A search finds epsilon itself and counts no deniability.
    calibration::CalibrationOptions& searched = values.recommend.search.calibration;
    searched = values.calibrate.run;
    searched.grid.epsilons.clear();
    searched.deniabilityOdds.reset();
    values.recommend.search.limits = session.report.limits;
    values.recommend.measured =
        measuredWords(session, typed.general, typed.recommend.measured.data);
    mechanism::Grid current = usedValues(mechanism::Grid::of(session.current.mechanism));
    current.epsilons = {session.current.epsilon};
    values.sample.grid = current;
    values.guarantee.grid = current;
    values.sanitize.grid = current;
    values.sanitize.policies.letterCase = session.letterCase;
    // A policy that --unknown does not have is ignored, as in the window.
    if (const auto unknown = release::parseUnknownPolicy(session.report.unknownWords)) {
        values.sanitize.policies.unknown = *unknown;
    }
    return values;
}

}  // namespace

CommandLine parseCommandLine(std::span<char*> typed, bool isForTeam) {
    return parse(typed, isForTeam, {}, false);
}

Result<void> completeBySession(CommandLine& line, const std::stop_token& stop) {
    const std::string path = line.arguments.general.sessionPath;
    if (path.empty()) {
        return {};
    }
    ASSIGN_OR_RETURN(const auto session, document::openSession(path, stop));
    if (line.command == "sanitize") {
        RETURN_IF_ERROR(document::checkReleasable(session).map_error(inFile(path)));
    }
    ASSIGN_OR_RETURN(const auto values, valuesOf(session, line.arguments));
    line = parse(line.typed, line.isForTeam, values, true);
    return line.problem ? Result<void>(tl::unexpected(*line.problem)) : Result<void>();
}

}  // namespace epsilens::cli
