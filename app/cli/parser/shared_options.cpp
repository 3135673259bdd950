#include "app/cli/parser/shared_options.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core/base/error.h"
#include "core/base/numbers.h"

namespace epsilens::cli {
namespace {

constexpr int kMostThreads = 1024;
constexpr int kMostDraws = 1'000'000;
constexpr int kMostNeighbours = 1'000'000;
constexpr std::int64_t kLargestInteger = std::numeric_limits<std::int64_t>::max();

constexpr EnumNames<OutputFormat, 3> kFormats{
    {{"text", OutputFormat::text}, {"json", OutputFormat::json}, {"csv", OutputFormat::csv}}};
constexpr EnumNames<OutputFormat, 4> kFormatsAndHtml{
    {kFormats[0], kFormats[1], kFormats[2], {"html", OutputFormat::html}}};

using mechanism::Grid;
using mechanism::Mechanism;
using mechanism::Parameters;

/// Whether a mechanism has a parameter.
using IsOf = std::function<bool(const Mechanism&)>;

template <typename Value>
IsOf has(std::optional<Value> Parameters::*parameter) {
    return [parameter](const Mechanism& mechanism) {
        return (mechanism.parameters().*parameter).has_value();
    };
}

/// Names of the mechanisms, with their default metric, that have it.
std::vector<std::string_view> namesOf(const IsOf& isOf) {
    std::vector<std::string_view> names;
    for (const Mechanism& mechanism : Mechanism::all()) {
        if (isOf(mechanism)) {
            names.push_back(mechanism.name());
        }
    }
    return names;
}

std::string ownersOf(const IsOf& isOf) {
    return fmt::format("{}", fmt::join(namesOf(isOf), ", "));
}

/// "for tem: "
std::string forOwners(const IsOf& isOf) {
    return fmt::format("for {}: ", ownersOf(isOf));
}

Result<void> checkOwn(const Mechanism& mechanism, std::string_view option, const IsOf& isOf) {
    if (isOf(mechanism)) {
        return {};
    }
    return refused(fmt::format("{}: the {} mechanism does not take it; it is for {}", option,
                               mechanism.name(), ownersOf(isOf)));
}

/// All values of an option that takes lists.
Result<std::vector<double>> parseLists(const std::vector<std::string>& typed,
                                       std::string_view option, Spacing spacing,
                                       const NumberRange& range) {
    std::vector<double> values;
    for (const std::string& text : typed) {
        ASSIGN_OR_RETURN(const auto list, parseList(text, option, spacing));
        values.insert(values.end(), list.begin(), list.end());
    }
    const std::string hint = decimalCommaHint(fmt::format("{}", fmt::join(typed, " ")));
    for (const double value : values) {
        RETURN_IF_ERROR(checkWithin(range, value, option, hint));
    }
    return values;
}

TypedOptions::Take takeLists(std::vector<double>& target, Spacing spacing, NumberRange range) {
    return [&target, spacing, range](const auto& typed, std::string_view option) -> Result<void> {
        ASSIGN_OR_RETURN(target, parseLists(typed, option, spacing, range));
        return {};
    };
}

/// wholeAxis  set, and no epsilon, by the word "all"; null where it is not taken
TypedOptions::Take takeEpsilons(Grid& grid, bool* wholeAxis) {
    auto take =
        takeLists(grid.epsilons, Spacing::logarithmic, {kAboveZero, kLargest, "is not above 0"});
    return [&grid, wholeAxis, take](const auto& typed, std::string_view option) -> Result<void> {
        const bool isWhole = wholeAxis != nullptr && typed.size() == 1 && typed.front() == "all";
        if (wholeAxis != nullptr) {
            *wholeAxis = isWhole;
        }
        if (!isWhole) {
            return take(typed, option);
        }
        grid.epsilons.clear();
        return {};
    };
}

/// Radii, and beta from which they follow: values of one replace those of the other.
TypedOptions::Take takeRadii(Grid& grid, std::vector<double>& target, std::vector<double>& other,
                             NumberRange range) {
    return [&grid, &target, &other, range](const auto& typed,
                                           std::string_view option) -> Result<void> {
        RETURN_IF_ERROR(checkOwn(grid.mechanism, option, &Mechanism::hasRadius));
        ASSIGN_OR_RETURN(target, parseLists(typed, option, Spacing::logarithmic, range));
        other.clear();
        return {};
    };
}

/// A parameter that is no list.
template <typename Value>
TypedOptions::Take takeParameter(Grid& grid, Result<Value> (*parse)(std::string_view),
                                 std::optional<Value> Parameters::*parameter) {
    return [=, &grid](const auto& typed, std::string_view option) -> Result<void> {
        Parameters parameters;
        ASSIGN_OR_RETURN(parameters.*parameter, choice(parse)(typed.front(), option));
        RETURN_IF_ERROR(checkOwn(grid.mechanism, option, has(parameter)));
        grid.mechanism = grid.mechanism.with(parameters);
        return {};
    };
}

Result<void> takeMechanism(const std::vector<std::string>& typed, std::string_view option,
                           Grid& grid) {
    const auto mechanism = Mechanism::named(typed.front());
    if (!mechanism) {
        return tl::unexpected(named(option, mechanism.error()));
    }
    if (!mechanism->isKindOf(grid.mechanism)) {
        grid = gridToFill(*mechanism);
    }
    return {};
}

/// Refuses lambdas of a mechanism that has none; 0 is what laplace has.
Result<void> checkLambdas(const Grid& grid) {
    const Mechanism& mechanism = grid.mechanism;
    if (mechanism.hasLambda()) {
        return {};
    }
    if (!mechanism.as<mechanism::Laplace>()) {
        const bool isOfMetric = mechanism.parameters().metric.has_value();
        return refused(
            fmt::format("--lambda: the {} {} has no lambda; it is for {}",
                        isOfMetric ? metric::metricKey(mechanism.metric()) : mechanism.name(),
                        isOfMetric ? "metric" : "mechanism", ownersOf(&Mechanism::hasLambda)));
    }
    if (std::ranges::any_of(grid.lambdas, [](double value) { return value > 0.0; })) {
        return refused(
            "--lambda: the laplace mechanism has no lambda (it is mahalanobis with lambda "
            "0); use --mechanism mahalanobis");
    }
    return {};
}

/// Checks what depends on several options, and fills in values that need no embedding.
Result<void> complete(const TypedOptions& options, Grid& grid, const std::vector<double>& lambdas) {
    if (options.isGiven("--gamma") && options.isGiven("--beta")) {
        return refused(
            "--beta: cannot be combined with --gamma, because gamma follows from beta; "
            "give one of them");
    }
    if (options.isGiven("--lambda")) {
        RETURN_IF_ERROR(checkLambdas(grid));
    }
    if (!grid.mechanism.hasLambda()) {
        grid.lambdas = {0.0};
    } else if (grid.lambdas.empty()) {
        grid.lambdas = lambdas;
    }
    if (grid.gammas.empty() && grid.betas.empty()) {
        grid.betas = calibration::defaultBetaGrid();
    }
    return {};
}

/// Parses "all", a number, "@file", "sparsest:N" or "densest:N".
Result<WordsOption> parseWords(std::string_view typed) {
    using Kind = WordsOption::Kind;
    WordsOption option;
    option.isGiven = true;
    if (typed == "all") {
        option.kind = Kind::all;
        option.name = typed;
        return option;
    }
    if (typed.starts_with('@') && typed.size() > 1) {
        option.kind = Kind::list;
        option.listPath = typed.substr(1);
        option.name = "@" + std::filesystem::path(option.listPath).filename().string();
        return option;
    }
    std::string_view digits = typed;
    for (const auto& [prefix, kind] :
         {std::pair<std::string_view, Kind>{"sparsest:", Kind::sparsest},
          {"densest:", Kind::densest}}) {
        if (digits.starts_with(prefix)) {
            digits.remove_prefix(prefix.size());
            option.kind = kind;
        }
    }
    const auto count = parseInteger(digits, "words", 1, std::numeric_limits<std::int32_t>::max());
    if (!count) {
        return refused(fmt::format(
            "\"{}\" is not valid; use all, a number from 1, @file, sparsest:N or densest:N",
            typed));
    }
    option.count = *count;
    option.name = typed;
    return option;
}

/// Sections of the help.
constexpr const char* kOwn = "Options";
constexpr const char* kLoadingAndOutput = "Loading and output";

}  // namespace

void addRun(TypedOptions& options, GeneralOptions& general) {
    options.section(kLoadingAndOutput);
    options.output("-o,--output", "write the results to this file instead of standard output",
                   general.outputPath);
    options.value("--threads", "N", "number of threads (default {}: all processors)",
                  general.threads, integer(0, kMostThreads));
    options.value("--seed", "N",
                  "seed of the random numbers; the same seed gives the same results "
                  "(default {})",
                  general.seed, integer<std::uint64_t>(0, kLargestInteger));
    options.flag("--quiet", general.quiet, "suppress notes, warnings and progress");
    options.flag("--progress", general.progress,
                 "show progress even if standard error is not a terminal");
    options.flag("--strict", general.load.strict,
                 "fail at the first row that cannot be used instead of skipping it");
    options.version();
    options.section(kOwn);
}

void addFormat(TypedOptions& options, GeneralOptions& general, bool hasHtml) {
    const std::string_view chosen = nameIn(kFormatsAndHtml, general.format);
    options.section(kLoadingAndOutput);
    if (hasHtml) {
        options.value("--format", "NAME",
                      withDefault("text, json, csv or html", chosen) + "; html also by -o",
                      general.format, oneOf(kFormatsAndHtml));
    } else {
        options.value("--format", "NAME", withDefault("text, json or csv", chosen), general.format,
                      oneOf(kFormats));
    }
    options.section(kOwn);
}

void addGeneral(TypedOptions& options, GeneralOptions& general,
                const std::optional<std::string>& missing, bool hasHtml) {
    embedding::LoadOptions& load = general.load;
    options.input("EMBEDDING", "",
                  "embedding file, - for standard input, or a built-in embedding: " +
                      withDefault("sample or sample-poincare", embedding::kSampleName),
                  load.path);
    addRun(options, general);
    addFormat(options, general, hasHtml);
    options.section(kLoadingAndOutput);
    options.value("--input-format", "NAME",
                  withDefault("auto, glove, word2vec-text, word2vec-binary or fasttext",
                              embedding::inputFormatName(load.inputFormat)),
                  load.inputFormat, choice(embedding::parseInputFormat));
    options.value("--limit-rows", "N", "load only the first N rows", load.limitRows,
                  integer<std::int64_t>(1, kLargestInteger));
    options.input("--vocabulary", "FILE", "keep only the words listed in this file (one per line)",
                  load.vocabularyPath);
    options.input("--session", "FILE",
                  "take the embedding, the seed and other options that are not given from this "
                  "session",
                  general.sessionPath);
    options.section(kOwn);
    options.check([&load, missing]() -> Result<void> {
        if (load.path.empty() && missing) {
            return refused(*missing);
        }
        if (load.path.empty()) {
            load.path = embedding::kSampleName;
        }
        return {};
    });
}

void addNear(TypedOptions& options, int& nearNeighbours) {
    options.value("--near", "K", "number of nearest neighbours that count as near (default {})",
                  nearNeighbours, integer(1, kMostNeighbours));
}

void addData(TypedOptions& options, DataOption& data, const std::string& meaning) {
    options.input("--data", "FILE", meaning, data.records.path);
    options.value("--column,--text-column", "C",
                  "column with the text: its name in the header line, or its number from 1 if the "
                  "data set has no header line",
                  data.records.column, asTyped);
    options.value(
        "--data-format", "NAME",
        withDefault(
            "auto (: from the file name, else from the first line), lines, tsv, tsv-quoted, csv or "
            "jsonl",
            io::recordFormatName(data.records.format)),
        data.records.format, choice(io::parseRecordFormat));
    options.needs("--column", "--data");
    options.needs("--data-format", "--data");
}

void addCase(TypedOptions& options, text::CasePolicy& letterCase, const std::string& meaning) {
    const std::string policies = withDefault(
        "auto (: lower if less than 1% of the vocabulary has capitals, else keep), keep or lower",
        text::casePolicyName(letterCase));
    options.value("--case", "POLICY", fmt::format("{}: {}", meaning, policies), letterCase,
                  choice(text::parseCasePolicy));
}

void addMechanism(TypedOptions& options, Grid& grid, std::vector<double> lambdas, bool* wholeAxis) {
    const std::string names = alternatives(namesOf([](const Mechanism&) { return true; }));
    options.add("--mechanism", "NAME", withDefault(names, grid.mechanism.name()),
                [&grid](const auto& typed, std::string_view option) {
                    return takeMechanism(typed, option, grid);
                });
    options.addList("--epsilon", "LIST",
                    fmt::format("{}; default: derived from the embedding", kEpsilonLists),
                    takeEpsilons(grid, wholeAxis));
    options.addList(
        "--lambda", "LIST",
        "shape of the noise, from 0 (equal in all directions) to 1 (shape of the vocabulary): list "
        "such as 0,0.5,1 or range such as 0..1x5",
        takeLists(grid.lambdas, Spacing::linear, {0.0, 1.0, "is outside 0 to 1"}));
    options.add("--metric", "NAME",
                forOwners(has(&Parameters::metric)) +
                    withDefault("euclidean, mahalanobis, angular or poincare",
                                metric::metricKey(mechanism::Tem{}.distance)),
                takeParameter(grid, metric::parseMetric, &Parameters::metric));
    options.addList("--gamma", "LIST",
                    forOwners(&Mechanism::hasRadius) +
                        "radius beyond which all words are equally likely; list or range",
                    takeRadii(grid, grid.gammas, grid.betas, {0.0, kLargest, "is not 0 or more"}));
    options.addList(
        "--beta", "LIST",
        forOwners(&Mechanism::hasRadius) +
            fmt::format("sets the radius so that the output leaves it with at most this "
                        "probability (default {}); list or range",
                        mechanism::Tem{}.beta),
        takeRadii(grid, grid.betas, grid.gammas,
                  {kAboveZero, std::nextafter(1.0, 0.0), "is not above 0 and below 1"}));
    options.add("--noise", "NAME",
                forOwners(has(&Parameters::law)) + "law of the radius, " +
                    withDefault("riemannian (; needs epsilon > m - 1) or eq7",
                                mechanism::radialLawName(mechanism::Hyperbolic{}.law)),
                takeParameter(grid, mechanism::parseRadialLaw, &Parameters::law));
    options.check([&options, &grid, lambdas = std::move(lambdas)] {
        return complete(options, grid, lambdas);
    });
}

void takeOneValue(TypedOptions& options, const char* command, const Grid& grid) {
    options.check([command, &grid]() -> Result<void> {
        for (const auto& [option, values] :
             {std::pair("--lambda", &grid.lambdas), std::pair("--gamma", &grid.gammas),
              std::pair("--beta", &grid.betas)}) {
            if (values->size() > 1) {
                return refused(fmt::format("{}: {} takes one value, not a list", option, command));
            }
        }
        return {};
    });
}

void addDraws(TypedOptions& options, int& draws) {
    options.value("--draws", "R", "number of draws per word (default {})", draws,
                  integer(1, kMostDraws));
}

void addMeasuredWords(TypedOptions& options, const GeneralOptions& general,
                      calibration::CalibrationOptions& run, MeasuredWords& measured,
                      bool* wholeAxis) {
    addMechanism(options, run.grid, {}, wholeAxis);
    options.value("--words", "WORDS",
                  fmt::format("words to measure: all, N (random words), @FILE (one word per line), "
                              "sparsest:N or densest:N (by the distance to the nearest neighbour); "
                              "default {}",
                              measured.words.count),
                  measured.words, choice(parseWords));
    options.reads([&measured] { return std::vector{measured.words.listPath}; });
    addData(options, measured.data,
            "measure only words that occur in this data set; --words chooses among them, and "
            "replacements still come from the whole vocabulary");
    addCase(options, measured.data.letterCase,
            "letter case when words of the data set are looked up");
    options.needs("--case", "--data");
    addDraws(options, run.draws);
    addNear(options, run.nearNeighbours);
    options.flag("--independent-draws", run.independentDraws,
                 "give every word its own draws, which makes K_w available; at most 2,000 words");
    takeSeed(options, general, run);
}

Result<void> takeLimits(const std::vector<std::string>& typed, std::string_view option,
                        std::vector<calibration::Limit>& limits,
                        std::vector<evaluation::FigureLimit>& figures) {
    limits.clear();
    figures.clear();
    for (const std::string& text : typed) {
        if (evaluation::namesFigure(text)) {
            ASSIGN_OR_RETURN(const auto limit, choice(evaluation::parseFigureLimit)(text, option));
            figures.push_back(limit);
        } else {
            ASSIGN_OR_RETURN(const auto limit, choice(calibration::parseLimit)(text, option));
            limits.push_back(limit);
        }
    }
    return {};
}

Result<WordNames> parsePair(std::string_view typed) {
    const auto comma = typed.find(',');
    const std::string_view first = trimmed(typed.substr(0, comma));
    const std::string_view second =
        comma == std::string_view::npos ? std::string_view() : trimmed(typed.substr(comma + 1));
    if (first.empty() || second.empty() || second.find(',') != std::string_view::npos) {
        return refused(fmt::format("\"{}\" is not two words with a comma between them", typed));
    }
    return WordNames(first, second);
}

void addColumn(TypedOptions& options, const char* name, const char* meaning, std::string& column) {
    options.value(name, "C",
                  fmt::format("{}: its name in the header line, or its number from 1 (default: "
                              "guessed, and reported)",
                              meaning),
                  column, asTyped);
}

void addTexts(TypedOptions& options, corpus::DataSetOptions& data) {
    options.input("--data", "FILE",
                  "labelled texts: CSV, TSV, JSON Lines, or \"label TAB text\" without a header, "
                  "also compressed; or a folder with a folder of text files for each class",
                  data.path);
    addColumn(options, "--text-column,--column", "column with the text", data.textColumn);
    addLabels(options, data);
    options.value("--data-format", "NAME",
                  withDefault("auto (: from the file name, else from the first line), tsv, "
                              "tsv-quoted, csv or jsonl",
                              io::recordFormatName(data.format)),
                  data.format, choice(io::parseRecordFormat));
}

void addLabels(TypedOptions& options, corpus::DataSetOptions& data) {
    options.input(
        "--test", "FILE",
        "more labelled texts, to test on; without it and without a split column, each repeat "
        "trains on 70% of the texts and tests on the others",
        data.testPath);
    addColumn(options, "--label-column", "column with the class", data.labelColumn);
    addColumn(options, "--split-column", "column that says train or test", data.splitColumn);
}

void addPrior(TypedOptions& options, EvaluateOptions& evaluate) {
    options.add("--prior", "FILE",
                "how attackers know which words are common: training (default; from the training "
                "texts), uniform (all words alike), or a file with a text, or with a word, a tab "
                "and a count in each line",
                [&evaluate](const auto& typed, std::string_view) -> Result<void> {
                    using evaluation::PriorKind;
                    const std::string& name = typed.front();
                    evaluate.run.attack.prior = name == "training"  ? PriorKind::training
                                                : name == "uniform" ? PriorKind::uniform
                                                                    : PriorKind::file;
                    evaluate.priorPath =
                        evaluate.run.attack.prior == PriorKind::file ? name : std::string();
                    return {};
                });
    options.reads([&evaluate] { return std::vector<std::string>{evaluate.priorPath}; });
}

void addRepeats(TypedOptions& options, evaluation::EvaluationOptions& run) {
    options.value("--repeats", "N", "repeats, each with a split and noise of its own (default {})",
                  run.repeats, integer(1, evaluation::EvaluationOptions::kMostRepeats));
}

}  // namespace epsilens::cli
