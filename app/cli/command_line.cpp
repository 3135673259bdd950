#include "app/cli/command_line.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "core/calibration/provenance.h"

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
    addValue(command, "--threads", general.threads, "N",
             "number of threads (default 0: all processors)");
    addValue(command, "--seed", general.seed, "N",
             "seed of the random numbers; the same seed gives the same results (default 1)");
    command.add_flag("--quiet", general.quiet, "suppress notes, warnings and progress");
    command.add_flag("--progress", general.progress,
                     "show progress even if standard error is not a terminal");
    command.add_flag("--strict", general.strict,
                     "fail at the first row that cannot be used instead of skipping it");
    command.set_version_flag("--version", versionText());
}

/// Options of every command that opens an embedding.
void addGeneral(CLI::App& command, GeneralArguments& general) {
    addValue(command, "EMBEDDING", general.embedding, "",
             "embedding file, - for standard input, or a built-in embedding: sample (default) or "
             "sample-poincare");
    addRun(command, general);
    command.add_flag("--yes", general.yes, "start even if the work will take more than an hour");
    addValue(command, "--format", general.format, "NAME", "text (default), json or csv");
    addValue(command, "--input-format", general.inputFormat, "NAME",
             "auto (default), glove, word2vec-text, word2vec-binary or fasttext");
    addValue(command, "--limit-rows", general.limitRows, "N", "load only the first N rows");
    addValue(command, "--vocabulary", general.vocabularyPath, "FILE",
             "keep only the words listed in this file (one per line)");
    addValue(command, "--session", general.session, "FILE",
             "take the embedding, the seed and other options that are not given from this session");
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
    addList(command, "--epsilon", mechanism.epsilons,
            "list such as 1,5,10 or range such as 1..40x9 (9 values in logarithmic steps, 6 "
            "digits); default: derived from the embedding");
    addList(command, "--lambda", mechanism.lambdas,
            "shape of the noise, from 0 (equal in all directions) to 1 (shape of the vocabulary): "
            "list such as 0,0.5,1 or range such as 0..1x5");
    addValue(command, "--metric", mechanism.metric, "NAME",
             "for tem: euclidean (default), mahalanobis, angular or poincare");
    addList(command, "--gamma", mechanism.gammas,
            "for tem: radius beyond which all words are equally likely; list or range");
    addList(command, "--beta", mechanism.betas,
            "for tem: sets the radius so that the output leaves it with at most this probability "
            "(default 0.001); list or range");
    addValue(
        command, "--noise", mechanism.noise, "NAME",
        "for hyperbolic: law of the radius, riemannian (default; needs epsilon > m - 1) or eq7");
    addValue(command, "--placement", mechanism.placement, "NAME",
             "for hyperbolic: how noise is added, mobius (default) or additive (which gives no "
             "guarantee)");
}

void addData(CLI::App& command, DataArguments& data, const char* meaning) {
    addValue(command, "--data", data.path, "FILE", meaning);
    addValue(command, "--column", data.column, "C",
             "column with the text: its name in the header line, or its number from 1 if the data "
             "set has no header line");
    addValue(command, "--data-format", data.format, "NAME",
             "auto (default: from the file name, else from the first line), lines, tsv or csv");
}

/// How letter case is treated when words are looked up.
void addCase(CLI::App& command, std::optional<std::string>& target, const std::string& meaning) {
    addPolicy(command, "--case", target,
              (meaning + ": auto (default: lower if less than 1 % of the vocabulary has capitals, "
                         "else keep), keep or lower")
                  .c_str());
}

void addInfo(CLI::App& app, Arguments& arguments) {
    CLI::App& command = *app.add_subcommand("info", "describe an embedding file");
    command.group("Commands");
    addGeneral(command, arguments.general);
    command.add_flag(
        "--density", arguments.info.density,
        "also compute the distance from every word to its nearest neighbour, and list the "
        "sparsest and densest words");
    addData(command, arguments.info.data,
            "with --density: count how often the sparsest words occur in this data set, and repeat "
            "the profile for the words that occur in it");
    command.footer(
        "Example:\n  epsilens-cli info vectors.txt.gz --format json\n"
        "  epsilens-cli info vectors.txt.gz --density --data tweets.csv --column text");
}

