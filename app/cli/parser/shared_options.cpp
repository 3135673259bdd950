#include "app/cli/parser/shared_options.h"

#include <array>
#include <cstdint>
#include <limits>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "app/cli/parser/mechanism_options.h"

namespace epsilens::cli {
namespace {

constexpr int kMostThreads = 1024;
constexpr int kMostDraws = 1'000'000;
constexpr int kMostNeighbours = 1'000'000;
constexpr std::int64_t kLargestInteger = std::numeric_limits<std::int64_t>::max();

constexpr std::array<NamedValue<OutputFormat>, 3> kFormats{
    {{"text", OutputFormat::text}, {"json", OutputFormat::json}, {"csv", OutputFormat::csv}}};
constexpr std::array<NamedValue<OutputFormat>, 4> kFormatsAndHtml{
    {kFormats[0], kFormats[1], kFormats[2], {"html", OutputFormat::html}}};

}  // namespace

void addRun(TypedOptions& options, GeneralOptions& general) {
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
}

void addFormat(TypedOptions& options, GeneralOptions& general, bool hasHtml) {
    const std::string_view chosen =
        kFormatsAndHtml.at(static_cast<std::size_t>(general.format)).name;
    if (hasHtml) {
        options.value("--format", "NAME",
                      withDefault("text, json, csv or html", chosen) + "; html also by -o",
                      general.format, oneOf(kFormatsAndHtml));
    } else {
        options.value("--format", "NAME", withDefault("text, json or csv", chosen), general.format,
                      oneOf(kFormats));
    }
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
    options.check([&load, missing]() -> Result<void> {
        if (load.path.empty() && missing) {
            return fail(ErrorCode::invalidArgument, *missing);
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
    options.value("--draws", "R", "number of draws per word (default {})", run.draws,
                  integer(1, kMostDraws));
    addNear(options, run.nearNeighbours);
    options.flag("--independent-draws", run.independentDraws,
                 "give every word its own draws, which makes K_w available; at most 2,000 words");
    options.check([&general, &run]() -> Result<void> {
        run.seed = general.seed;
        run.threads = general.threads;
        return {};
    });
}

Result<void> takeLimits(const std::vector<std::string>& typed, std::string_view option,
                        std::vector<calibration::Limit>& limits,
                        std::vector<experiment::FigureLimit>& figures) {
    limits.clear();
    figures.clear();
    for (const std::string& text : typed) {
        if (experiment::namesFigure(text)) {
            ASSIGN_OR_RETURN(const auto limit, choice(experiment::parseFigureLimit)(text, option));
            figures.push_back(limit);
        } else {
            ASSIGN_OR_RETURN(const auto limit, choice(calibration::parseLimit)(text, option));
            limits.push_back(limit);
        }
    }
    return {};
}

}  // namespace epsilens::cli
