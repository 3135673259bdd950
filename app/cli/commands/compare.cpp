#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "app/cli/commands/preparation.h"
#include "app/cli/parser/shared_options.h"
#include "core/base/error.h"
#include "core/base/numbers.h"
#include "core/corpus/tokenised_documents.h"
#include "core/embedding/load.h"
#include "core/evaluation/figure_search.h"
#include "core/report/command_fields.h"

namespace epsilens::cli {
namespace {

using calibration::MeasurementOptions;
using mechanism::Mechanism;

/// "50%" or "0.5"
Result<double> parseShare(std::string_view typed, std::string_view option) {
    const bool isPercent = typed.ends_with('%');
    ASSIGN_OR_RETURN(const double value,
                     parseNumber(isPercent ? typed.substr(0, typed.size() - 1) : typed, option));
    const double share = isPercent ? value / 100.0 : value;
    if (!(share > 0.0 && share < 1.0)) {
        return refused(fmt::format("{}: {} is not above 0% and below 100%", option, typed));
    }
    return share;
}

/// The pair typed, else the first well-known one whose words are there.
Result<std::optional<report::RowPair>> pairOf(const CompareOptions& options,
                                              const embedding::Vocabulary& vocabulary) {
    if (options.pair) {
        ASSIGN_OR_RETURN(const auto pairs, findPairs({*options.pair}, vocabulary));
        return std::optional(pairs.front());
    }
    const auto known = embedding::exampleRows(vocabulary);
    return known.empty() ? std::nullopt : std::optional(known.front());
}

/// The words that are measured: random ones, or tokens of the texts.
Result<void> chooseWords(const CompareOptions& options, const engine::SearchSpace& space,
                         const corpus::DataSet* data, const CommandContext& context,
                         MeasurementOptions& run) {
    if (data == nullptr) {
        run.words.count = std::min<std::int64_t>(options.words, space.embedding().wordCount());
        return {};
    }
    ASSIGN_OR_RETURN(const auto tokens, context.withProgress([&](const JobContext& job) {
        return corpus::tokeniseDocuments(data->documents, space.embedding().vocabulary(),
                                         options.evaluation.run.policies, run.threads, job);
    }));
    corpus::TokenSample sample = corpus::sampleTokens(tokens, options.words);
    run.words = {calibration::WordSelection::Kind::list, 0, std::move(sample.rows)};
    run.weights = std::move(sample.weights);
    return {};
}

/// What an attacker guesses and what the texts are good for at the epsilon of each row.
Result<void> measureTexts(const CompareOptions& options, const engine::SearchSpace& space,
                          const corpus::DataSet& data, const CommandContext& context,
                          report::ComparisonReport& report) {
    const std::vector<evaluation::FigureName> figures(report::kComparedFigures.begin(),
                                                      report::kComparedFigures.end());
    ASSIGN_OR_RETURN(auto asked, readPolicies(options.evaluation, context));
    asked.grid = mechanism::Grid::of(report.rows.front().mechanism);
    asked.grid.epsilons = {report.rows.front().setting.epsilon};
    ASSIGN_OR_RETURN(const auto evaluation, context.withProgress([&](const JobContext& job) {
        return evaluation::Evaluation::create(space, data, asked, job);
    }));
    for (report::ComparisonRow& row : report.rows) {
        ASSIGN_OR_RETURN(const auto readings, context.withProgress([&](const JobContext& job) {
            return evaluation::readFigures(evaluation, figures, row.mechanism,
                                           std::span(&row.setting.epsilon, 1), nullptr, job);
        }));
        for (std::size_t figure = 0; figure < figures.size(); ++figure) {
            row.figures.at(figure) = readings.front()[figure];
        }
    }
    return {};
}

}  // namespace

void addCompare(TypedOptions& options, GeneralOptions& general, CompareOptions& compare) {
    addGeneral(options, general);
    options.list("--kept", "SHARE",
                 "share of the words that are kept, such as 50%; may be repeated (default 50%)",
                 compare.kept, parseShare);
    options.value("--mechanism", "NAMES",
                  "mechanisms, separated by commas (default: all; mahalanobis at lambda 0.5 and 1)",
                  compare.mechanisms,
                  commaList(choice([](std::string_view name) { return Mechanism::named(name); })));
    options.value("--pair", "WORD,WORD", "two words whose odds to state", compare.pair,
                  choice(parsePair));
    options.value("--words", "N",
                  "words to draw: random ones or, with --data, words of its texts as often as they "
                  "occur, so that some come up again (default {})",
                  compare.words, integer(1, 1'000'000));
    addDraws(options, compare.run.draws);
    addNear(options, compare.run.nearNeighbours);
    addTexts(options, compare.evaluation.data);
    addRepeats(options, compare.evaluation.run);
    for (const char* option :
         {"--text-column", "--test", "--label-column", "--split-column", "--repeats"}) {
        options.needs(option, "--data");
    }
    takeSeed(options, general, compare.run);
    options.footer(
        "Example:\n  epsilens-cli compare vectors.txt.gz --kept 50% --pair paris,london\n"
        "  epsilens-cli compare vectors.txt.gz --data messages.csv --label-column class");
}

Result<CommandResult> runCompare(const CompareOptions& options, const CommandContext& context) {
    std::optional<corpus::DataSet> data;
    if (!options.evaluation.data.path.empty()) {
        ASSIGN_OR_RETURN(data, readLabelled(options.evaluation.data, context));
    }
    ASSIGN_OR_RETURN(const auto space, openSearchSpace(context));
    const embedding::Vocabulary& vocabulary = space->embedding().vocabulary();
    ASSIGN_OR_RETURN(const auto pair, pairOf(options, vocabulary));
    MeasurementOptions run = options.run;
    std::vector<Mechanism> mechanisms;
    for (const Mechanism& mechanism : calibration::comparableMechanisms(space->handle())) {
        if (options.mechanisms.empty() ||
            std::ranges::any_of(options.mechanisms, [&](const Mechanism& asked) {
                return asked.isKindOf(mechanism);
            })) {
            mechanisms.push_back(mechanism);
        }
    }
    RETURN_IF_ERROR(chooseWords(options, *space, data ? &*data : nullptr, context, run));
    ASSIGN_OR_RETURN(const auto compared, context.withProgress([&](const JobContext& job) {
        return calibration::compareMechanisms(*space, mechanisms, run, job);
    }));
    if (std::ranges::none_of(compared, [](const auto& one) { return one.response != nullptr; })) {
        return fail(ErrorCode::unsupported, compared.front().problem);
    }
    report::ComparisonReport report =
        report::describeComparison(*space, compared, options.kept, pair);
    if (data && !data->classes.empty() && !report.rows.empty()) {
        RETURN_IF_ERROR(measureTexts(options, *space, *data, context, report));
    }
    return rendered(context.general, {[&] { return report::kComparison.write(report); }, "rows",
                                      [&] { return report::comparisonText(report); }});
}

}  // namespace epsilens::cli