/// Options of the commands that measure words.
void addMeasuredWords(CLI::App& command, RunArguments& run) {
    addMechanism(command, run.mechanism);
    addValue(command, "--words", run.words, "WORDS",
             "words to measure: all, N (random words), @FILE (one word per line), sparsest:N or "
             "densest:N (by the distance to the nearest neighbour); default 500");
    addData(command, run.data,
            "measure only words that occur in this data set; --words chooses among them, and "
            "replacements still come from the whole vocabulary");
    addCase(command, run.data.letterCase, "letter case when words of the data set are looked up");
    addValue(command, "--draws", run.draws, "R", "number of draws per word (default 100)");
    addValue(command, "--near", run.nearNeighbours, "K",
             "number of nearest neighbours that count as near (default 100)");
    command.add_flag(
        "--independent-draws", run.independentDraws,
        "give every word its own draws, which makes K_w available; at most 2,000 words");
}

void addRecommend(CLI::App& app, Arguments& arguments) {
    CLI::App& command = *app.add_subcommand(
        "recommend", "find the largest epsilon within limits, for each lambda, gamma or beta");
    RecommendArguments& recommend = arguments.recommend;
    command.group("Commands");
    addGeneral(command, arguments.general);
    addMeasuredWords(command, recommend.run);
    command
        .add_option("--limit", recommend.limits,
                    "STATISTIC.AGGREGATE<=VALUE or STATISTIC.AGGREGATE>=VALUE; may be repeated. "
                    "STATISTIC is nw, sw, kept, near, far, minEntropy, shannonEntropy or kw; "
                    "AGGREGATE is mean, min, max, p1, p5, p25, p50, p75, p95 or p99; a VALUE with "
                    "% is a share of the draws (default nw.p95<=50% and sw.p5>=20)")
        ->expected(1)
        ->take_all()
        ->type_name("LIMIT");
    addValue(command, "--objective", recommend.objective, "NAME",
             "how the best setting is chosen: distance (default), cosine or changed");
    command.footer(
        "The smallest and the largest value of --epsilon bound the search.\n"
        "Example:\n  epsilens-cli recommend vectors.txt.gz --lambda 0..1x5 "
        "--limit 'nw.p95<=50%' \\\n      --limit 'sw.p5>=20' --objective cosine");
}

void addCalibrate(CLI::App& app, Arguments& arguments) {
    CLI::App& command = *app.add_subcommand(
        "calibrate", "measure N_w, S_w and more on a grid of epsilon and lambda");
    CalibrateArguments& calibrate = arguments.calibrate;
    command.group("Commands");
    addGeneral(command, arguments.general);
    addMeasuredWords(command, calibrate.run);
    addValue(command, "--deniability", calibrate.deniability, "G",
             "also count the words within odds G of each output; exact for tem, else it needs "
             "--independent-draws and at least 1000 --draws");
    command.add_flag(
        "--rerun-worst", calibrate.rerunWorst,
        "measure the 20 words with the largest N_w of every setting again, with 10,000 "
        "fresh draws each");
    addValue(command, "--per-word", calibrate.perWordPath, "FILE",
             "also write the values of every word to this CSV file");
    command.footer(
        "Example:\n  epsilens-cli calibrate vectors.txt.gz --mechanism mahalanobis "
        "--epsilon 1,5,10,20,40 \\\n      --lambda 0..1x5 --words 500 --draws 100 --seed 1 "
        "--format json -o calibration.json");
}

void addSample(CLI::App& app, Arguments& arguments) {
    CLI::App& command =
        *app.add_subcommand("sample", "show seeded substitutions of a text (not for release)");
    SampleArguments& sample = arguments.sample;
    command.group("Commands");
    addGeneral(command, arguments.general);
    addMechanism(command, sample.mechanism);
    command.add_option("--text", sample.text, "the text (default: standard input)");
    addValue(command, "--draws", sample.draws, "R", "number of sampled texts to show (default 5)");
    addValue(command, "--top", sample.top, "K",
             "number of most frequent outputs to list for each word (default 5)");
    addValue(command, "--near", sample.nearNeighbours, "K",
             "number of nearest neighbours that count as near (default 100)");
    command.footer(
        "Example:\n  epsilens-cli sample --text \"the quick brown fox\" --mechanism mahalanobis "
        "--lambda 0.5 \\\n      --epsilon 5,20 --draws 3 --top 5 --seed 1");
}

