#include "app/cli/parser/command_options.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/cli/parser/mechanism_options.h"
#include "app/cli/parser/shared_options.h"
#include "core/base/trimmed.h"
#include "core/document/part_document.h"

namespace epsilens::cli {
namespace {

constexpr std::array<NamedValue<ReportFormat>, 3> kReportFormats{
    {{"markdown", ReportFormat::markdown},
     {"html", ReportFormat::html},
     {"json", ReportFormat::json}}};

constexpr double kLargest = std::numeric_limits<double>::max();
constexpr double kAboveOne = 1.0 + std::numeric_limits<double>::epsilon();
constexpr double kAboveZero = std::numeric_limits<double>::denorm_min();

tl::unexpected<Error> refused(std::string message) {
    return fail(ErrorCode::invalidArgument, std::move(message));
}

std::string unknownWordsText() {
    return "what happens to words that are not in the vocabulary: ";
}

/// "paris,london"
Result<std::pair<std::string, std::string>> parsePair(std::string_view typed) {
    const auto comma = typed.find(',');
    const std::string_view first = trimmed(typed.substr(0, comma));
    const std::string_view second =
        comma == std::string_view::npos ? std::string_view() : trimmed(typed.substr(comma + 1));
    if (first.empty() || second.empty() || second.find(',') != std::string_view::npos) {
        return refused(fmt::format("\"{}\" is not two words with a comma between them", typed));
    }
    return std::pair(std::string(first), std::string(second));
}

/// "3/8"
Result<CalibratePart> parsePart(std::string_view typed) {
    const std::size_t slash = std::min(typed.find('/'), typed.size());
    const auto parts =
        parseInteger(typed.substr(std::min(slash + 1, typed.size())), "N", 1, document::kMostParts);
    const auto index = parseInteger(typed.substr(0, slash), "I", 1, parts.value_or(1));
    if (!parts || !index) {
        return refused(fmt::format("\"{}\" is not I/N, a part from 1 to N of at most {}", typed,
                                   document::kMostParts));
    }
    return CalibratePart{*index, *parts};
}

/// The whole axis in place of a list of epsilons.
void addAxis(TypedOptions& options, CalibrateOptions& calibrate) {
    options.describe("--epsilon",
                     "list such as 1,5,10 or range such as 1..40x9 (9 values in logarithmic steps, "
                     "6 digits), or all, for dense points of the whole axis, computed together; "
                     "default: derived from the embedding");
    options.value(
        "--points", "N",
        fmt::format("for --epsilon all: number of points, {} to {} (default {{}})",
                    calibration::kFewestAxisPoints, formatCount(calibration::kMostAxisPoints)),
        calibrate.points, integer(calibration::kFewestAxisPoints, calibration::kMostAxisPoints));
    options.check([&]() -> Result<void> {
        if (options.isGiven("--points") && !calibrate.run.epsilonAxis) {
            return refused("--points: needs --epsilon all");
        }
        if (const auto problem = calibration::validateAxis(calibrate.run)) {
            return refused("--epsilon all: " + problem->message);
        }
        return {};
    });
}

/// Names separated by commas.
Result<std::vector<document::SectionId>> parseSections(std::string_view typed) {
    std::vector<document::SectionId> sections;
    while (!typed.empty()) {
        const std::size_t end = std::min(typed.find(','), typed.size());
        const auto section = document::parseSection(trimmed(typed.substr(0, end)));
        if (!section) {
            std::vector<std::string_view> names(document::kAllSections.size());
            std::transform(document::kAllSections.begin(), document::kAllSections.end(),
                           names.begin(), document::sectionKey);
            return refused(
                fmt::format("{}; known are {}", section.error().message, fmt::join(names, ", ")));
        }
        sections.push_back(*section);
        typed.remove_prefix(std::min(end + 1, typed.size()));
    }
    return sections;
}

}  // namespace

void addInfo(TypedOptions& options, Arguments& arguments) {
    addGeneral(options, arguments.general);
    options.flag("--density", arguments.info.density,
                 "also compute the distance from every word to its nearest neighbour, and list the "
                 "sparsest and densest words");
    addData(options, arguments.info.data,
            "with --density: count how often the sparsest words occur in this data set, and repeat "
            "the profile for the words that occur in it");
    options.needs("--data", "--density");
    options.footer(
        "Example:\n  epsilens-cli info vectors.txt.gz --format json\n"
        "  epsilens-cli info vectors.txt.gz --density --data tweets.csv --column text");
}

void addCalibrate(TypedOptions& options, Arguments& arguments) {
    CalibrateOptions& calibrate = arguments.calibrate;
    addGeneral(options, arguments.general);
    addMeasuredWords(options, arguments.general, calibrate.run, calibrate.measured,
                     &calibrate.run.epsilonAxis);
    addAxis(options, calibrate);
    options.value("--deniability", "G",
                  "also count the words within odds G of each output; exact for tem and "
                  "exponential, else it needs "
                  "--independent-draws and at least 1000 --draws",
                  calibrate.run.deniabilityOdds, number({1.0, kLargest, "is below 1"}));
    options.output("--per-word", "also write the values of every word to this CSV file",
                   calibrate.perWordPath);
    options.output("--steps",
                   "also write to this CSV file, exactly, every ε at which a statistic over the "
                   "words changes, and its values; about 50 MB for 500 words, 100 draws and one λ",
                   calibrate.stepsPath);
    options.output("--word-steps", "the same of every word", calibrate.wordStepsPath);
    options.value("--part", "I/N",
                  "run only the I-th of N parts of the work and write it (JSON) for merge to join; "
                  "every part needs the same options",
                  calibrate.part, choice(parsePart));
    options.check([&]() -> Result<void> {
        if (calibrate.part && !calibrate.perWordPath.empty()) {
            return refused("--per-word: a part holds no values of single words; leave it out");
        }
        const bool writesSteps = !calibrate.stepsPath.empty() || !calibrate.wordStepsPath.empty();
        const std::string_view asked = calibrate.stepsPath.empty() ? "--word-steps" : "--steps";
        if (calibrate.part && writesSteps) {
            return refused(fmt::format("{}: only a whole run has steps; leave it out", asked));
        }
        if (writesSteps && calibrate.run.grid.mechanism.isExact()) {
            return refused(fmt::format(
                "{}: results of {} do not change in steps that are known; use --epsilon", asked,
                calibrate.run.grid.mechanism.name()));
        }
        if (calibrate.part && options.isGiven("--format") &&
            arguments.general.format != OutputFormat::json) {
            return refused("--format: a part is always JSON; choose the format when you merge");
        }
        return {};
    });
    options.footer(
        "The mean distance is Euclidean for Laplace and also for Mahalanobis noise, as near and "
        "far "
        "are; tem and\nexponential measure it in their own metric.\n"
        "Example:\n  epsilens-cli calibrate vectors.txt.gz --mechanism mahalanobis "
        "--epsilon 1,5,10,20,40 \\\n      --lambda 0..1x5 --words 500 --draws 100 --seed 1 "
        "--format json -o calibration.json");
}

void addSample(TypedOptions& options, Arguments& arguments) {
    SampleOptions& sample = arguments.sample;
    addGeneral(options, arguments.general);
    addMechanism(options, sample.grid, {mechanism::kDefaultLambda});
    takeOneValue(options, "sample", sample.grid);
    options.text("--text", "the text (default: standard input)", sample.text);
    options.reads([&sample] { return std::vector<std::string>(sample.text ? 0 : 1, "-"); });
    options.value("--draws", "R", "number of sampled texts to show (default {})", sample.sentences,
                  integer(1, SampleOptions::kMostSentences));
    options.value("--top", "K",
                  "number of most frequent outputs to list for each word (default {})", sample.top,
                  integer(0, SampleOptions::kMostTop));
    addNear(options, sample.nearNeighbours);
    options.footer(
        "Example:\n  epsilens-cli sample --text \"the quick brown fox\" --mechanism mahalanobis "
        "--lambda 0.5 \\\n      --epsilon 5,20 --draws 3 --top 5 --seed 1");
}

void addGuarantee(TypedOptions& options, Arguments& arguments) {
    GuaranteeOptions& guarantee = arguments.guarantee;
    addGeneral(options, arguments.general);
    addMechanism(options, guarantee.grid, {mechanism::kDefaultLambda});
    options.list("--pair", "WORD,WORD", "two words whose odds to state; may be repeated",
                 guarantee.pairs, choice(parsePair));
    options.addPair("--sentences", "FILE",
                    "two files, each with a text; both texts must have the same number of words",
                    [&guarantee](const auto& typed, std::string_view) -> Result<void> {
                        guarantee.sentences = typed;
                        return {};
                    });
    options.reads([&guarantee] { return guarantee.sentences; });
    options.value("--odds", "G",
                  "state the distance within which odds change by at most G (default "
                  "{})",
                  guarantee.odds, number({kAboveOne, kLargest, "is not above 1"}));
    options.footer(
        "Example:\n  epsilens-cli guarantee --mechanism mahalanobis --epsilon 5,20 --lambda 0.5 "
        "\\\n      --pair paris,london --pair doctor,nurse");
}

void addTrainPoincare(TypedOptions& options, Arguments& arguments) {
    using training::PoincareOptions;
    const GeneralOptions& general = arguments.general;
    TrainPoincareOptions& train = arguments.trainPoincare;
    PoincareOptions& training = train.training;
    options.input("PAIRS", "",
                  "file whose lines hold a child, a tab and a parent; - for standard input",
                  train.pairsPath);
    options.require("PAIRS");
    addRun(options, arguments.general);
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
    options.check([&]() -> Result<void> {
        training.seed = general.seed;
        training.threads = general.threads;
        return {};
    });
    options.footer(
        "Example:\n  epsilens-cli train-poincare mammals.tsv --dimensions 5 --epochs 100 "
        "--negatives 10 \\\n      --rate 0.3 --burn-in 10 --seed 1 -o mammals.vec");
}

void addReport(TypedOptions& options, Arguments& arguments) {
    ReportOptions& report = arguments.report;
    addRun(options, arguments.general);
    options.input("--from", "FILE", "calibration (JSON), report (JSON) or session to report",
                  report.from);
    options.require("--from");
    options.value("--format", "NAME",
                  "markdown, html or json (default: from the file name of -o, else markdown)",
                  report.format, oneOf(kReportFormats));
    options.value("--epsilon", "E",
                  "epsilon of the chosen setting, which must be a calibrated one (default: the "
                  "choice in the file, or the only setting)",
                  report.epsilon, finiteNumber);
    options.value("--lambda", "L", "lambda of the chosen setting; needs --epsilon", report.lambda,
                  finiteNumber);
    options.value("--gamma", "G", "gamma of the chosen setting; needs --epsilon", report.gamma,
                  finiteNumber);
    options.needs("--lambda", "--epsilon");
    options.needs("--gamma", "--epsilon");
    options.addList(
        "--limit", "LIMIT",
        "limit that the setting should meet, such as 'nw.p95<=50%' or, with --evaluation, "
        "'attack.gain<=5%' or 'classify.linear.retained>=95%'; may be repeated. If nobody chose a "
        "setting and no limit is on attack or classify, the largest epsilon that meets all limits "
        "is chosen, and the report says so",
        [&report](const auto& typed, std::string_view option) {
            return takeLimits(typed, option, report.limits, report.figureLimits);
        });
    options.list("--evaluation", "FILE",
                 "result of evaluate (JSON) with the same embedding and mechanism, for what an "
                 "attacker gets and what is lost; may be repeated",
                 report.evaluations, asTyped);
    options.reads([&report] { return report.evaluations; });
    options.text("--title", "heading of the report", report.title);
    options.text("--purpose", "purpose of the release", report.purpose);
    options.text("--author", "who made the choice", report.author);
    options.value("--date", "DATE", "date of the report, such as 2026-01-31 (default: today)",
                  report.date, parseDate);
    options.text("--reason", "why this setting", report.reason);
    options.text("--alternatives", "other settings that were considered", report.alternatives);
    options.value("--trained-on-protected-text", "ANSWER",
                  "was the embedding trained on the text to protect? yes or no",
                  report.trainedOnProtectedText, choice(document::parseAnswer));
    options.text("--text-source", "origin of the texts to protect", report.textSource);
    options.value("--unknown", "POLICY",
                  unknownWordsText() + "mask, random, drop or keep (which leaves them unprotected)",
                  report.unknownWords, choice(release::parseUnknownPolicy));
    options.value("--sections", "NAMES",
                  "sections to include, such as summary,results,plots (default: all)",
                  report.sections, choice(parseSections));
    options.flag("--memo-only", report.memoOnly,
                 "write the memo, the pages that a reviewer reads, without the appendix");
    options.check([&report]() -> Result<void> {
        return report.memoOnly && !report.sections.empty()
                   ? refused(
                         "--memo-only: it selects the sections of the memo; leave out "
                         "--sections")
                   : Result<void>();
    });
    options.footer(
        "Example:\n  epsilens-cli report --from calibration.json --epsilon 10 --lambda 0.5 \\\n"
        "      --limit 'nw.p95<=50%' --author \"A. Analyst\" -o report.html");
}

void addVerify(TypedOptions& options, Arguments& arguments) {
    options.input("EMBEDDING", "",
                  "embedding file (default: the path in the --from file, then the folder of that "
                  "file)",
                  arguments.general.load.path);
    addRun(options, arguments.general);
    addFormat(options, arguments.general);
    options.input("--from", "FILE", "calibration, evaluation or report (JSON) or session to verify",
                  arguments.verify.from);
    options.require("--from");
    options.footer("Example:\n  epsilens-cli verify vectors.txt.gz --from report.json");
}

void addMerge(TypedOptions& options, Arguments& arguments) {
    options.addList("PART", "",
                    "parts of one calibration (from calibrate --part), or sidecars (from sanitize "
                    "--sidecar) whose counts and totals to add",
                    [&arguments](const auto& typed, std::string_view) -> Result<void> {
                        arguments.merge.paths = typed;
                        return {};
                    });
    options.require("PART");
    options.reads([&arguments] { return arguments.merge.paths; });
    addRun(options, arguments.general);
    addFormat(options, arguments.general);
    options.input("--embedding", "FILE",
                  "embedding of a calibration (default: the path in the parts, then the folder of "
                  "the first part)",
                  arguments.general.load.path);
    options.footer(
        "Example:\n  epsilens-cli calibrate vectors.txt.gz --seed 1 --part 1/2 -o part1.json\n"
        "  epsilens-cli calibrate vectors.txt.gz --seed 1 --part 2/2 -o part2.json\n"
        "  epsilens-cli merge part1.json part2.json --format json -o calibration.json");
}

}  // namespace epsilens::cli
