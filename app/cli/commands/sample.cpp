#include "app/cli/commands/sample.h"

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>
#include <vector>

#include <poll.h>
#include <unistd.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/commands/grid_defaults.h"
#include "app/cli/commands/sample_settings.h"
#include "app/cli/parser/mechanism_options.h"
#include "app/cli/parser/shared_options.h"
#include "core/base/numbers.h"
#include "core/base/parallel.h"
#include "core/base/pass_on.h"
#include "core/io/text_decoder.h"
#include "core/io/utf8.h"
#include "core/report/sample_report.h"
#include "core/text/tokenised_text.h"

namespace epsilens::cli {
namespace {

using embedding::Row;

constexpr int kLeastDraws = 100;
constexpr std::size_t kMostWords = 2'000;
constexpr std::size_t kMostBytes = 1U << 20U;
constexpr std::size_t kSpellingsShown = 3;

/// Reads standard input to its end. Checks the stop token while it waits.
Result<std::string> readStandardInput(const std::stop_token& stop) {
    constexpr int kPollMs = 50;
    std::string text;
    char buffer[1U << 16U];
    while (text.size() <= kMostBytes) {
        pollfd input{STDIN_FILENO, POLLIN, 0};
        const int ready = poll(&input, 1, kPollMs);
        if (stop.stop_requested()) {
            return fail(ErrorCode::cancelled, "interrupted while reading the text");
        }
        if (ready == 0 || (ready < 0 && errno == EINTR)) {
            continue;
        }
        const ssize_t count = read(STDIN_FILENO, buffer, sizeof buffer);
        if (count < 0) {
            return fail(ErrorCode::badFile,
                        fmt::format("cannot read the text from standard input: {}",
                                    std::generic_category().message(errno)));
        }
        if (count == 0) {
            return text;
        }
        text.append(buffer, static_cast<std::size_t>(count));
    }
    return fail(ErrorCode::resourceLimit,
                fmt::format("the text is longer than {} bytes, the most that sample takes",
                            formatCount(kMostBytes)));
}

Result<std::string> obtainText(const std::optional<std::string>& typed,
                               const CommandContext& context) {
    if (typed) {
        return io::isValidUtf8(*typed)
                   ? Result<std::string>(*typed)
                   : fail(ErrorCode::invalidArgument, "--text: the text is not UTF-8");
    }
    if (context.general.load.path == "-") {
        return fail(ErrorCode::invalidArgument,
                    "standard input holds the embedding; give the text with --text");
    }
    if (isatty(STDIN_FILENO) == 1) {
        context.console.note(
            "reading the text from the terminal; Ctrl+D on a line of its own ends it");
    }
    auto text = context.withProgress([&](const JobContext& job) {
        job.progress(0.0, "Reading the text");
        return readStandardInput(job.stop).and_then([](const std::string& bytes) {
            return io::decodeText(bytes).map_error(
                [](const Error& error) { return inFile(error, "standard input"); });
        });
    });
    if (text && !text->empty() && text->back() == '\n') {
        text->pop_back();
    }
    return text;
}

void nameUnknownWords(const text::TokenisedText& text, const embedding::Vocabulary& vocabulary,
                      Console& console) {
    std::size_t shown = 0;
    for (std::size_t i = 0; i < text.words.size() && shown < kSpellingsShown; ++i) {
        if (text.words[i].row) {
            continue;
        }
        ++shown;
        console.note(fmt::format("unknown word \"{}\"{}", text.spelling(i),
                                 similarWords(vocabulary, text.spelling(i))));
    }
    const std::size_t unknown = text.unknownWords();
    if (unknown > shown) {
        console.note(fmt::format("and {} more unknown words", unknown - shown));
    }
}

Result<text::TokenisedText> tokenise(std::string content, const embedding::Vocabulary& vocabulary,
                                     Console& console) {
    const text::Lookup lookup(vocabulary,
                              text::decideCasePolicy(text::CasePolicy::automatic, vocabulary));
    text::TokenisedText text = text::tokeniseText(std::move(content), lookup);
    if (text.words.empty()) {
        return fail(ErrorCode::invalidArgument, "the text holds no words");
    }
    if (text.words.size() > kMostWords) {
        return fail(ErrorCode::resourceLimit,
                    fmt::format("the text has {} words; sample takes at most {}",
                                formatCount(static_cast<std::int64_t>(text.words.size())),
                                formatCount(kMostWords)));
    }
    nameUnknownWords(text, vocabulary, console);
    return text;
}

report::SampleReport beginReport(const engine::SearchSpace& space, const SampleOptions& options,
                                 const mechanism::Grid& grid, text::TokenisedText text,
                                 const GeneralOptions& general) {
    report::SampleReport report;
    report.provenance = calibration::provenanceOf(space.embedding());
    report.mechanism = grid.mechanisms().front();
    report.draws = std::max({kLeastDraws, options.sentences, static_cast<int>(text.words.size())});
    report.seed = general.seed;
    report.threads = general.threads > 0 ? general.threads : defaultThreadCount();
    report.nearNeighbours = options.nearNeighbours;
    report.topOutputs = static_cast<std::size_t>(options.top);
    report.text = std::move(text);
    return report;
}

}  // namespace

void addSample(TypedOptions& options, GeneralOptions& general, SampleOptions& sample) {
    addGeneral(options, general);
    addMechanism(options, sample.grid, {mechanism::kDefaultLambda});
    takeOneValue(options, "sample", sample.grid);
    options.text("--text", "the text (default: standard input)", sample.text);
    options.reads([&sample] { return std::vector<std::string>(sample.text ? 0 : 1, "-"); });
    options.value("--draws", "R", "number of sampled texts to show (default {})", sample.sentences,
                  integer(1, SampleOptions::kMostSentences));
    options.value("--top", "K",
                  "number of most frequent outputs to list for each word (default {})", sample.top,
                  integer(0, SampleOptions::kMostTop));
    addNear(options, sample.nearNeighbours);
    options.footer(
        "Example:\n  epsilens-cli sample --text \"the quick brown fox\" --mechanism mahalanobis "
        "--lambda 0.5 \\\n      --epsilon 5,20 --draws 3 --top 5 --seed 1");
}

Result<CommandResult> runSample(const SampleOptions& options, const CommandContext& context) {
    ASSIGN_OR_RETURN(auto content, obtainText(options.text, context));
    ASSIGN_OR_RETURN(const auto space, openSearchSpace(context));
    const embedding::Vocabulary& vocabulary = space->embedding().vocabulary();
    ASSIGN_OR_RETURN(auto text, tokenise(std::move(content), vocabulary, context.console));
    mechanism::Grid grid = options.grid;
    RETURN_IF_ERROR(chooseEpsilon(*space, grid, context));
    report::SampleReport report =
        beginReport(*space, options, grid, std::move(text), context.general);
    RETURN_IF_ERROR(fillSettings(report, *space, grid, options.sentences, context));
    return CommandResult{
        rendered(context.general.format,
                 {[&] { return report::sampleJson(report, vocabulary); }, "results.words",
                  [&] { return report::sampleText(report, vocabulary); }})};
}

}  // namespace epsilens::cli
