#pragma once

#include <memory>

#include "app/cli/commands/command.h"
#include "app/cli/commands/sanitize.h"
#include "core/mechanism/mechanism.h"
#include "core/release/sanitize_stream.h"
#include "core/release/sanitizer.h"
#include "core/release/word_replacer.h"
#include "core/report/release_report.h"

namespace epsilens::cli {

/// What all texts of a run of `sanitize` share.
struct ReleaseSetup {
    mechanism::Setting setting{};
    release::ReleasePolicies policies{};
    engine::SearchSpaceHandle space{};
    std::unique_ptr<release::WordReplacer> replacer{};

    /// For one text.
    [[nodiscard]] Result<release::Sanitizer> sanitizer() const {
        return release::Sanitizer::create(space, *replacer, policies);
    }
    [[nodiscard]] report::ReleaseReport describe(const release::Sanitizer& sanitizer,
                                                 const release::StreamEnd& end) const {
        return report::describeRelease(space->embedding(), setting, sanitizer, end);
    }
};

/// The policies of the command line with its stop words. Fails as release::readStopWords.
[[nodiscard]] Result<release::ReleasePolicies> releasePolicies(const SanitizeOptions& options,
                                                               const CommandContext& context);

/// Opens the embedding and prepares the mechanism. Fails as openSearchSpace and
/// release::createReplacer.
[[nodiscard]] Result<ReleaseSetup> setUpRelease(const SanitizeOptions& options,
                                                release::ReleasePolicies policies,
                                                const CommandContext& context);

/// The error of a text with its file, and the options that help against bytes that are no text.
[[nodiscard]] Error withReleaseOptions(Error error, const std::string& textPath);

/// Says what was done and what is left unprotected. Fails when a warning cannot be written.
[[nodiscard]] Result<void> sayRelease(const report::ReleaseReport& report, Console& console);

/// Standard output where the path is empty. Fails as release::ReleaseOutputs::open.
[[nodiscard]] Result<release::ReleaseOutputs> openReleaseOutputs(const std::string& textPath,
                                                                 const std::string& sidecarPath,
                                                                 const std::stop_token& stop);

}  // namespace epsilens::cli
