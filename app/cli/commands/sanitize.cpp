#include "app/cli/commands/sanitize.h"

#include <string>
#include <utility>

#include <unistd.h>

#include <fmt/format.h>

#include "core/base/numbers.h"
#include "core/base/pass_on.h"
#include "core/release/bound_use.h"
#include "core/release/sanitize_stream.h"
#include "core/report/release_report.h"

namespace epsilens::cli {
namespace {

/// Names the options that help against bytes that are no text.
Error withOptions(Error error, const SanitizeOptions& options) {
    if (error.line > 0 && error.file.empty()) {
        error.file = options.textPath == "-" ? "standard input" : options.textPath;
    }
    if (error.remedy == Remedy::givenFormat) {
        error.remedy = Remedy::none;
        error.message += " (or --encoding NAME, or --invalid replace for single damaged places)";
    }
    return error;
}

Result<release::ReleaseOutputs> openOutputs(const std::string& textPath,
                                            const std::string& sidecarPath,
                                            const std::stop_token& stop) {
    ASSIGN_OR_RETURN(auto text, textPath.empty() ? release::TextOutput::toDescriptor(
                                                       STDOUT_FILENO, "standard output")
                                                 : release::TextOutput::toFile(textPath, stop));
    return release::ReleaseOutputs::open(std::move(text), sidecarPath, stop);
}

/// Fails when a warning cannot be written.
Result<void> say(const report::ReleaseReport& report, Console& console) {
    Result<void> said;
    for (const report::ReleaseRemark& remark : report::releaseRemarks(report)) {
        if (!remark.isWarning) {
            console.note(remark.text);
        } else if (auto warned = console.alarm(remark.text); !warned) {
            said = std::move(warned);
        }
    }
    if (report.end.interrupted) {
        console.warning(fmt::format("{} whole lines written{}", formatCount(report.end.wholeLines),
                                    report.end.withinLine ? ", and a part of the next" : ""));
    }
    return said;
}

/// A file in which there would be nothing leaves alone what was there.
Result<void> finish(release::ReleaseOutputs& outputs, const report::ReleaseReport& report,
                    const std::stop_token& stop) {
    if (report.end.interrupted && report.end.wholeLines == 0 && outputs.text.isRevocable()) {
        return {};
    }
    return outputs.finish(report::releaseJson(report), stop);
}

Result<release::ReleasePolicies> policiesOf(const SanitizeOptions& options,
                                            const std::stop_token& stop) {
    release::ReleasePolicies policies = options.policies;
    if (!options.stopWordsPath.empty()) {
        ASSIGN_OR_RETURN(policies.stopWords, release::readStopWords(options.stopWordsPath, stop));
    }
    return policies;
}

/// From opened files to written text.
Result<report::ReleaseReport> release(const SanitizeOptions& options,
                                      const mechanism::Setting& setting,
                                      const release::ReleasePolicies& policies,
                                      release::TextInput& input, release::ReleaseOutputs& outputs,
                                      const CommandContext& context) {
    ASSIGN_OR_RETURN(const auto space, openSearchSpace(context));
    ASSIGN_OR_RETURN(const auto replacer,
                     release::createReplacer(space, setting, context.general.threads));
    if (const auto allowed = release::checkGuarantee(replacer->guarantee(), policies); !allowed) {
        return fail(
            ErrorCode::invalidArgument,
            allowed.error().message + ", or give --no-guarantee to release the text all the same");
    }
    ASSIGN_OR_RETURN(const auto bound, context.withProgress([&](const JobContext& job) {
        return release::boundUse(*space, replacer->guarantee(), context.general.threads, job);
    }));
    ASSIGN_OR_RETURN(auto sanitizer, release::Sanitizer::create(space, *replacer, policies));
    release::StreamOptions stream;
    stream.threads = context.general.threads;
    stream.table = options.table;
    auto end = context.withProgress([&](const JobContext& job) {
        return release::sanitizeStream(input, outputs.text, sanitizer, stream, job);
    });
    if (!end) {
        return tl::unexpected(withOptions(end.error(), options));
    }
    if (end->failure) {
        end->failure = withOptions(*end->failure, options);
    }
    return report::describeRelease(space->embedding(), setting, bound, sanitizer, *end);
}

}  // namespace

Result<CommandResult> runSanitize(const SanitizeOptions& options, const CommandContext& context) {
    const mechanism::Setting setting{options.grid.mechanisms().front(),
                                     options.grid.epsilons.front()};
    ASSIGN_OR_RETURN(const auto policies, policiesOf(options, context.stop));
    ASSIGN_OR_RETURN(auto input,
                     release::TextInput::open(options.textPath, options.decoding, context.stop));
    ASSIGN_OR_RETURN(auto outputs,
                     openOutputs(context.general.outputPath, options.sidecarPath, context.stop));
    if (options.textPath == "-" && isatty(STDIN_FILENO) == 1) {
        context.console.note(
            "reading the text from the terminal; Ctrl+D on a line of its own ends it");
    }
    ASSIGN_OR_RETURN(const auto report,
                     release(options, setting, policies, input, outputs, context));
    // First of all: what is unprotected is said whatever becomes of the files, and no file appears
    // where nobody could read it.
    const auto finished = say(report, context.console).and_then([&] {
        return finish(outputs, report, context.stop);
    });
    if (report.end.failure) {
        return tl::unexpected(*report.end.failure);
    }
    if (!finished) {
        Error error = finished.error();
        if (error.code == ErrorCode::cancelled) {
            error = Error{ErrorCode::ioFailed,
                          "the sidecar was not written, because nobody took it; the text may be "
                          "incomplete",
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

}  // namespace epsilens::cli
