#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <unistd.h>

#include <fmt/format.h>

#include "app/cli/commands/preparation.h"
#include "app/cli/parser/shared_options.h"
#include "core/base/error.h"
#include "core/base/numbers.h"
#include "core/io/text_decoder.h"
#include "core/release/sanitize_stream.h"
#include "core/release/sanitizer.h"
#include "core/release/text_list.h"
#include "core/release/word_replacer.h"
#include "core/report/release_report.h"

namespace epsilens::cli {
namespace {

using release::ListedText;
using release::ReleaseRecord;

constexpr EnumNames<bool, 1> kConsistent{{{"document", true}}};

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

/// A list has files of its own for each text, and a record is kept beside it.
Result<void> checkList(const TypedOptions& options, const SanitizeOptions& sanitize) {
    const std::string& path = sanitize.listPath;
    if (path.empty()) {
        return {};
    }
    for (const char* other : {"--text-file", "--output", "--sidecar"}) {
        if (options.isGiven(other)) {
            return refused(
                fmt::format("{}: the list names the files of every text; leave it out", other));
        }
    }
    std::error_code error;
    if (path == "-" ||
        (std::filesystem::exists(path, error) && !std::filesystem::is_regular_file(path, error))) {
        return refused(
            "--list: it is no regular file, beside which the record of what is released could be "
            "kept; write the list to a file");
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

/// Opens the embedding and prepares the mechanism.
Result<ReleaseSetup> setUpRelease(const SanitizeOptions& options, release::ReleasePolicies policies,
                                  const CommandContext& context) {
    ReleaseSetup setup;
    setup.setting = {options.grid.mechanisms().front(), options.grid.epsilons.front()};
    setup.policies = std::move(policies);
    ASSIGN_OR_RETURN(setup.space, openSearchSpace(context));
    ASSIGN_OR_RETURN(setup.replacer,
                     release::createReplacer(setup.space, setup.setting, context.general.threads));
    return setup;
}

/// The error of a text with its file, and the options that help against bytes that are no text.
Error withReleaseOptions(Error error, const std::string& textPath) {
    if (error.line > 0 && error.file.empty()) {
        error.file = textPath == "-" ? "standard input" : textPath;
    }
    if (error.remedy == Remedy::givenFormat) {
        error.remedy = Remedy::none;
        error.message += " (or --encoding NAME, or --invalid replace for single damaged places)";
    }
    return error;
}

/// Says what was done and what is left unprotected. Fails when a warning cannot be written.
Result<void> sayRelease(const report::ReleaseReport& report, Console& console) {
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

Result<CommandResult> sanitizeAlone(const SanitizeOptions& options, const CommandContext& context) {
    release::ReleasePolicies policies = options.policies;
    ASSIGN_OR_RETURN(policies.stopWords, readStopWords(options.stopWordsPath, context));
    ASSIGN_OR_RETURN(auto input,
                     release::TextInput::open(options.textPath, options.decoding, context.stop));
    ASSIGN_OR_RETURN(auto outputs,
                     release::ReleaseOutputs::open(context.general.outputPath, options.sidecarPath,
                                                   context.stop));
    if (options.textPath == "-" && isatty(STDIN_FILENO) == 1) {
        context.console.note(kReadsTerminal);
    }
    ASSIGN_OR_RETURN(const auto setup, setUpRelease(options, std::move(policies), context));
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
    const report::ReleaseReport report = setup.describe(sanitizer, *end);
    // First of all: what is unprotected is said whatever becomes of the files, and no file appears
    // where nobody could read it. A file in which there would be nothing leaves alone what was
    // there.
    auto finished = sayRelease(report, context.console);
    if (finished && (!end->interrupted || end->wholeLines > 0 || !outputs.text.isRevocable())) {
        finished = outputs.finish(report::releaseJson(report), context.stop);
    }
    if (end->failure) {
        return tl::unexpected(withReleaseOptions(*end->failure, options.textPath));
    }
    if (!finished && finished.error().code == ErrorCode::cancelled) {
        return fail(ErrorCode::ioFailed,
                    "the sidecar was not written, because nothing read it; the text may be "
                    "incomplete");
    }
    RETURN_IF_ERROR(finished);
    return CommandResult{.interrupted = end->interrupted, .isWritten = true};
}

/// A run over the texts of a list.
class ListRun {
public:
    ListRun(const std::vector<ListedText>& texts, ReleaseRecord& record,
            const SanitizeOptions& options, const ReleaseSetup& setup,
            const CommandContext& context)
        : m_texts(texts), m_record(record), m_options(options), m_setup(setup), m_context(context) {
        for (std::size_t i = 0; i < texts.size(); ++i) {
            if (const auto& before = record.before(i)) {
                ++m_released;
                m_before.add(*before);
            }
        }
    }

    /// Releases what the record does not have, and says what was done to the texts, by this run and
    /// before, whatever ends it. A stop leaves the rest for another run.
    Result<void> releaseAndSay() try {
        const auto released = releaseAll();
        const auto said = say();
        return released ? said : released;
    } catch (...) {  // no memory, or no thread
        [[maybe_unused]] const auto said = say();
        throw;
    }

    CommandResult result() const {
        CommandResult result;
        result.isWritten = true;
        result.interrupted =
            m_context.stop.stop_requested() && m_released + m_failed < m_texts.size();
        m_context.console.note(fmt::format("{} of {} texts are released", formatCount(m_released),
                                           formatCount(m_texts.size())));
        if (m_failed > 0) {
            result.problem = Error{
                ErrorCode::badFile,
                fmt::format("{} of the listed texts could not be released; the messages above "
                            "name them",
                            formatCount(m_failed)),
                {},
                0};
        }
        return result;
    }

private:
    /// Releases one text to its files, which appear whole or not at all, unless they are pipes and
    /// the like.
    Result<release::StreamEnd> releaseOne(const ListedText& text) const {
        ASSIGN_OR_RETURN(auto input,
                         release::TextInput::open(text.input, m_options.decoding, m_context.stop));
        ASSIGN_OR_RETURN(auto outputs,
                         release::ReleaseOutputs::open(text.output, text.sidecar, m_context.stop));
        ASSIGN_OR_RETURN(auto sanitizer, m_setup.sanitizer());
        release::StreamOptions stream;
        stream.threads = m_context.general.threads;
        stream.table = m_options.table;
        stream.keepPartial = false;
        ASSIGN_OR_RETURN(const auto end, release::sanitizeStream(input, outputs.text, sanitizer,
                                                                 stream, {m_context.stop, {}}));
        if (!end.failure) {
            RETURN_IF_ERROR(outputs.finish(report::releaseJson(m_setup.describe(sanitizer, end)),
                                           m_context.stop));
        }
        return end;
    }

    /// Fails for what ends the run. A text that cannot be read does not.
    Result<void> release(const ListedText& text) {
        const std::string line = m_record.lineOf(text);
        const auto end = releaseOne(text);
        if (end) {
            m_sum.counts.add(end->counts);
            m_sum.unchanged += end->unchanged;
            m_sum.records += end->records;
        }
        if (end && !end->failure) {
            ++m_released;
            return m_record.add(line, end->counts);
        }
        const Error& error = end ? *end->failure : end.error();
        if (error.code != ErrorCode::badFile && error.code != ErrorCode::invalidArgument) {
            return tl::unexpected(inFile(text.output)(error));
        }
        ++m_failed;
        return m_context.console.alarm(fmt::format("not released: {}: {}", text.input,
                                                   withReleaseOptions(error, text.input).message));
    }

    Result<void> releaseAll() {
        const JobContext job = m_context.console.job(m_context.stop);
        Result<void> done;
        for (std::size_t i = 0; done && i < m_texts.size() && !m_context.stop.stop_requested();
             ++i) {
            job.progress(i, m_texts.size(), "Releasing");
            if (!m_record.before(i)) {
                done = release(m_texts[i]);
            }
        }
        m_context.console.finishProgress();
        const bool isStopped = !done && done.error().code == ErrorCode::cancelled;
        return isStopped ? Result<void>() : done;
    }

    Result<void> say() const {
        if (m_released == 0 && m_sum.counts.bytesWritten == 0) {
            return {};
        }
        ASSIGN_OR_RETURN(const auto sanitizer, m_setup.sanitizer());
        release::StreamEnd sum = m_sum;
        sum.table = m_options.table;
        RETURN_IF_ERROR(sayRelease(m_setup.describe(sanitizer, sum), m_context.console));
        for (const std::string& remark : report::unprotectedRemarks(m_before)) {
            RETURN_IF_ERROR(m_context.console.alarm("of texts released before: " + remark));
        }
        return {};
    }

    const std::vector<ListedText>& m_texts;
    ReleaseRecord& m_record;
    const SanitizeOptions& m_options;
    const ReleaseSetup& m_setup;
    const CommandContext& m_context;
    release::StreamEnd m_sum{};         ///< of what this run released
    release::ReleaseCounts m_before{};  ///< what was left unprotected by others
    std::size_t m_released = 0;         ///< by this run and before
    std::size_t m_failed = 0;
};

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

/// All that decides what comes out of a text: what a sidecar says of the settings, and the
/// words that it only counts.
Result<std::string> settingsOf(const SanitizeOptions& options, const ReleaseSetup& setup) {
    ASSIGN_OR_RETURN(const auto sanitizer, setup.sanitizer());
    release::StreamEnd end;
    end.decoding = options.decoding;
    end.table = options.table;
    std::string settings = report::releaseJson(setup.describe(sanitizer, end));
    const auto add = [&settings](const embedding::Vocabulary& words) {
        for (embedding::Row row = 0; row < static_cast<embedding::Row>(words.size()); ++row) {
            settings += words.word(row);
            settings += '\n';
        }
    };
    add(setup.space->embedding().vocabulary());
    if (setup.policies.stopWords != nullptr) {
        add(setup.policies.stopWords->words());
    }
    return settings;
}

Result<CommandResult> sanitizeList(const SanitizeOptions& options, const CommandContext& context) {
    const std::string recordPath = ReleaseRecord::pathFor(options.listPath);
    release::ReleasePolicies policies = options.policies;
    ASSIGN_OR_RETURN(policies.stopWords, readStopWords(options.stopWordsPath, context));
    ASSIGN_OR_RETURN(const auto texts,
                     release::readTextList(options.listPath, recordPath,
                                           alsoRead(options, context.general), context.stop));
    ASSIGN_OR_RETURN(const auto setup, setUpRelease(options, policies, context));
    ASSIGN_OR_RETURN(const auto settings, settingsOf(options, setup));
    ASSIGN_OR_RETURN(auto record,
                     ReleaseRecord::open(recordPath, texts, settings, options.isResumed));
    ListRun run(texts, record, options, setup, context);
    RETURN_IF_ERROR(run.releaseAndSay());
    return run.result();
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