void addSanitize(CLI::App& app, Arguments& arguments) {
    CLI::App& command = *app.add_subcommand(
        "sanitize", "replace the words of a text for release, with fresh randomness");
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
    command.get_option("--epsilon")->description("privacy parameter: one value, required");
    addValue(command, "--text-file", sanitize.textPath, "FILE",
             "the text (default -: standard input)");
    addValue(command, "--encoding", sanitize.encoding, "NAME",
             "encoding of the text, such as windows-1252, GB18030 or UTF-16 (default UTF-8); what "
             "comes out is UTF-8");
    addValue(command, "--invalid", sanitize.invalid, "NAME",
             "bytes that are no text: refuse (default), or replace by U+FFFD, counted");
    addPolicy(command, "--unknown", sanitize.unknown,
              "what happens to words that are not in the vocabulary: mask (default), random, drop "
              "or keep (which leaves them unprotected)");
    command.add_option("--mask", sanitize.mask,
                       "text that replaces a masked word (default <unk>), without line separators");
    addCase(command, sanitize.letterCase, "letter case when words are looked up");
    addValue(command, "--stop-words", sanitize.stopWordsPath, "FILE",
             "do not replace the words listed in this file (one per line); they stay unprotected");
    addValue(command, "--sidecar", sanitize.sidecarPath, "FILE",
             "write settings, counts and the guarantee to this JSON file, without any text");
    command.add_flag("--no-guarantee", sanitize.withoutGuarantee,
                     "release even with a mechanism that guarantees nothing, such as hyperbolic "
                     "noise with additive placement");
    command.footer(
        "Every word occurrence gets fresh random numbers from the operating system.\n"
        "Words are letters, numbers and symbols (+, €, emoji): everything but spacing and "
        "punctuation.\n"
        "Not protected: the number and order of words, which words are unknown or stop words, "
        "spacing,\npunctuation and letter case. Floating point: noise has 53 significant bits, and "
        "the nearest word\nis decided in float64. SECURITY.md lists what a release promises.\n"
        "Standard error tells how many words came out as they went in. The number depends on the "
        "text:\ndo not publish it.\n"
        "Example:\n  epsilens-cli sanitize vectors.txt.gz --mechanism mahalanobis --lambda 0.5 "
        "--epsilon 20 \\\n      --sidecar released.json < text.txt > released.txt");
}

void addTrainPoincare(CLI::App& app, Arguments& arguments) {
    CLI::App& command =
        *app.add_subcommand("train-poincare", "train Poincaré vectors from is-a pairs");
    TrainPoincareArguments& train = arguments.trainPoincare;
    command.group("Commands");
    command
        .add_option("PAIRS", train.pairs,
                    "file whose lines hold a child, a tab and a parent; - for standard input")
        ->type_name("")
        ->required();
    addRun(command, arguments.general);
    addValue(command, "--dimensions", train.dimensions, "M",
             "dimensions of the vectors (default 10)");
    addValue(command, "--epochs", train.epochs, "N",
             "passes over the pairs after the burn-in (default 50)");
    addValue(command, "--negatives", train.negatives, "K",
             "negative examples per pair (default 10)");
    addValue(command, "--rate", train.rate, "RATE", "learning rate (default 0.3)");
    addValue(command, "--burn-in", train.burnIn, "N",
             "initial passes at a tenth of the learning rate (default 10)");
    command.add_flag("--evaluate", train.evaluate,
                     "also measure how well the vectors reconstruct the pairs (mean rank and MAP)");
    command.footer(
        "Example:\n  epsilens-cli train-poincare mammals.tsv --dimensions 5 --epochs 100 "
        "--negatives 10 \\\n      --rate 0.3 --burn-in 10 --seed 1 -o mammals.vec");
}

void addGuarantee(CLI::App& app, Arguments& arguments) {
    CLI::App& command = *app.add_subcommand(
        "guarantee", "state what a setting guarantees: constant, metric, odds for words and texts");
    GuaranteeArguments& guarantee = arguments.guarantee;
    command.group("Commands");
    addGeneral(command, arguments.general);
    addMechanism(command, guarantee.mechanism);
    command.add_option("--pair", guarantee.pairs, "two words whose odds to state; may be repeated")
        ->expected(1)
        ->take_all()
        ->type_name("WORD,WORD");
    command
        .add_option("--sentences", guarantee.sentences,
                    "two files, each with a text; both texts must have the same number of words")
        ->expected(2)
        ->type_name("FILE");
    addValue(command, "--odds", guarantee.odds, "G",
             "state the distance within which odds change by at most G (default 2)");
    command.footer(
        "Example:\n  epsilens-cli guarantee --mechanism mahalanobis --epsilon 5,20 --lambda 0.5 "
        "\\\n      --pair paris,london --pair doctor,nurse");
}

