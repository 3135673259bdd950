#include "ui/release/perturb_job.h"

#include <optional>
#include <utility>

#include "core/release/sanitize_stream.h"
#include "ui/common/analysis_state.h"

namespace epsilens::ui {

namespace {

/// Where text and sidecar go; opened before the work.
struct Outputs {
    release::TextOutput text;
    std::optional<release::TextOutput> sidecar{};
};

Result<Outputs> openOutputs(const PerturbRequest& request, const JobContext& job) {
    const std::string& embedding = request.space->embedding().embedding.path;
    for (const std::string& place : {request.outputPath, request.sidecarPath}) {
        const auto apart =
            release::checkIsNoInput(place, {request.inputPath, request.stopWordsPath, embedding});
        if (!apart) {
            return tl::unexpected(apart.error());
        }
    }
    auto text = release::TextOutput::toFile(request.outputPath, job.stop);
    if (!text) {
        return tl::unexpected(text.error());
    }
    Outputs outputs{std::move(*text)};
    if (!request.sidecarPath.empty()) {
        auto sidecar = release::TextOutput::toFile(request.sidecarPath, job.stop);
        if (!sidecar) {
            return tl::unexpected(sidecar.error());
        }
        outputs.sidecar.emplace(std::move(*sidecar));
    }
    return outputs;
}

/// Both appear, or neither where the first step of one fails.
Result<void> finish(Outputs& outputs, const report::ReleaseReport& report) {
    if (outputs.sidecar) {
        if (auto written = outputs.sidecar->write(report::releaseJson(report)); !written) {
            return written;
        }
    }
    return outputs.text.finish().and_then(
        [&] { return outputs.sidecar ? outputs.sidecar->finish() : Result<void>(); });
}

}  // namespace

Result<report::ReleaseReport> perturbFile(const PerturbRequest& request, const JobContext& job) {
    release::ReleasePolicies policies = request.policies;
    if (!request.stopWordsPath.empty()) {
        auto stopWords = release::readStopWords(request.stopWordsPath, job.stop);
        if (!stopWords) {
            return tl::unexpected(stopWords.error());
        }
        policies.stopWords = std::move(*stopWords);
    }
    auto input = release::TextInput::open(request.inputPath, job.stop);
    if (!input) {
        return tl::unexpected(input.error());
    }
    auto outputs = openOutputs(request, job);
    if (!outputs) {
        return tl::unexpected(outputs.error());
    }
    const auto replacer = release::createReplacer(request.space, request.mechanism);
    if (!replacer) {
        return tl::unexpected(replacer.error());
    }
    auto sanitizer = release::Sanitizer::create(request.space, **replacer, std::move(policies));
    if (!sanitizer) {
        return tl::unexpected(sanitizer.error());
    }
    release::StreamOptions options;
    options.keepPartial = false;
    const auto end = release::sanitizeStream(*input, outputs->text, *sanitizer, options, job);
    if (!end || end->failure) {
        return tl::unexpected(end ? *end->failure : end.error());
    }
    report::ReleaseReport report =
        report::describeRelease(request.space->embedding(), request.mechanism, *sanitizer, *end);
    if (const auto finished = finish(*outputs, report); !finished) {
        return tl::unexpected(finished.error());
    }
    return report;
}

release::ReleaseMechanism releaseMechanism(const AnalysisState& state) {
    // Not the options of a calibration: their parameters are those of the grid.
    const MechanismChoice choice = state.choice();
    release::ReleaseMechanism mechanism;
    mechanism.kind = choice.kind;
    mechanism.epsilon = state.epsilon();
    mechanism.lambda = choice.lambda;
    mechanism.metric = choice.metric;
    mechanism.gamma = choice.gamma;
    mechanism.beta = choice.beta;
    mechanism.hyperbolic = {choice.law, choice.placement};
    return mechanism;
}

}  // namespace epsilens::ui
