#include "app/cli/parser/command_options.h"

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
#include "core/document/report_settings.h"

namespace epsilens::cli {
namespace {

constexpr std::array<NamedValue<ReportFormat>, 3> kReportFormats{
    {{"text", ReportFormat::text}, {"html", ReportFormat::html}, {"json", ReportFormat::json}}};

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

/// The whole axis in place of a list of epsilons.
void addAxis(TypedOptions& options, CalibrateOptions& calibrate) {
    options.describe("--epsilon",
                     fmt::format("{}, or all, for dense points of the whole axis, computed "
                                 "together; default: derived from the embedding",
                                 kEpsilonLists));
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
                  "text, html or json (default: from the file name of -o, else text)",
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
    options.flag(
        "--memo-only", report.memoOnly,
        "write the memo, the pages that a reviewer reads, without the appendix (text and html)");
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

}  // namespace epsilens::cli
