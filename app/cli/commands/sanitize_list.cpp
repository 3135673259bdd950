#include "app/cli/commands/sanitize_list.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/cli/commands/release_setup.h"
#include "core/base/numbers.h"
#include "core/base/pass_on.h"
#include "core/release/release_record.h"
#include "core/release/text_list.h"

namespace epsilens::cli {
namespace {

using release::ListedText;
using release::ReleaseRecord;

/// What is wrong with one text, not with the run.
bool isOfText(const Error& error) {
    return error.code == ErrorCode::badFile || error.code == ErrorCode::invalidArgument;
}

/// A run over the texts of a list.
class ListRun {
public:
    ListRun(const std::vector<ListedText>& texts, ReleaseRecord& record,
            const SanitizeOptions& options, const ReleaseSetup& setup,
            const CommandContext& context);

    /// Releases what the record does not have, and says what was done to the texts, by this run and
    /// before, whatever ends it. A stop leaves the rest for another run.
    [[nodiscard]] Result<void> releaseAndSay();
    [[nodiscard]] CommandResult result() const;

private:
    [[nodiscard]] Result<release::StreamEnd> releaseOne(const ListedText& text) const;
    [[nodiscard]] Result<void> release(const ListedText& text);
    [[nodiscard]] Result<void> releaseAll();
    [[nodiscard]] Result<void> say() const;

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

ListRun::ListRun(const std::vector<ListedText>& texts, ReleaseRecord& record,
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

/// Releases one text to its files, which appear whole or not at all, unless they are pipes and the
/// like.
Result<release::StreamEnd> ListRun::releaseOne(const ListedText& text) const {
    ASSIGN_OR_RETURN(auto input,
                     release::TextInput::open(text.input, m_options.decoding, m_context.stop));
    ASSIGN_OR_RETURN(auto outputs, openReleaseOutputs(text.output, text.sidecar, m_context.stop));
    ASSIGN_OR_RETURN(auto sanitizer, m_setup.sanitizer());
    release::StreamOptions stream;
    stream.threads = m_context.general.threads;
    stream.table = m_options.table;
    stream.keepPartial = false;
    ASSIGN_OR_RETURN(const auto end, release::sanitizeStream(input, outputs.text, sanitizer, stream,
                                                             {m_context.stop, {}}));
    if (!end.failure) {
        RETURN_IF_ERROR(
            outputs.finish(report::releaseJson(m_setup.describe(sanitizer, end)), m_context.stop));
    }
    return end;
}

/// Fails for what ends the run. A text that cannot be read does not.
Result<void> ListRun::release(const ListedText& text) {
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
    if (!isOfText(error)) {
        return tl::unexpected(inFile(error, text.output));
    }
    ++m_failed;
    return m_context.console.alarm(fmt::format("not released: {}: {}", text.input,
                                               withReleaseOptions(error, text.input).message));
}

Result<void> ListRun::releaseAll() {
    const JobContext job = m_context.console.job(m_context.stop);
    Result<void> done;
    for (std::size_t i = 0; done && i < m_texts.size() && !m_context.stop.stop_requested(); ++i) {
        job.progress(static_cast<double>(i) / static_cast<double>(m_texts.size()), "Releasing");
        if (!m_record.before(i)) {
            done = release(m_texts[i]);
        }
    }
    m_context.console.finishProgress();
    const bool isStopped = !done && done.error().code == ErrorCode::cancelled;
    return isStopped ? Result<void>() : done;
}

Result<void> ListRun::say() const {
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

Result<void> ListRun::releaseAndSay() try {
    const auto released = releaseAll();
    const auto said = say();
    return released ? said : released;
} catch (...) {  // no memory, or no thread
    [[maybe_unused]] const auto said = say();
    throw;
}

CommandResult ListRun::result() const {
    CommandResult result;
    result.isWritten = true;
    result.interrupted = m_context.stop.stop_requested() && m_released + m_failed < m_texts.size();
    m_context.console.note(fmt::format("{} of {} texts are released",
                                       formatCount(static_cast<std::int64_t>(m_released)),
                                       formatCount(static_cast<std::int64_t>(m_texts.size()))));
    if (m_failed > 0) {
        result.problem =
            Error{ErrorCode::badFile,
                  fmt::format("{} of the listed texts could not be released; the messages above "
                              "name them",
                              formatCount(static_cast<std::int64_t>(m_failed))),
                  {},
                  0};
    }
    return result;
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

/// All that decides what comes out of a text: what a sidecar says of the settings, and the words
/// that it only counts.
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

/// A record is kept beside the list.
Result<void> checkList(const std::string& path) {
    std::error_code error;
    if (path == "-" ||
        (std::filesystem::exists(path, error) && !std::filesystem::is_regular_file(path, error))) {
        return fail(ErrorCode::invalidArgument,
                    "--list: it is no regular file, beside which the record of what is released "
                    "could be kept; write the list to a file");
    }
    return {};
}

}  // namespace

Result<CommandResult> sanitizeList(const SanitizeOptions& options, const CommandContext& context) {
    RETURN_IF_ERROR(checkList(options.listPath));
    const std::string recordPath = ReleaseRecord::pathFor(options.listPath);
    ASSIGN_OR_RETURN(const auto policies, releasePolicies(options, context));
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

}  // namespace epsilens::cli
