#include "app/cli/command_line.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "core/calibration/run_description.h"

namespace epsilens::cli {
namespace {

std::string versionText() {
    return fmt::format("epsilens-cli {}", calibration::programVersion());
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
    addValue(command, "--session", general.session, "FILE",
             "take what is not typed from a session: embedding, seed and the command's settings");
}

void addPolicy(CLI::App& command, const char* name, std::optional<std::string>& target,
               const char* meaning) {
    command.add_option(name, target, meaning)->type_name("POLICY");
}

void addList(CLI::App& command, const char* name, std::vector<std::string>& target,
             const char* meaning) {
    command.add_option(name, target, meaning)->expected(1)->take_all()->type_name("LIST");
}

void addMechanism(CLI::App& command, MechanismArguments& mechanism) {
    addValue(command, "--mechanism", mechanism.mechanism, "NAME",
             "laplace, mahalanobis (default), tem or hyperbolic");
    addList(
        command, "--epsilon", mechanism.epsilons,
        "list such as 1,5,10 or range 1..40x9 (log spacing, to 6 digits); default: from the data");
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

/// By which words are looked up.
void addCase(CLI::App& command, std::optional<std::string>& target, const std::string& meaning) {
    addPolicy(command, "--case", target,
              (meaning + ": auto (default: lower if under 1 % of the vocabulary has capitals), "
                         "keep or lower")
                  .c_str());
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

/// Options of the commands that measure words.
void addMeasuredWords(CLI::App& command, RunArguments& run) {
    addMechanism(command, run.mechanism);
    addValue(command, "--words", run.words, "WORDS",
             "words to measure: all, a number of random ones, @file, sparsest:N or densest:N by "
             "the distance to the nearest neighbour (default 500)");
    addData(command, run.data,
            "measure only words that occur in the records of this data set: --words then chooses "
            "among them; the vocabulary that words are replaced from stays whole");
    addCase(command, run.data.letterCase, "looking words of the data set up");
    addValue(command, "--draws", run.draws, "R", "repetitions per word (default 100)");
    addValue(command, "--near", run.nearNeighbours, "K",
             "neighbours that count as near (default 100)");
    command.add_flag("--independent-draws", run.independentDraws,
                     "draws of its own for every word, at most 2,000 words: makes K_w available");
}

void addRecommend(CLI::App& app, Arguments& arguments) {
    CLI::App& command = *app.add_subcommand(
        "recommend",
        "the largest epsilon within limits, per lambda or gamma, and the best of them");
    RecommendArguments& recommend = arguments.recommend;
    command.group("Commands");
    addGeneral(command, arguments.general);
    addMeasuredWords(command, recommend.run);
    command
        .add_option("--limit", recommend.limits,
                    "STATISTIC.AGGREGATE<=VALUE or >=VALUE, may be given often: nw, sw, kept, "
                    "near, far, minEntropy, shannonEntropy or kw; mean, min, max, p1, p5, p25, "
                    "p50, p75, p95 or p99; % is a share of the draws (default nw.p95<=50% and "
                    "sw.p5>=20)")
        ->expected(1)
        ->take_all()
        ->type_name("LIMIT");
    addValue(command, "--objective", recommend.objective, "NAME",
             "what is best: distance (default), cosine or changed");
    command.footer(
        "--epsilon bounds the search to its least and largest value.\n"
        "Example:\n  epsilens-cli recommend vectors.txt.gz --lambda 0..1x5 "
        "--limit 'nw.p95<=50%' \\\n      --limit 'sw.p5>=20' --objective cosine");
}

void addCalibrate(CLI::App& app, Arguments& arguments) {
    CLI::App& command =
        *app.add_subcommand("calibrate", "N_w, S_w and the rest on a grid of epsilon and lambda");
    CalibrateArguments& calibrate = arguments.calibrate;
    command.group("Commands");
    addGeneral(command, arguments.general);
    addMeasuredWords(command, calibrate.run);
    addValue(command, "--deniability", calibrate.deniability, "G",
             "also the number of words within odds G of each output; sampled only with "
             "--independent-draws and --draws of 1000 or more, exact for tem");
    command.add_flag("--rerun-worst", calibrate.rerunWorst,
                     "also count the 20 words of largest N_w of every setting again, with 10,000 "
                     "fresh draws each");
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

void addSanitize(CLI::App& app, Arguments& arguments) {
    CLI::App& command = *app.add_subcommand(
        "sanitize", "text in, text out, for release: processes every word, never from a seed");
    SanitizeArguments& sanitize = arguments.sanitize;
    command.group("Commands");
    addGeneral(command, arguments.general);
    command.get_option("--seed")->group("");
    command.get_option("--format")->group("");
    command.get_option("EMBEDDING")
        ->description(
            "embedding file, - for standard input, or a built-in one: sample or sample-poincare; "
            "must be given, here or by --session");
    command.get_option("--quiet")->description(
        "no notes and progress; what is left unprotected is said all the same");
    addMechanism(command, sanitize.mechanism);
    command.get_option("--epsilon")->description("privacy parameter, one value; must be given");
    addValue(command, "--text-file", sanitize.textPath, "FILE",
             "the text, UTF-8 (default -: standard input)");
    addPolicy(command, "--unknown", sanitize.unknown,
              "words that the vocabulary does not have: mask (default), random, drop or keep, "
              "which leaves them unprotected");
    command.add_option("--mask", sanitize.mask,
                       "what stands in for masked words (default <unk>); no line separators");
    addCase(command, sanitize.letterCase, "looking words up");
    addValue(command, "--stop-words", sanitize.stopWordsPath, "FILE",
             "leave the words of this file (a word a line) as they are, unprotected");
    addValue(command, "--sidecar", sanitize.sidecarPath, "FILE",
             "write settings, counts and guarantee to this file, as JSON and without any text");
    command.add_flag("--no-guarantee", sanitize.withoutGuarantee,
                     "release also with a mechanism that guarantees nothing, such as hyperbolic "
                     "noise with additive placement");
    command.footer(
        "Every word occurrence gets noise of its own from the operating system's random numbers.\n"
        "Words are letters, numbers and symbols (+, €, emoji), all but spacing and punctuation.\n"
        "Not protected: the number and order of words, which of them are unknown or stop words, "
        "spacing,\npunctuation and letter case. Floating point: noise has 53 significant bits and "
        "the nearest word\nis decided in float64; only words come out, never numbers. See Security "
        "in README.md.\n"
        "How many words came out as they went in is told on standard error: it depends on the "
        "text, "
        "so do\nnot publish it.\n"
        "Example:\n  epsilens-cli sanitize vectors.txt.gz --mechanism mahalanobis --lambda 0.5 "
        "--epsilon 20 \\\n      --sidecar released.json < text.txt > released.txt");
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

void addReport(CLI::App& app, Arguments& arguments) {
    CLI::App& command = *app.add_subcommand(
        "report", "a calibration (JSON) or session as a report to read and sign");
    ReportArguments& report = arguments.report;
    command.group("Commands");
    addRun(command, arguments.general);
    command
        .add_option("--from", report.from, "calibration (JSON), report (JSON) or session to report")
        ->type_name("FILE")
        ->required();
    addValue(command, "--format", report.format, "NAME",
             "markdown, html or json (default: by the ending of -o, else markdown)");
    addValue(command, "--epsilon", report.epsilon, "E",
             "the chosen setting, one of the calibrated (default: that of FILE, or the only one)");
    addValue(command, "--lambda", report.lambda, "L", "with --epsilon: which of its settings");
    addValue(command, "--gamma", report.gamma, "G", "with --epsilon: which of its settings");
    command
        .add_option(
            "--limit", report.limits,
            "limit to hold the setting against, such as 'nw.p95<=50%'; where no person chose a "
            "setting, the largest epsilon within all is chosen, which the reason says")
        ->expected(1)
        ->take_all()
        ->type_name("LIMIT");
    addValue(command, "--title", report.title, "TEXT", "heading of the report");
    addValue(command, "--purpose", report.purpose, "TEXT", "what the texts are released for");
    addValue(command, "--author", report.author, "TEXT", "who made the choice");
    addValue(command, "--date", report.date, "TEXT", "date of the report (default: today)");
    addValue(command, "--reason", report.reason, "TEXT", "why this setting");
    addValue(command, "--alternatives", report.alternatives, "TEXT",
             "which other settings were looked at");
    addValue(command, "--trained-on-protected-text", report.trainedOnProtectedText, "ANSWER",
             "whether the embedding was trained on the text to protect: yes or no");
    addValue(command, "--text-source", report.textSource, "TEXT",
             "where the texts to protect come from");
    addPolicy(command, "--unknown", report.unknownWords,
              "what becomes of words that the vocabulary does not have: mask, random, drop or "
              "keep, which leaves them unprotected");
    addValue(command, "--sections", report.sections, "NAMES",
             "only these sections, such as summary,results,plots (default: all)");
    command.footer(
        "Example:\n  epsilens-cli report --from calibration.json --epsilon 10 --lambda 0.5 \\\n"
        "      --limit 'nw.p95<=50%' --author \"A. Analyst\" -o report.html");
}

void addVerify(CLI::App& app, Arguments& arguments) {
    CLI::App& command = *app.add_subcommand(
        "verify", "does the run of a calibration, report or session again and compares");
    command.group("Commands");
    addValue(command, "EMBEDDING", arguments.general.embedding, "",
             "embedding file (default: where the file says, then beside the file)");
    addRun(command, arguments.general);
    addValue(command, "--format", arguments.general.format, "NAME", "text (default), json or csv");
    command
        .add_option("--from", arguments.verify.from,
                    "calibration (JSON), report (JSON) or session to verify")
        ->type_name("FILE")
        ->required();
    command.footer("Example:\n  epsilens-cli verify vectors.txt.gz --from report.json");
}

/// What is wrong when no command was recognised, in words that name the commands.
std::string commandProblem(int argc, char** argv) {
    const std::string typed = argc > 1 ? argv[1] : "";
    const std::string problem = typed.empty() || typed.front() == '-'
                                    ? "a command is required"
                                    : fmt::format("unknown command \"{}\"", typed);
    return problem +
           ": info, calibrate, recommend, sample, sanitize, guarantee, train-poincare, report or "
           "verify";
}

/// The option that was given nothing, where only a text may be empty; null when there is none. A
/// script's unset variable must not pass for an option that was left out.
const CLI::Option* emptyOption(const CLI::App& command) {
    for (const CLI::Option* option : command.get_options()) {
        const auto& values = option->results();
        if (option->get_type_name() != "TEXT" &&
            std::find(values.begin(), values.end(), "") != values.end()) {
            return option;
        }
    }
    return nullptr;
}

}  // namespace

CommandLine parseCommandLine(int argc, char** argv) {
    CommandLine line;
    Arguments& arguments = line.arguments;
    CLI::App app("Calibrates metric differential privacy for text.", "epsilens-cli");
    app.set_version_flag("--version", versionText());
    app.get_formatter()->label("SUBCOMMAND", "COMMAND");
    app.require_subcommand(1);
    addInfo(app, arguments);
    addCalibrate(app, arguments);
    addRecommend(app, arguments);
    addSample(app, arguments);
    addSanitize(app, arguments);
    addGuarantee(app, arguments);
    addTrainPoincare(app, arguments);
    addReport(app, arguments);
    addVerify(app, arguments);
    app.footer(
        "Examples:\n  epsilens-cli info sample\n  epsilens-cli calibrate sample --words 200\n"
        "  epsilens-cli sample --text \"the quick brown fox\"\n"
        "epsilens-cli COMMAND --help explains the options of a command.");
    try {
        app.parse(argc, argv);
        const CLI::App& command = *app.get_subcommands().front();
        line.command = command.get_name();
        if (const CLI::Option* empty = emptyOption(command)) {
            line.problem = fmt::format("{}: its value is empty", empty->get_name());
        }
    } catch (const CLI::CallForHelp&) {
        line.text = app.help();
    } catch (const CLI::CallForVersion& version) {
        line.text = std::string(version.what()) + "\n";
    } catch (const CLI::ParseError& problem) {
        const auto commands = app.get_subcommands();
        line.command = commands.empty() ? std::string() : commands.front()->get_name();
        line.problem = commands.empty() ? commandProblem(argc, argv) : problem.what();
    }
    return line;
}

}  // namespace epsilens::cli
