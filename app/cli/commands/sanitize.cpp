#include "app/cli/commands/sanitize.h"

#include <fmt/format.h>
#include <array>

#include <string>
#include <utility>

#include <unistd.h>

#include "app/cli/commands/release_setup.h"
#include "app/cli/commands/sanitize_list.h"
#include "app/cli/parser/mechanism_options.h"
#include "app/cli/parser/shared_options.h"
#include "core/base/pass_on.h"
#include "core/io/text_decoder.h"
#include "core/release/sanitize_stream.h"
#include "core/report/release_report.h"

namespace epsilens::cli {
namespace {

constexpr std::array<NamedValue<bool>, 1> kConsistent{{{"document", true}}};

/// Checks of a release that need no file.
Result<void> checkRelease(const SanitizeOptions& sanitize, const GeneralOptions& general) {
    if (general.format != OutputFormat::text) {
        return refused("--format: sanitize writes text; --sidecar writes its counts as JSON");
    }
    if (general.load.path == "-" && sanitize.textPath == "-" && sanitize.listPath.empty()) {
        return refused("standard input holds the embedding; give the text with --text-file");
    }
    if (sanitize.grid.epsilons.empty()) {
        return refused(
            "--epsilon: a release needs one; no value is safe by itself, calibrate shows what each "
            "means");
    }
    if (sanitize.grid.epsilons.size() > 1) {
        return refused("--epsilon: sanitize takes one value, not a list");
    }
    return {};
}

/// A list has files of its own for each text.
Result<void> checkList(const TypedOptions& options, const SanitizeOptions& sanitize) {
    if (sanitize.listPath.empty()) {
        return {};
    }
    for (const char* other : {"--text-file", "--output", "--sidecar"}) {
        if (options.isGiven(other)) {
            return refused(
                fmt::format("{}: the list names the files of every text; leave it out", other));
        }
    }
    return {};
}

/// A mask implies masking if no policy is typed.
Result<std::string> parseMask(const std::string& typed, const TypedOptions& options,
                              release::UnknownPolicy& unknown) {
    if (!options.isGiven("--unknown")) {
        unknown = release::UnknownPolicy::mask;
    }
    if (unknown != release::UnknownPolicy::mask) {
        return refused("it is for --unknown mask");
    }
    return release::checkMask(typed).map([&] { return typed; });
}

void addPolicies(TypedOptions& options, SanitizeOptions& sanitize) {
    release::ReleasePolicies& policies = sanitize.policies;
    options.value("--unknown", "POLICY",
                  "what happens to words that are not in the vocabulary: " +
                      withDefault("mask, random, drop or keep (which leaves them unprotected)",
                                  release::unknownPolicyName(policies.unknown)),
                  policies.unknown, choice(release::parseUnknownPolicy));
    options.value("--mask", TypedOptions::kText,
                  "text that replaces a masked word (default {}), without line separators",
                  policies.mask, choice([&](std::string_view typed) {
                      return parseMask(std::string(typed), options, policies.unknown);
                  }));
    addCase(options, policies.letterCase, "letter case when words are looked up");
    options.input("--stop-words", "FILE",
                  "do not replace the words listed in this file (one per line); they stay "
                  "unprotected",
                  sanitize.stopWordsPath);
}

Result<io::RecordFormat> parseTableFormat(std::string_view name) {
    auto format = io::parseRecordFormat(name);
    if (!format || *format == io::RecordFormat::lines) {
        return refused(fmt::format("\"{}\" is not one of auto, csv, tsv, tsv-quoted, jsonl", name));
    }
    return format;
}

/// Options of texts that are tables.
void addTable(TypedOptions& options, SanitizeOptions& sanitize) {
    options.list("--column", "NAME",
                 "the text is a table: replace these columns only, and leave all else as it is; a "
                 "name of its first line, a number from 1 if that has no names, or a member of "
                 "JSON Lines; may be repeated",
                 sanitize.table.columns, asTyped);
    options.value("--data-format", "NAME",
                  "of the table: " +
                      withDefault("auto (: from the file name, else from its first line), csv, tsv "
                                  "(quotes are part of the text), tsv-quoted or jsonl",
                                  io::recordFormatName(sanitize.table.format)),
                  sanitize.table.format, choice(parseTableFormat));
    options.needs("--data-format", "--column");
    options.value("--consistent", "WITHIN",
                  "give the same word the same replacement within a document (a line, or a record "
                  "of a table); then it stays visible which words are equal: document",
                  sanitize.policies.isConsistent, oneOf(kConsistent));
}

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

void addSanitize(TypedOptions& options, GeneralOptions& general, SanitizeOptions& sanitize) {
    options.check([&options]() -> Result<void> {
        if (options.isGiven("--seed")) {
            return refused(
                "--seed: text for release gets its randomness from the operating system, never "
                "from a seed; sample is the seeded command");
        }
        return {};
    });
    addGeneral(options, general,
               "EMBEDDING: a release needs one, typed or from --session; the built-in sample is "
               "small, for trying out");
    options.hide("--seed");
    options.hide("--format");
    options.describe(
        "EMBEDDING",
        "embedding file, - for standard input, or a built-in one: sample or sample-poincare; must "
        "be given, here or by --session");
    options.describe(
        "--quiet",
        "suppress notes and progress; what is left unprotected is reported all the same");
    addMechanism(options, sanitize.grid, {mechanism::kDefaultLambda});
    options.describe("--epsilon", "privacy parameter: one value, required");
    options.check([&] { return checkRelease(sanitize, general); });
    takeOneValue(options, "sanitize", sanitize.grid);
    options.input("--text-file", "FILE",
                  fmt::format("the text (default {}: standard input)", sanitize.textPath),
                  sanitize.textPath);
    options.value("--encoding", "NAME",
                  "encoding of the text, such as windows-1252, GB18030 or UTF-16 "
                  "(default {}); the output is UTF-8",
                  sanitize.decoding.encoding, choice(io::encodingName));
    options.value("--invalid", "NAME",
                  "bytes that are not valid text: " +
                      withDefault("refuse, or replace by U+FFFD, counted",
                                  io::invalidBytesName(sanitize.decoding.invalid)),
                  sanitize.decoding.invalid, choice(io::parseInvalidBytes));
    addTable(options, sanitize);
    addPolicies(options, sanitize);
    options.output("--sidecar",
                   "write settings, counts and the guarantee to this JSON file, without any text",
                   sanitize.sidecarPath);
    options.input("--list", "FILE",
                  "release many texts: each line of this file names a text, a tab, and the file "
                  "for its released form; another tab and a file ask for its sidecar",
                  sanitize.listPath);
    options.flag(
        "--resume", sanitize.isResumed,
        "with --list: leave out texts that an earlier run released with the same settings, "
        "and that have not changed since; that run noted them beside the list, in FILE.done");
    options.needs("--resume", "--list");
    options.check([&] { return checkList(options, sanitize); });
    options.footer(
        "Every word occurrence gets fresh random numbers from the operating system.\n"
        "Words are letters, numbers and symbols (+, €, emoji): everything but spacing and "
        "punctuation.\n"
        "Not protected: the number and order of words, which words are unknown or stop words, "
        "spacing,\npunctuation and letter case. Floating point: noise has 53 significant bits, and "
        "the nearest word\nis decided in float64. SECURITY.md lists what a release promises.\n"
        "Standard error reports how many words came out unchanged. The number depends on the "
        "text:\ndo not publish it.\n"
        "Example:\n  epsilens-cli sanitize vectors.txt.gz --mechanism mahalanobis --lambda 0.5 "
        "--epsilon 20 \\\n      --sidecar released.json < text.txt > released.txt");
}

Result<CommandResult> runSanitize(const SanitizeOptions& options, const CommandContext& context) {
    if (!options.listPath.empty()) {
        return sanitizeList(options, context);
    }
    return sanitizeAlone(options, context);
}

}  // namespace epsilens::cli
