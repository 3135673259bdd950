#include "app/cli/commands/sample_settings.h"

#include <utility>

#include "app/cli/commands/sample_sentences.h"
#include "core/base/pass_on.h"
#include "core/calibration/calibrate.h"
#include "core/calibration/tem_run.h"
#include "core/engine/create_series.h"
#include "core/engine/noise_draws.h"
#include "core/engine/selection_draws.h"
#include "core/io/memory_limit.h"

namespace epsilens::cli {
namespace {

Result<std::vector<mechanism::TruncatedExponential>> mechanismsOf(
    const calibration::CalibrationOptions& options, std::int64_t vocabularySize) {
    ASSIGN_OR_RETURN(const auto truncations, calibration::truncationsOf(options, vocabularySize));
    std::vector<mechanism::TruncatedExponential> mechanisms;
    for (const double epsilon : options.epsilons) {
        ASSIGN_OR_RETURN(const auto mechanism, truncations.front().at(epsilon));
        mechanisms.push_back(mechanism);
    }
    return mechanisms;
}

report::SampledSetting settingOf(const report::SampleReport& report,
                                 const std::unordered_map<embedding::Row, std::size_t>& numbers,
                                 const std::vector<engine::SelectionOutputs>& words,
                                 std::size_t index, int sentences) {
    report::SampledSetting setting;
    for (int sentence = 0; sentence < sentences; ++sentence) {
        setting.sentences.push_back(
            sampledSentence(report, numbers, sentence, [&](std::size_t word, int draw) {
                return words[word].outputs[index][static_cast<std::size_t>(draw)];
            }));
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

Result<WordOutputs> temOutputs(const report::SampleReport& report, const engine::SearchSpace& space,
                               const MechanismOptions& mechanism, const CommandContext& context,
                               std::vector<mechanism::Guarantee>& guarantees) {
    const calibration::CalibrationOptions options = calibrationOptions(mechanism, context.general);
    ASSIGN_OR_RETURN(const auto mechanisms, mechanismsOf(options, space.embedding().wordCount()));
    ASSIGN_OR_RETURN(auto metric, metric::WordMetric::create(space.handle(), mechanism.metric,
                                                             mechanism.lambdas.front()));
    ASSIGN_OR_RETURN(const auto metricSpace,
                     engine::MetricSpace::create(std::move(metric), context.general.threads));
    for (const mechanism::TruncatedExponential& one : mechanisms) {
        guarantees.push_back(one.guarantee(metricSpace.metric()));
    }
    return engine::drawSelections(metricSpace, report.distinctWords, mechanisms,
                                  selectionOptions(report, context),
                                  context.console.job(context.stop));
}

Result<WordOutputs> noiseOutputs(const report::SampleReport& report,
                                 const engine::SearchSpace& space,
                                 const MechanismOptions& mechanism, const CommandContext& context,
                                 std::vector<mechanism::Guarantee>& guarantees) {
    calibration::CalibrationOptions options = calibrationOptions(mechanism, context.general);
    options.words.kind = calibration::WordSelection::Kind::all;
    if (const auto problem = calibration::validate(options, space.embedding())) {
        return tl::unexpected(*problem);
    }
    ASSIGN_OR_RETURN(const auto series, engine::createSeries(space, noiseChoice(mechanism)));
    for (const double epsilon : mechanism.epsilons) {
        guarantees.push_back((series)->guarantee(0, epsilon));
    }
    return engine::drawOutputs(*series, report.distinctWords, mechanism.epsilons,
                               selectionOptions(report, context),
                               context.console.job(context.stop));
}

/// Refuses work that needs more memory than is free, or more than an hour without --yes.
Result<void> checkCost(const report::SampleReport& report, const engine::SearchSpace& space,
                       const MechanismOptions& mechanism, const CommandContext& context) {
    if (report.distinctWords.empty()) {
        return {};
    }
    calibration::CalibrationOptions options = calibrationOptions(mechanism, context.general);
    options.words = {calibration::WordSelection::Kind::list, 0, report.distinctWords};
    options.draws = report.draws;
    ASSIGN_OR_RETURN(const auto cost, calibration::estimateCost(space, options));
    const double outputs = static_cast<double>(report.distinctWords.size()) * report.draws *
                           static_cast<double>(mechanism.epsilons.size());
    const io::MemoryBudget budget(0);
    return budget
        .check(2.0 * sizeof(embedding::Row) * outputs, "the outputs",
               "ask for fewer words, draws or values of epsilon")
        .and_then([&] { return refuseLongWork(cost.seconds, context); });
}

}  // namespace

Result<void> fillSettings(report::SampleReport& report, const engine::SearchSpace& space,
                          const MechanismOptions& mechanism, int sentences,
                          const CommandContext& context) {
    const auto numbers = numberDistinctWords(report);
    if (auto affordable = checkCost(report, space, mechanism, context); !affordable) {
        return affordable;
    }
    std::vector<mechanism::Guarantee> guarantees;
    ASSIGN_OR_RETURN(const auto words,
                     mechanism.kind == mechanism::Kind::tem
                         ? temOutputs(report, space, mechanism, context, guarantees)
                         : noiseOutputs(report, space, mechanism, context, guarantees));
    for (std::size_t i = 0; i < guarantees.size(); ++i) {
        report.settings.push_back(settingOf(report, numbers, words, i, sentences));
        report.settings.back().guarantee = std::move(guarantees[i]);
    }
    return {};
}

}  // namespace epsilens::cli
