#include "app/cli/commands/sanitize.h"

#include <string>
#include <utility>

#include <unistd.h>

#include "app/cli/commands/release_setup.h"
#include "app/cli/commands/sanitize_list.h"
#include "core/base/pass_on.h"
#include "core/release/sanitize_stream.h"
#include "core/report/release_report.h"

namespace epsilens::cli {
namespace {

/// A file in which there would be nothing leaves alone what was there.
Result<void> finish(release::ReleaseOutputs& outputs, const report::ReleaseReport& report,
                    const std::stop_token& stop) {
    if (report.end.interrupted && report.end.wholeLines == 0 && outputs.text.isRevocable()) {
        return {};
    }
    return outputs.finish(report::releaseJson(report), stop);
}

/// From opened files to written text.
Result<report::ReleaseReport> release(const SanitizeOptions& options,
                                      const release::ReleasePolicies& policies,
                                      release::TextInput& input, release::ReleaseOutputs& outputs,
                                      const CommandContext& context) {
    ASSIGN_OR_RETURN(const auto setup, setUpRelease(options, policies, context));
    ASSIGN_OR_RETURN(auto sanitizer, setup.sanitizer());
    release::StreamOptions stream;
    stream.threads = context.general.threads;
    stream.table = options.table;
    auto end = context.withProgress([&](const JobContext& job) {
        return release::sanitizeStream(input, outputs.text, sanitizer, stream, job);
    });
    if (!end) {
        return tl::unexpected(withReleaseOptions(end.error(), options.textPath));
    }
    if (end->failure) {
        end->failure = withReleaseOptions(*end->failure, options.textPath);
    }
    return setup.describe(sanitizer, *end);
}

Result<CommandResult> sanitizeAlone(const SanitizeOptions& options, const CommandContext& context) {
    ASSIGN_OR_RETURN(const auto policies, releasePolicies(options, context));
    ASSIGN_OR_RETURN(auto input,
                     release::TextInput::open(options.textPath, options.decoding, context.stop));
    ASSIGN_OR_RETURN(auto outputs, openReleaseOutputs(context.general.outputPath,
                                                      options.sidecarPath, context.stop));
    if (options.textPath == "-" && isatty(STDIN_FILENO) == 1) {
        context.console.note(
            "reading the text from the terminal; Ctrl+D on a line of its own ends it");
    }
    ASSIGN_OR_RETURN(const auto report, release(options, policies, input, outputs, context));
    // First of all: what is unprotected is said whatever becomes of the files, and no file appears
    // where nobody could read it.
    const auto finished = sayRelease(report, context.console).and_then([&] {
        return finish(outputs, report, context.stop);
    });
    if (report.end.failure) {
        return tl::unexpected(*report.end.failure);
    }
    if (!finished) {
        Error error = finished.error();
        if (error.code == ErrorCode::cancelled) {
            error = Error{
                ErrorCode::ioFailed,
                "the sidecar was not written, because nothing read it; the text may be incomplete",
                {},
                0};
        }
        return tl::unexpected(std::move(error));
    }
    CommandResult result;
    result.interrupted = report.end.interrupted;
    result.isWritten = true;
    return result;
}

}  // namespace

Result<CommandResult> runSanitize(const SanitizeOptions& options, const CommandContext& context) {
    if (!options.listPath.empty()) {
        return sanitizeList(options, context);
    }
    return sanitizeAlone(options, context);
}

}  // namespace epsilens::cli
