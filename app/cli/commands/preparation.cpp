#include "app/cli/commands/preparation.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/attack/prior.h"
#include "core/base/error.h"
#include "core/base/numbers.h"
#include "core/document/csv_rows.h"
#include "core/document/json_parts.h"
#include "core/document/session.h"
#include "core/embedding/load.h"
#include "core/engine/word_sample.h"
#include "core/io/output.h"
#include "core/mechanism/elliptical_noise.h"
#include "core/report/info_report.h"
#include "core/text/lookup.h"
#include "core/text/nearest_spellings.h"

namespace epsilens::cli {
namespace {

using calibration::WordSelection;
using embedding::Row;
using Kind = WordsOption::Kind;

/// "0, 0.5, 1"
std::string listText(const std::vector<double>& values) {
    return fmt::format("{}", fmt::join(values, ", "));
}

std::string countText(std::size_t count) {
    return formatCount(count);
}

tl::unexpected<Error> noneKnown(std::int64_t words, std::string file) {
    return tl::unexpected(
        Error{ErrorCode::badFile,
              fmt::format("none of its {} words is in the embedding", formatCount(words)),
              std::move(file), 0});
}

WordSelection listed(std::vector<Row> rows) {
    return {WordSelection::Kind::list, 0, std::move(rows)};
}

/// eligible  ascending
Result<WordSelection> wordsOfList(const std::string& path, const embedding::Vocabulary& vocabulary,
                                  const std::vector<Row>& eligible, const CommandContext& context) {
    ASSIGN_OR_RETURN(const auto list, embedding::findListedWords(path, vocabulary, context.stop));
    std::vector<Row> rows;
    std::ranges::copy_if(list.rows, std::back_inserter(rows), [&](Row row) {
        return std::binary_search(eligible.begin(), eligible.end(), row);
    });
    const auto known = std::ssize(list.rows);
    const std::int64_t absent = known - std::ssize(rows);
    if (known == 0) {
        return noneKnown(list.words, path);
    }
    if (rows.empty()) {
        return tl::unexpected(Error{
            ErrorCode::badFile,
            fmt::format("none of its {} words occurs in the data set", formatCount(list.words)),
            path, 0});
    }
    if (known < list.words) {
        context.console.warning(fmt::format("{}: {} of {} words unknown", path,
                                            formatCount(list.words - known),
                                            formatCount(list.words)));
    }
    if (absent > 0) {
        context.console.note(fmt::format("{}: {} of {} words do not occur in the data set", path,
                                         formatCount(absent), formatCount(list.words)));
    }
    return listed(std::move(rows));
}

Result<WordSelection> resolveWords(const WordsOption& option, const engine::SearchSpace& space,
                                   const std::optional<text::DataSetWords>& data,
                                   const CommandContext& context) {
    const embedding::Vocabulary& vocabulary = space.embedding().vocabulary();
    std::vector<Row> eligible;
    if (data) {
        eligible = data->words();
    } else {
        eligible.resize(static_cast<std::size_t>(vocabulary.size()));
        std::iota(eligible.begin(), eligible.end(), 0);
    }
    if (eligible.empty()) {
        return noneKnown(data->tokens(), data->file);
    }
    const bool isCounted =
        option.kind != Kind::all && option.kind != Kind::list && option.kind != Kind::rows;
    if (isCounted && option.isGiven && option.count > std::ssize(eligible)) {
        context.console.note(fmt::format(
            "--words: only {} words are available, so all of them are used instead of {}",
            countText(eligible.size()), formatCount(option.count)));
    }
    switch (option.kind) {
        case Kind::all:
            return data ? listed(std::move(eligible))
                        : WordSelection{WordSelection::Kind::all, 0, {}};
        case Kind::random:
            return data ? listed(engine::sampleWords(eligible, option.count, context.general.seed))
                        : WordSelection{WordSelection::Kind::random, option.count, {}};
        case Kind::rows:
            return listed(option.rows);
        case Kind::list:
            return wordsOfList(option.listPath, vocabulary, eligible, context);
        case Kind::sparsest:
        case Kind::densest:
            break;
    }
    ASSIGN_OR_RETURN(const auto density, computeDensity(space, context));
    const auto choose =
        option.kind == Kind::sparsest ? calibration::sparsestWords : calibration::densestWords;
    return listed(choose(density, option.count, eligible));
}

std::optional<calibration::SelectionDescription> describeSelection(
    const MeasuredWords& measured, const std::optional<text::DataSetWords>& data) {
    const WordsOption& option = measured.words;
    if (!data && (option.kind == Kind::all || option.kind == Kind::random)) {
        return std::nullopt;
    }
    if (option.kind == Kind::rows) {
        return option.rowsFrom;
    }
    calibration::SelectionDescription selection;
    selection.words = option.name;
    if (data) {
        selection.dataFormat = measured.data.records.format;
        selection.letterCase = measured.data.letterCase;
        selection.dataFile = data->file;
        selection.dataColumn = data->column;
        selection.dataRecords = data->records();
    }
    return selection;
}

void warnOfBadRows(const std::string& file, std::int64_t count, const corpus::BadRows& first,
                   const CommandContext& context) {
    if (count > 0) {
        context.console.warning(
            fmt::format("{}: {} rows left out, because they lack a text or another column, or are "
                        "malformed: {}",
                        file, formatCount(count), corpus::rowsText(first, count)));
    }
}

/// How to load the embedding of the run. Embedding and word list are looked for at their stored
/// paths, then in the folder of the document.
Result<embedding::LoadOptions> loadOptions(const document::KeptDocument& document,
                                           const std::string& typed, const std::string& from) {
    embedding::LoadOptions load = document.report.run.request.load;
    load.path = typed;
    if (typed.empty()) {
        ASSIGN_OR_RETURN(load.path, document::firstExisting(document.embeddingPlaces));
    }
    if (load.path == "-" && typed.empty()) {
        return fail(ErrorCode::invalidArgument,
                    "the embedding came from standard input; name it: EMBEDDING --from FILE");
    }
    if (!load.vocabularyPath.empty()) {
        document::SessionEmbedding list;
        list.load.path = load.vocabularyPath;
        ASSIGN_OR_RETURN(load.vocabularyPath,
                         document::firstExisting(document::embeddingPlaces(list, from)));
    }
    return load;
}

Result<Row> findWord(const text::Lookup& lookup, std::string_view word) {
    if (const auto row = lookup.find(word)) {
        return *row;
    }
    return fail(ErrorCode::invalidArgument,
                fmt::format("--pair: \"{}\" is not in the vocabulary{}", word,
                            similarWords(lookup.vocabulary(), word)));
}

}  // namespace

Result<engine::SearchSpaceHandle> openSearchSpace(const CommandContext& context) {
    embedding::LoadOptions load = context.general.load;
    load.threads = context.general.threads;
    load.copies = engine::SearchSpace::kCopiesOfVectors;
    ASSIGN_OR_RETURN(const auto prepared, context.withProgress([&](const JobContext& job) {
        return embedding::openAndPrepare(load, job);
    }));
    const embedding::Embedding& embedding = prepared->embedding;
    if (!context.general.expectedSha256.empty() &&
        embedding.report.sha256 != context.general.expectedSha256) {
        return tl::unexpected(Error{ErrorCode::badFile,
                                    "this is not the embedding of the session (the SHA-256 "
                                    "differs); name the embedding to use it anyway",
                                    context.general.load.path, 0});
    }
    const std::string skipped = report::skippedRowsText(embedding.report);
    if (!skipped.empty()) {
        context.console.warning(fmt::format("{}: {}", embedding.name, skipped));
    }
    const std::string outlying = report::outlyingRowsText(*prepared);
    if (!outlying.empty()) {
        context.console.warning(fmt::format("{}: {}", embedding.name, outlying));
    }
    if (embedding.report.limitedTo) {
        context.console.note(fmt::format("{}: limited to the first {} rows", embedding.name,
                                         formatCount(*embedding.report.limitedTo)));
    }
    if (const auto& selection = embedding.report.vocabulary) {
        context.console.note(fmt::format("{}: {} words of the vocabulary kept, {} not in the file",
                                         embedding.name, formatCount(selection->kept),
                                         formatCount(selection->missing)));
    }
    return std::make_shared<const engine::SearchSpace>(prepared);
}

CommandResult rendered(const GeneralOptions& general, const CommandOutput& output, bool isPartial) {
    CommandResult result;
    result.interrupted = isPartial;
    switch (general.format) {
        case OutputFormat::json:
            result.text = document::jsonText(output.data());
            break;
        case OutputFormat::csv:
            result.text = document::csvRows(output.data(), output.rows);
            break;
        case OutputFormat::html:
            result.text = output.html();
            break;
        case OutputFormat::text:
            result.text = output.text();
    }
    return result;
}

std::string similarWords(const embedding::Vocabulary& vocabulary, std::string_view word) {
    std::string similar;
    for (const text::Spelling& spelling : text::nearestSpellings(vocabulary, word)) {
        similar += fmt::format("{}{}", similar.empty() ? "; similar: " : ", ",
                               vocabulary.word(spelling.row));
    }
    return similar;
}

Result<engine::SearchSpaceHandle> openEmbeddingOf(const document::KeptDocument& document,
                                                  const std::string& from,
                                                  const CommandContext& context) {
    GeneralOptions general = context.general;
    ASSIGN_OR_RETURN(general.load, loadOptions(document, general.load.path, from));
    RETURN_IF_ERROR(
        io::checkIsNoInput(general.outputPath, {general.load.path, general.load.vocabularyPath}));
    ASSIGN_OR_RETURN(auto space, openSearchSpace({general, context.console, context.stop}));
    RETURN_IF_ERROR(calibration::checkVectors(space->embedding().embedding,
                                              document.report.run.provenance.embedding.sha256));
    return space;
}

Result<release::StopWordsHandle> readStopWords(const std::string& path,
                                               const CommandContext& context) {
    return path.empty() ? Result<release::StopWordsHandle>(nullptr)
                        : release::readStopWords(path, context.stop);
}

mechanism::Grid usedValues(mechanism::Grid grid) {
    if (!grid.mechanism.hasLambda()) {
        grid.lambdas.clear();
    }
    if (!grid.mechanism.hasRadius()) {
        grid.gammas.clear();
    }
    if (!grid.mechanism.hasRadius() || !grid.gammas.empty()) {
        grid.betas.clear();
    }
    return grid;
}

calibration::CalibrationOptions calibrationOptions(const mechanism::Grid& grid,
                                                   const GeneralOptions& general) {
    calibration::CalibrationOptions options;
    options.grid = grid;
    options.seed = general.seed;
    options.threads = general.threads;
    return options;
}

Result<engine::EpsilonRange> epsilonRange(const engine::SearchSpace& space,
                                          const calibration::CalibrationOptions& options,
                                          const CommandContext& context) {
    return context.withProgress(
        [&](const JobContext& job) { return calibration::estimateRange(space, options, job); });
}

Result<void> chooseEpsilon(const engine::SearchSpace& space, mechanism::Grid& grid,
                           const CommandContext& context) {
    if (!grid.epsilons.empty()) {
        return {};
    }
    calibration::CalibrationOptions first = calibrationOptions(grid, context.general);
    first.grid.lambdas = {grid.lambdas.front()};
    ASSIGN_OR_RETURN(const auto range, epsilonRange(space, first, context));
    grid.epsilons = {range.suggested};
    context.console.note(
        fmt::format("no --epsilon given: using {}, the median critical epsilon of {} random words",
                    formatNumber(range.suggested), formatCount(range.words)));
    return {};
}

Result<void> chooseEpsilons(const engine::SearchSpace& space,
                            calibration::CalibrationOptions& options,
                            const CommandContext& context) {
    if (!options.grid.epsilons.empty()) {
        return {};
    }
    ASSIGN_OR_RETURN(const auto range, epsilonRange(space, options, context));
    options.grid.epsilons = calibration::defaultEpsilons(space, options, range);
    context.console.note(
        fmt::format("no --epsilon given: using {} ({})", listText(options.grid.epsilons),
                    options.grid.mechanism.hasEpsilonBound()
                        ? std::string("derived from m - 1, the bound above which this noise exists")
                        : fmt::format("from the critical epsilons of {} random words",
                                      formatCount(range.words))));
    return {};
}

void chooseLambdas(const engine::SearchSpace& space, mechanism::Grid& grid, Console& console) {
    if (!grid.lambdas.empty() || !grid.mechanism.hasLambda()) {
        return;
    }
    const double largest = mechanism::largestUsableLambda(space.embedding().basis);
    std::vector<double> dropped;
    for (const double lambda : calibration::defaultLambdaGrid()) {
        (lambda <= largest ? grid.lambdas : dropped).push_back(lambda);
    }
    console.note(fmt::format("no --lambda given: using {}", listText(grid.lambdas)));
    if (!dropped.empty()) {
        console.note(
            fmt::format("lambda {} left out: the covariance of these vectors is singular, "
                        "the largest usable lambda is {}",
                        listText(dropped), formatNumber(largest)));
    }
}

Result<std::optional<text::DataSetWords>> readData(const DataOption& data,
                                                   const embedding::Vocabulary& vocabulary,
                                                   const CommandContext& context) {
    if (data.records.path.empty()) {
        return std::nullopt;
    }
    const text::Lookup lookup(vocabulary, data.letterCase);
    ASSIGN_OR_RETURN(auto words, context.withProgress([&](const JobContext& job) {
        return text::readDataSet(data.records, lookup, context.general.threads, job);
    }));
    if (words.skippedRecords > 0) {
        context.console.warning(
            fmt::format("{}: {} records skipped, because they are malformed or have another number "
                        "of fields than the first",
                        words.file, formatCount(words.skippedRecords)));
    }
    context.console.note(fmt::format(
        "{}: {} records with {} words, {} of them unknown; {} words of the vocabulary occur in it",
        words.file, formatCount(words.records()), formatCount(words.tokens()),
        formatCount(words.unknownTokens()), countText(words.words().size())));
    return std::optional(std::move(words));
}

Result<calibration::DensityProfile> computeDensity(const engine::SearchSpace& space,
                                                   const CommandContext& context) {
    return context.withProgress([&](const JobContext& job) {
        return calibration::densityProfile(space, context.general.threads, job);
    });
}

Result<std::optional<calibration::SelectionDescription>> chooseWords(
    const MeasuredWords& measured, const engine::SearchSpace& space, const CommandContext& context,
    WordSelection& chosen) {
    ASSIGN_OR_RETURN(const auto data,
                     readData(measured.data, space.embedding().vocabulary(), context));
    ASSIGN_OR_RETURN(chosen, resolveWords(measured.words, space, data, context));
    return describeSelection(measured, data);
}

Result<corpus::DataSet> readLabelled(corpus::DataSetOptions options,
                                     const CommandContext& context) {
    options.strict = context.general.load.strict;
    ASSIGN_OR_RETURN(auto data, context.withProgress([&](const JobContext& job) {
        return corpus::readDataSet(options, job);
    }));
    context.console.note(fmt::format("{}: {} documents; {}", data.file,
                                     countText(data.documents.size()), data.columns));
    warnOfBadRows(data.file, data.badRows - data.badTestRows, data.firstBadRows, context);
    warnOfBadRows(std::filesystem::path(options.testPath).filename().string(), data.badTestRows,
                  data.firstBadTestRows, context);
    return data;
}

Result<evaluation::EvaluationOptions> readPolicies(const EvaluateOptions& options,
                                                   const CommandContext& context) {
    evaluation::EvaluationOptions asked = options.run;
    asked.seed = context.general.seed;
    asked.threads = context.general.threads;
    ASSIGN_OR_RETURN(asked.policies.stopWords, readStopWords(options.stopWordsPath, context));
    ASSIGN_OR_RETURN(asked.policies.onlyWords, readStopWords(options.onlyWordsPath, context));
    return asked;
}

Result<void> readAttackers(const EvaluateOptions& options, const embedding::Vocabulary& vocabulary,
                           evaluation::EvaluationOptions& asked, const CommandContext& context) {
    if (!options.priorPath.empty()) {
        ASSIGN_OR_RETURN(
            asked.attack.reference,
            attack::readReferenceText(options.priorPath, vocabulary, asked.policies.letterCase,
                                      context.console.job(context.stop)));
    }
    return {};
}

Result<std::vector<std::pair<Row, Row>>> findPairs(const std::vector<WordNames>& words,
                                                   const embedding::Vocabulary& vocabulary) {
    const text::Lookup lookup(vocabulary, text::CasePolicy::automatic);
    std::vector<std::pair<Row, Row>> pairs;
    for (const auto& [first, second] : words) {
        ASSIGN_OR_RETURN(const Row one, findWord(lookup, first));
        ASSIGN_OR_RETURN(const Row other, findWord(lookup, second));
        if (one == other) {
            return refuse(fmt::format("--pair: \"{}\" and \"{}\" are the same word; give two",
                                      first, second));
        }
        pairs.emplace_back(one, other);
    }
    return pairs;
}

}  // namespace epsilens::cli
