#include "ui/release/perturb_job.h"

#include <optional>
#include <utility>

#include "core/release/sanitize_stream.h"
#include "ui/common/analysis_state.h"

namespace epsilens::ui {

namespace {

Result<void> writeSidecar(const std::string& path, const report::ReleaseReport& report) {
    if (path.empty()) {
        return {};
    }
    auto sidecar = release::TextOutput::toFile(path);
    if (!sidecar) {
        return tl::unexpected(sidecar.error());
    }
    return sidecar->write(report::releaseJson(report)).and_then([&] { return sidecar->finish(); });
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
    auto output = release::TextOutput::toFile(request.outputPath);
    if (!output) {
        return tl::unexpected(output.error());
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
    const auto end = release::sanitizeStream(*input, *output, *sanitizer, options, job);
    if (!end) {
        return tl::unexpected(end.error());
    }
    report::ReleaseReport report =
        report::describeRelease(request.space->embedding(), request.mechanism, *sanitizer, *end);
    if (const auto written = writeSidecar(request.sidecarPath, report); !written) {
        return tl::unexpected(written.error());
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
