#include "app/cli/commands/sample.h"

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>
#include <vector>

#include <poll.h>
#include <unistd.h>

#include <fmt/format.h>

#include "app/cli/commands/sample_sentences.h"
#include "app/cli/commands/sample_settings.h"
#include "core/base/numbers.h"
#include "core/base/parallel.h"
#include "core/base/pass_on.h"
#include "core/engine/elliptical_series.h"
#include "core/engine/neighbours.h"
#include "core/engine/paths.h"
#include "core/io/text_decoder.h"
#include "core/io/utf8.h"
#include "core/report/sample_report.h"
#include "core/statistics/output_distribution.h"
#include "core/text/nearest_spellings.h"
#include "core/text/tokenised_text.h"

namespace epsilens::cli {
namespace {

using embedding::Row;

constexpr int kDefaultSentences = 5;
constexpr int kMostSentences = 10'000;
constexpr int kLeastDraws = 100;
constexpr int kDefaultTop = 5;
constexpr int kMostTop = 1'000'000;
constexpr int kDefaultNear = 100;
constexpr int kMostNear = 1'000'000;
constexpr std::size_t kMostWords = 2'000;
constexpr std::size_t kMostBytes = 1U << 20U;
constexpr std::size_t kSpellingsShown = 3;

struct SampleOptions {
    mechanism::Grid grid{};
    int sentences = kDefaultSentences;
    int top = kDefaultTop;
    int nearNeighbours = kDefaultNear;
};

Result<SampleOptions> check(const SampleArguments& arguments) {
    ASSIGN_OR_RETURN(auto grid, parseMechanism(arguments.mechanism));
    for (const auto& [option, values] :
         {std::pair("--lambda", &grid.lambdas), std::pair("--gamma", &grid.gammas),
          std::pair("--beta", &grid.betas)}) {
        if (values->size() > 1) {
            return fail(ErrorCode::invalidArgument,
                        fmt::format("{}: sample takes one value, not a list", option));
        }
    }
    if (grid.lambdas.empty()) {
        grid.lambdas = {mechanism::kDefaultLambda};
    }
    ASSIGN_OR_RETURN(const auto sentences,
                     parseCount(arguments.draws, "--draws", 1, kMostSentences, kDefaultSentences));
    ASSIGN_OR_RETURN(const auto top, parseCount(arguments.top, "--top", 0, kMostTop, kDefaultTop));
    ASSIGN_OR_RETURN(const auto near,
                     parseCount(arguments.nearNeighbours, "--near", 1, kMostNear, kDefaultNear));
    return SampleOptions{std::move(grid), sentences, top, near};
}

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

Result<std::string> obtainText(const SampleArguments& arguments, const CommandContext& context) {
    if (arguments.text) {
        return io::isValidUtf8(*arguments.text)
                   ? Result<std::string>(*arguments.text)
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
    context.console.job(context.stop).progress(0.0, "Reading the text");
    Result<std::string> text =
        readStandardInput(context.stop).and_then([](const std::string& bytes) {
            return io::decodeText(bytes).map_error(
                [](const Error& error) { return inFile(error, "standard input"); });
        });
    context.console.finishProgress();
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
        std::string similar;
        for (const text::Spelling& spelling :
             text::nearestSpellings(vocabulary, text.spelling(i))) {
            similar += fmt::format("{}{}", similar.empty() ? "; similar: " : ", ",
                                   vocabulary.word(spelling.row));
        }
        console.note(fmt::format("unknown word \"{}\"{}", text.spelling(i), similar));
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
                                 text::TokenisedText text, const GeneralOptions& general) {
    report::SampleReport report;
    report.provenance = calibration::provenanceOf(space.embedding());
    report.mechanism = options.grid.mechanisms().front();
    report.draws = std::max({kLeastDraws, options.sentences, static_cast<int>(text.words.size())});
    report.seed = general.seed;
    report.threads = general.threads > 0 ? general.threads : defaultThreadCount();
    report.nearNeighbours = options.nearNeighbours;
    report.topOutputs = static_cast<std::size_t>(options.top);
    report.text = std::move(text);
    return report;
}

std::string render(OutputFormat format, const report::SampleReport& report,
                   const embedding::Vocabulary& vocabulary) {
    switch (format) {
        case OutputFormat::json:
            return report::sampleJson(report, vocabulary);
        case OutputFormat::csv:
            return report::sampleCsv(report, vocabulary);
        case OutputFormat::text:
            break;
    }
    return report::sampleText(report, vocabulary);
}

}  // namespace

Result<CommandResult> runSample(const SampleArguments& arguments, const CommandContext& context) {
    ASSIGN_OR_RETURN(auto options, check(arguments));
    ASSIGN_OR_RETURN(auto content, obtainText(arguments, context));
    ASSIGN_OR_RETURN(const auto space, openSearchSpace(context));
    const embedding::Vocabulary& vocabulary = space->embedding().vocabulary();
    ASSIGN_OR_RETURN(auto text, tokenise(std::move(content), vocabulary, context.console));
    RETURN_IF_ERROR(chooseEpsilon(*space, options.grid, context));
    report::SampleReport report = beginReport(*space, options, std::move(text), context.general);
    const auto filled = fillSettings(report, *space, options.grid, options.sentences, context);
    context.console.finishProgress();
    if (!filled) {
        return tl::unexpected(filled.error());
    }
    return CommandResult{render(context.general.format, report, vocabulary)};
}

}  // namespace epsilens::cli
