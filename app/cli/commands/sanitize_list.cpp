#include "app/cli/commands/sanitize_list.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/cli/commands/release_setup.h"
#include "core/base/numbers.h"
#include "core/base/pass_on.h"
#include "core/release/release_manifest.h"
#include "core/release/text_list.h"

namespace epsilens::cli {
namespace {

using release::ListedText;
using release::ReleaseManifest;

/// Releases one text to its files, which appear whole or not at all.
Result<release::StreamEnd> releaseOne(const ListedText& text, const SanitizeOptions& options,
                                      const ReleaseSetup& setup, const CommandContext& context) {
    ASSIGN_OR_RETURN(auto input,
                     release::TextInput::open(text.input, options.decoding, context.stop));
    ASSIGN_OR_RETURN(auto outputs, openReleaseOutputs(text.output, text.sidecar, context.stop));
    ASSIGN_OR_RETURN(auto sanitizer, setup.sanitizer());
    release::StreamOptions stream;
    stream.threads = context.general.threads;
    stream.table = options.table;
    stream.keepPartial = false;
    if (stream.table.format == release::TableFormat::automatic) {
        stream.table.format = release::tableFormatOfName(text.input);
    }
    ASSIGN_OR_RETURN(const auto end, release::sanitizeStream(input, outputs.text, sanitizer, stream,
                                                             {context.stop, {}}));
    if (end.failure) {
        return tl::unexpected(*end.failure);
    }
    RETURN_IF_ERROR(
        outputs.finish(report::releaseJson(setup.describe(sanitizer, end)), context.stop));
    return end;
}

/// What is wrong with one text, not with the run.
bool isOfText(const Error& error) {
    return error.code == ErrorCode::badFile || error.code == ErrorCode::invalidArgument;
}

/// Releases texts until there are no more. A stop leaves them for another run. Returns what was
/// done to all of them.
Result<release::StreamEnd> releaseTexts(const std::vector<ListedText>& texts,
                                        ReleaseManifest& manifest, const SanitizeOptions& options,
                                        const ReleaseSetup& setup, const CommandContext& context) {
    release::StreamEnd sum;
    const JobContext job = context.console.job(context.stop);
    while (!context.stop.stop_requested()) {
        ASSIGN_OR_RETURN(const auto taken, manifest.take());
        if (!taken) {
            break;
        }
        job.progress(static_cast<double>(*taken) / static_cast<double>(texts.size()), "Releasing");
        const ListedText& text = texts[*taken];
        const auto released = releaseOne(text, options, setup, context);
        if (!released && released.error().code == ErrorCode::cancelled) {
            break;
        }
        if (!released && !isOfText(released.error())) {
            return tl::unexpected(inFile(released.error(), text.output));
        }
        RETURN_IF_ERROR(manifest.finish(*taken, released.has_value()));
        if (released) {
            sum.counts.add(released->counts);
            sum.unchanged += released->unchanged;
        } else {
            const Error error = withReleaseOptions(released.error(), text.input);
            RETURN_IF_ERROR(context.console.alarm(
                fmt::format("not released: {}: {}", text.input, error.message)));
        }
    }
    context.console.finishProgress();
    return sum;
}

/// The files that the run reads beside the list and its texts.
std::vector<std::string> alsoRead(const SanitizeOptions& options, const GeneralOptions& general) {
    std::vector<std::string> paths;
    for (const std::string& path : {general.load.path, general.load.vocabularyPath,
                                    general.sessionPath, options.stopWordsPath}) {
        if (!path.empty() && !embedding::isBuiltIn(path)) {
            paths.push_back(path);
        }
    }
    return paths;
}

/// What became of the list.
Result<CommandResult> listResult(const ReleaseManifest::Counts& counts,
                                 const SanitizeOptions& options, const CommandContext& context) {
    CommandResult result;
    result.isWritten = true;
    result.interrupted = context.stop.stop_requested() && counts.open > 0;
    context.console.note(fmt::format("{} of {} texts are released", formatCount(counts.done),
                                     formatCount(counts.done + counts.failed + counts.open)));
    if (counts.failed > 0) {
        result.problem =
            Error{ErrorCode::badFile,
                  fmt::format("{} of the listed texts could not be released; {} names them",
                              formatCount(counts.failed), options.manifestPath),
                  {},
                  0};
    }
    return result;
}

}  // namespace

Result<CommandResult> sanitizeList(const SanitizeOptions& options, const CommandContext& context) {
    ASSIGN_OR_RETURN(const auto policies, releasePolicies(options, context));
    ASSIGN_OR_RETURN(
        const auto texts,
        release::readTextList(options.listPath, alsoRead(options, context.general), context.stop));
    std::vector<std::string> names;
    std::transform(texts.begin(), texts.end(), std::back_inserter(names),
                   [](const ListedText& text) { return text.output; });
    ASSIGN_OR_RETURN(const auto setup, setUpRelease(options, policies, context));
    RETURN_IF_ERROR(ReleaseManifest::restart(options.manifestPath));
    ASSIGN_OR_RETURN(auto manifest, ReleaseManifest::open(options.manifestPath, names));
    ASSIGN_OR_RETURN(const auto sum, releaseTexts(texts, manifest, options, setup, context));
    ASSIGN_OR_RETURN(const auto sanitizer, setup.sanitizer());
    if (sum.counts.lines > 0) {
        RETURN_IF_ERROR(sayRelease(setup.describe(sanitizer, sum), context.console));
    }
    ASSIGN_OR_RETURN(const auto counts, manifest.counts());
    return listResult(counts, options, context);
}

}  // namespace epsilens::cli