void addReport(CLI::App& app, Arguments& arguments) {
    CLI::App& command =
        *app.add_subcommand("report", "write a report about a calibration or session");
    ReportArguments& report = arguments.report;
    command.group("Commands");
    addRun(command, arguments.general);
    command
        .add_option("--from", report.from, "calibration (JSON), report (JSON) or session to report")
        ->type_name("FILE")
        ->required();
    addValue(command, "--format", report.format, "NAME",
             "markdown, html or json (default: from the file name of -o, else markdown)");
    addValue(command, "--epsilon", report.epsilon, "E",
             "epsilon of the chosen setting, which must be a calibrated one (default: the choice "
             "in the file, or the only setting)");
    addValue(command, "--lambda", report.lambda, "L",
             "lambda of the chosen setting; needs --epsilon");
    addValue(command, "--gamma", report.gamma, "G", "gamma of the chosen setting; needs --epsilon");
    command
        .add_option(
            "--limit", report.limits,
            "limit that the setting should meet, such as 'nw.p95<=50%'; may be repeated. If nobody "
            "chose a setting, the largest epsilon that meets all limits is chosen, and the report "
            "says so")
        ->expected(1)
        ->take_all()
        ->type_name("LIMIT");
    addValue(command, "--title", report.title, "TEXT", "heading of the report");
    addValue(command, "--purpose", report.purpose, "TEXT", "purpose of the release");
    addValue(command, "--author", report.author, "TEXT", "who made the choice");
    addValue(command, "--date", report.date, "TEXT", "date of the report (default: today)");
    addValue(command, "--reason", report.reason, "TEXT", "why this setting");
    addValue(command, "--alternatives", report.alternatives, "TEXT",
             "other settings that were considered");
    addValue(command, "--trained-on-protected-text", report.trainedOnProtectedText, "ANSWER",
             "was the embedding trained on the text to protect? yes or no");
    addValue(command, "--text-source", report.textSource, "TEXT", "origin of the texts to protect");
    addPolicy(command, "--unknown", report.unknownWords,
              "what happens to words that are not in the vocabulary: mask, random, drop or keep "
              "(which leaves them unprotected)");
    addValue(command, "--sections", report.sections, "NAMES",
             "sections to include, such as summary,results,plots (default: all)");
    command.footer(
        "Example:\n  epsilens-cli report --from calibration.json --epsilon 10 --lambda 0.5 \\\n"
        "      --limit 'nw.p95<=50%' --author \"A. Analyst\" -o report.html");
}

void addVerify(CLI::App& app, Arguments& arguments) {
    CLI::App& command = *app.add_subcommand(
        "verify", "repeat the run of a calibration, report or session and compare");
    command.group("Commands");
    addValue(command, "EMBEDDING", arguments.general.embedding, "",
             "embedding file (default: the path in the --from file, then the folder of that file)");
    addRun(command, arguments.general);
    addValue(command, "--format", arguments.general.format, "NAME", "text (default), json or csv");
    command
        .add_option("--from", arguments.verify.from,
                    "calibration (JSON), report (JSON) or session to verify")
        ->type_name("FILE")
        ->required();
    command.footer("Example:\n  epsilens-cli verify vectors.txt.gz --from report.json");
}

/// Error message for a missing or unknown command; it lists the commands.
std::string commandProblem(int argc, char** argv) {
    const std::string typed = argc > 1 ? argv[1] : "";
    const std::string problem = typed.empty() || typed.front() == '-'
                                    ? "a command is required"
                                    : fmt::format("unknown command \"{}\"", typed);
    return problem +
           ": info, calibrate, recommend, sample, sanitize, guarantee, train-poincare, report or "
           "verify";
}

/// The first option with an empty value, or null. Only options that take free text may be empty: an
/// unset variable in a script must not look like an option that was left out.
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
        "Run epsilens-cli COMMAND --help for the options of a command.");
    try {
        app.parse(argc, argv);
        const CLI::App& command = *app.get_subcommands().front();
        line.command = command.get_name();
        if (const CLI::Option* empty = emptyOption(command)) {
            line.problem = fmt::format("{}: the value is empty", empty->get_name());
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
