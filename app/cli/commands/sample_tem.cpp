#include "app/cli/commands/sample_tem.h"

#include <utility>

#include "app/cli/commands/sample_sentences.h"
#include "core/calibration/tem_run.h"
#include "core/engine/selection_draws.h"

namespace epsilens::cli {
namespace {

Result<std::vector<mechanism::TruncatedExponential>> mechanismsOf(
    const calibration::CalibrationOptions& options, std::int64_t vocabularySize) {
    const auto truncations = calibration::truncationsOf(options, vocabularySize);
    if (!truncations) {
        return tl::unexpected(truncations.error());
    }
    std::vector<mechanism::TruncatedExponential> mechanisms;
    for (const double epsilon : options.epsilons) {
        const auto mechanism = truncations->front().at(epsilon);
        if (!mechanism) {
            return tl::unexpected(mechanism.error());
        }
        mechanisms.push_back(*mechanism);
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

}  // namespace

Result<void> fillTemSettings(report::SampleReport& report, const engine::SearchSpace& space,
                             const MechanismOptions& mechanism, int sentences,
                             const CommandContext& context) {
    const calibration::CalibrationOptions options = temOptions(mechanism, context.general);
    const auto mechanisms = mechanismsOf(options, space.embedding().wordCount());
    if (!mechanisms) {
        return tl::unexpected(mechanisms.error());
    }
    auto metric =
        metric::WordMetric::create(space.handle(), mechanism.metric, mechanism.lambdas.front());
    if (!metric) {
        return tl::unexpected(metric.error());
    }
    const auto metricSpace =
        engine::MetricSpace::create(std::move(*metric), context.general.threads);
    if (!metricSpace) {
        return tl::unexpected(metricSpace.error());
    }
    const auto numbers = numberDistinctWords(report);
    const auto words = engine::drawSelections(
        *metricSpace, report.distinctWords, *mechanisms,
        {report.draws, report.seed, report.nearNeighbours, context.general.threads},
        context.console.job(context.stop));
    if (!words) {
        return tl::unexpected(words.error());
    }
    for (std::size_t i = 0; i < mechanisms->size(); ++i) {
        report.settings.push_back(settingOf(report, numbers, *words, i, sentences));
        report.settings.back().guarantee = (*mechanisms)[i].guarantee(metricSpace->metric());
    }
    return {};
}

}  // namespace epsilens::cli
