#include "app/cli/commands/sample_settings.h"

#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "app/cli/commands/grid_defaults.h"
#include "core/base/pass_on.h"
#include "core/calibration/calibrate.h"
#include "core/engine/create_series.h"
#include "core/engine/noise_draws.h"
#include "core/engine/selection_draws.h"
#include "core/io/memory_limit.h"

namespace epsilens::cli {
namespace {

using embedding::Row;

/// The number of each distinct known word of the text.
using WordNumbers = std::unordered_map<Row, std::size_t>;

/// Fills the distinct known words of the report.
WordNumbers numberDistinctWords(report::SampleReport& report) {
    WordNumbers numbers;
    for (const text::Word& word : report.text.words) {
        if (word.row && numbers.try_emplace(*word.row, report.distinctWords.size()).second) {
            report.distinctWords.push_back(*word.row);
        }
    }
    return numbers;
}

/// Sentence k gives word i of the text draw (k + i) mod R, so that its words are independent.
std::vector<Row> sampledSentence(const report::SampleReport& report, const WordNumbers& numbers,
                                 const std::vector<engine::SelectionOutputs>& words,
                                 std::size_t setting, int sentence) {
    std::vector<Row> rows;
    for (std::size_t i = 0; i < report.text.words.size(); ++i) {
        const std::optional<Row>& row = report.text.words[i].row;
        const std::size_t draw =
            (static_cast<std::size_t>(sentence) + i) % static_cast<std::size_t>(report.draws);
        rows.push_back(row ? words[numbers.at(*row)].outputs[setting][draw] : text::kAsTyped);
    }
    return rows;
}

report::SampledSetting settingOf(const report::SampleReport& report, const WordNumbers& numbers,
                                 const std::vector<engine::SelectionOutputs>& words,
                                 std::size_t index, int sentences) {
    report::SampledSetting setting;
    for (int sentence = 0; sentence < sentences; ++sentence) {
        setting.sentences.push_back(sampledSentence(report, numbers, words, index, sentence));
    }
    for (std::size_t word = 0; word < words.size(); ++word) {
        setting.distributions.push_back(statistics::outputDistribution(
            report.distinctWords[word], words[word].outputs[index], words[word].neighbours));
    }
    return setting;
}

using WordOutputs = std::vector<engine::SelectionOutputs>;

engine::SelectionOptions selectionOptions(const report::SampleReport& report,
                                          const CommandContext& context) {
    return {report.draws, report.seed, report.nearNeighbours, context.general.threads};
}

/// Of a mechanism that weighs all words.
Result<WordOutputs> weighedOutputs(const report::SampleReport& report,
                                   const engine::SearchSpace& space,
                                   const std::vector<double>& epsilons,
                                   const CommandContext& context,
                                   std::vector<mechanism::Guarantee>& guarantees) {
    ASSIGN_OR_RETURN(auto form, report.mechanism.on(space.handle()));
    auto& weights = std::get<mechanism::SelectionWeights>(form);
    std::vector<mechanism::TruncatedExponential> mechanisms;
    for (const double epsilon : epsilons) {
        ASSIGN_OR_RETURN(const auto one, weights.truncation.at(epsilon));
        mechanisms.push_back(one);
        guarantees.push_back(one.guarantee(weights.metric));
    }
    ASSIGN_OR_RETURN(const auto metricSpace, engine::MetricSpace::create(std::move(weights.metric),
                                                                         context.general.threads));
    return context.withProgress([&](const JobContext& job) {
        return engine::drawSelections(metricSpace, report.distinctWords, mechanisms,
                                      selectionOptions(report, context), job);
    });
}

Result<WordOutputs> noiseOutputs(const report::SampleReport& report,
                                 const engine::SearchSpace& space, const mechanism::Grid& grid,
                                 const CommandContext& context,
                                 std::vector<mechanism::Guarantee>& guarantees) {
    calibration::CalibrationOptions options = calibrationOptions(grid, context.general);
    options.words.kind = calibration::WordSelection::Kind::all;
    if (const auto problem = calibration::validate(options, space.embedding())) {
        return tl::unexpected(*problem);
    }
    ASSIGN_OR_RETURN(const auto series, engine::createSeries(space, grid.mechanism, grid.lambdas));
    for (const double epsilon : grid.epsilons) {
        guarantees.push_back(series->guarantee(0, epsilon));
    }
    return context.withProgress([&](const JobContext& job) {
        return engine::drawOutputs(*series, report.distinctWords, grid.epsilons,
                                   selectionOptions(report, context), job);
    });
}

/// Fails as a calibration with these settings does, and where the outputs need more memory than is
/// free.
Result<void> checkSettings(const report::SampleReport& report, const engine::SearchSpace& space,
                           const mechanism::Grid& grid, const CommandContext& context) {
    if (report.distinctWords.empty()) {
        return {};
    }
    calibration::CalibrationOptions options = calibrationOptions(grid, context.general);
    options.words = {calibration::WordSelection::Kind::list, 0, report.distinctWords};
    options.draws = report.draws;
    if (auto problem = calibration::validate(options, space.embedding())) {
        return tl::unexpected(*std::move(problem));
    }
    const double outputs = static_cast<double>(report.distinctWords.size()) * report.draws *
                           static_cast<double>(grid.epsilons.size());
    return io::MemoryBudget(0).check(2.0 * sizeof(Row) * outputs, "the outputs",
                                     "ask for fewer words, draws or values of epsilon");
}

}  // namespace

Result<void> fillSettings(report::SampleReport& report, const engine::SearchSpace& space,
                          const mechanism::Grid& grid, int sentences,
                          const CommandContext& context) {
    const auto numbers = numberDistinctWords(report);
    RETURN_IF_ERROR(checkSettings(report, space, grid, context));
    std::vector<mechanism::Guarantee> guarantees;
    ASSIGN_OR_RETURN(const auto words,
                     grid.mechanism.isExact()
                         ? weighedOutputs(report, space, grid.epsilons, context, guarantees)
                         : noiseOutputs(report, space, grid, context, guarantees));
    for (std::size_t i = 0; i < guarantees.size(); ++i) {
        report.settings.push_back(settingOf(report, numbers, words, i, sentences));
        report.settings.back().guarantee = std::move(guarantees[i]);
    }
    return {};
}

}  // namespace epsilens::cli
