#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

#include <unistd.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/commands/preparation.h"
#include "app/cli/parser/shared_options.h"
#include "core/base/error.h"
#include "core/base/numbers.h"
#include "core/base/parallel.h"
#include "core/engine/draw_sweep.h"
#include "core/engine/noise_series.h"
#include "core/engine/selection_draws.h"
#include "core/io/byte_source.h"
#include "core/io/memory_limit.h"
#include "core/io/text_decoder.h"
#include "core/report/setting_reports.h"
#include "core/text/tokenised_text.h"

namespace epsilens::cli {
namespace {

using calibration::WordSelection;
using embedding::Row;

constexpr int kLeastDraws = 100;
constexpr std::size_t kMostWords = 2'000;
constexpr std::size_t kMostBytes = 1U << 20U;
constexpr std::size_t kSpellingsShown = 3;

/// Reads a file to its end.
Result<std::string> readBytes(const std::string& path, const std::stop_token& stop) {
    ASSIGN_OR_RETURN(const auto input, io::RawInput::open(path, stop).map_error(inFile(path)));
    std::string text;
    for (std::size_t count = 1; count > 0;) {
        const std::size_t before = text.size();
        text.resize(before + (1U << 16U));
        ASSIGN_OR_RETURN(count, input->read(text.data() + before, text.size() - before));
        text.resize(before + count);
        if (text.size() > kMostBytes) {
            return fail(ErrorCode::resourceLimit,
                        fmt::format("the text is longer than {} bytes, the most that sample takes",
                                    formatCount(kMostBytes)));
        }
    }
    return text;
}

Result<std::string> obtainText(const SampleOptions& options, const CommandContext& context) {
    if (options.text) {
        return io::isValidUtf8(*options.text) ? Result<std::string>(*options.text)
                                              : refused("--text: the text is not UTF-8");
    }
    const bool isStandardInput = options.textPath == "-";
    if (isStandardInput && context.general.load.path == "-") {
        return refused(
            "standard input holds the embedding; give the text with --text or --text-file");
    }
    if (isStandardInput && isatty(STDIN_FILENO) == 1) {
        context.console.note(kReadsTerminal);
    }
    auto text = context.withProgress([&](const JobContext& job) {
        job.progress(0.0, "Reading the text");
        return readBytes(options.textPath, job.stop).and_then([&](const std::string& bytes) {
            return io::decodeText(bytes).map_error(
                inFile(isStandardInput ? "standard input" : options.textPath));
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
        return refused("the text holds no words");
    }
    if (text.words.size() > kMostWords) {
        return fail(ErrorCode::resourceLimit,
                    fmt::format("the text has {} words; sample takes at most {}",
                                formatCount(text.words.size()), formatCount(kMostWords)));
    }
    nameUnknownWords(text, vocabulary, console);
    return text;
}

/// The number of each distinct known word of the text.
using WordNumbers = std::unordered_map<Row, std::size_t>;

/// Of the distinct known words, per setting.
using WordOutputs = std::vector<engine::SelectionOutputs>;

/// Fills the distinct known words of the report.
WordNumbers numberDistinctWords(report::SampleReport& report) {
    WordNumbers numbers;
    for (const text::Word& word : report.text.words) {
        if (word.row && numbers.try_emplace(*word.row, report.distinctWords.size()).second) {
            report.distinctWords.push_back(*word.row);
        }
    }
    return numbers;
}

report::SampledSetting settingOf(const report::SampleReport& report, const WordNumbers& numbers,
                                 const WordOutputs& words, std::size_t index, int sentences) {
    report::SampledSetting setting;
    for (std::size_t sentence = 0; sentence < static_cast<std::size_t>(sentences); ++sentence) {
        // Sentence k gives word i of the text draw (k + i) mod R, so that its words are
        // independent.
        std::vector<Row>& rows = setting.sentences.emplace_back();
        for (std::size_t i = 0; i < report.text.words.size(); ++i) {
            const std::optional<Row>& row = report.text.words[i].row;
            const std::size_t draw = (sentence + i) % static_cast<std::size_t>(report.draws);
            rows.push_back(row ? words[numbers.at(*row)].outputs[index][draw] : text::kAsTyped);
        }
    }
    for (std::size_t word = 0; word < words.size(); ++word) {
        setting.distributions.push_back(calibration::outputDistribution(
            report.distinctWords[word], words[word].outputs[index], words[word].neighbours));
    }
    return setting;
}

engine::SelectionOptions selectionOptions(const report::SampleReport& report,
                                          const CommandContext& context) {
    return {report.draws, report.seed, report.nearNeighbours, context.general.threads};
}

/// Of a mechanism that weighs all words.
Result<WordOutputs> weighedOutputs(const report::SampleReport& report,
                                   const engine::SearchSpace& space,
                                   const std::vector<double>& epsilons,
                                   const CommandContext& context,
                                   std::vector<mechanism::Guarantee>& guarantees) {
    ASSIGN_OR_RETURN(auto form, report.mechanism.on(space.handle()));
    auto& weights = std::get<mechanism::SelectionWeights>(form);
    std::vector<mechanism::TruncatedExponential> mechanisms;
    for (const double epsilon : epsilons) {
        ASSIGN_OR_RETURN(const auto one, weights.truncation.at(epsilon));
        mechanisms.push_back(one);
        guarantees.push_back(one.guarantee(weights.metric));
    }
    ASSIGN_OR_RETURN(const auto metricSpace, engine::MetricSpace::create(std::move(weights.metric),
                                                                         context.general.threads));
    return context.withProgress([&](const JobContext& job) {
        return engine::drawSelections(metricSpace, report.distinctWords, mechanisms,
                                      selectionOptions(report, context), job);
    });
}

Result<WordOutputs> noiseOutputs(const report::SampleReport& report,
                                 const engine::SearchSpace& space, const mechanism::Grid& grid,
                                 const CommandContext& context,
                                 std::vector<mechanism::Guarantee>& guarantees) {
    ASSIGN_OR_RETURN(const auto series, engine::createSeries(space, grid.mechanism, grid.lambdas));
    for (const double epsilon : grid.epsilons) {
        guarantees.push_back(series->guarantee(0, epsilon));
    }
    return context.withProgress([&](const JobContext& job) {
        return engine::drawOutputs(*series, report.distinctWords, grid.epsilons,
                                   selectionOptions(report, context), job);
    });
}

/// Fails as a calibration with these settings does, and where the outputs need more memory than is
/// free.
Result<void> checkSettings(const report::SampleReport& report, const engine::SearchSpace& space,
                           const mechanism::Grid& grid, const CommandContext& context) {
    const bool isWordless = report.distinctWords.empty();
    if (isWordless && grid.mechanism.isExact()) {
        return {};
    }
    calibration::CalibrationOptions options = calibrationOptions(grid, context.general);
    options.words = {isWordless ? WordSelection::Kind::all : WordSelection::Kind::list, 0,
                     report.distinctWords};
    options.draws = report.draws;
    RETURN_IF_ERROR(calibration::validate(options, space.embedding()));
    const double outputs = static_cast<double>(report.distinctWords.size()) * report.draws *
                           static_cast<double>(grid.epsilons.size());
    return io::MemoryBudget(0).check(2.0 * sizeof(Row) * outputs, "the outputs",
                                     "ask for fewer words, draws or values of epsilon");
}

/// Samples a text: fills the settings of the report, one per epsilon. One set of draws serves all
/// words and epsilons.
///
/// grid       with one lambda, one gamma or beta, and epsilons
/// sentences  sampled texts of each setting
Result<void> fillSettings(report::SampleReport& report, const engine::SearchSpace& space,
                          const mechanism::Grid& grid, int sentences,
                          const CommandContext& context) {
    const auto numbers = numberDistinctWords(report);
    RETURN_IF_ERROR(checkSettings(report, space, grid, context));
    std::vector<mechanism::Guarantee> guarantees;
    ASSIGN_OR_RETURN(const auto words,
                     grid.mechanism.isExact()
                         ? weighedOutputs(report, space, grid.epsilons, context, guarantees)
                         : noiseOutputs(report, space, grid, context, guarantees));
    for (std::size_t i = 0; i < guarantees.size(); ++i) {
        report.settings.push_back(settingOf(report, numbers, words, i, sentences));
        report.settings.back().guarantee = std::move(guarantees[i]);
    }
    return {};
}

}  // namespace

void addSample(TypedOptions& options, GeneralOptions& general, SampleOptions& sample) {
    addGeneral(options, general);
    addMechanism(options, sample.grid, {mechanism::kDefaultLambda});
    takeOneValue(options, "sample", sample.grid);
    options.text("--text", "the text", sample.text);
    options.value("--text-file", "FILE",
                  "file that holds the text, instead of --text (default {}: standard input)",
                  sample.textPath, asTyped);
    options.reads([&sample] { return std::vector(sample.text ? 0 : 1, sample.textPath); });
    options.check([&options]() -> Result<void> {
        return options.isGiven("--text") && options.isGiven("--text-file")
                   ? refused("--text-file: cannot be combined with --text; give one of them")
                   : Result<void>();
    });
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
    ASSIGN_OR_RETURN(auto content, obtainText(options, context));
    ASSIGN_OR_RETURN(const auto space, openSearchSpace(context));
    const embedding::Vocabulary& vocabulary = space->embedding().vocabulary();
    ASSIGN_OR_RETURN(auto text, tokenise(std::move(content), vocabulary, context.console));
    mechanism::Grid grid = options.grid;
    RETURN_IF_ERROR(chooseEpsilon(*space, grid, context));
    report::SampleReport report{vocabulary};
    report.provenance = calibration::provenanceOf(space->embedding());
    report.mechanism = grid.mechanisms().front();
    report.draws = std::max({kLeastDraws, options.sentences, static_cast<int>(text.words.size())});
    report.seed = context.general.seed;
    report.threads = context.general.threads > 0 ? context.general.threads : defaultThreadCount();
    report.nearNeighbours = options.nearNeighbours;
    report.topOutputs = static_cast<std::size_t>(options.top);
    report.text = std::move(text);
    RETURN_IF_ERROR(fillSettings(report, *space, grid, options.sentences, context));
    return rendered(context.general, {[&] { return report::sampleJson(report); }, "results.words",
                                      [&] { return report::sampleText(report); }});
}

}  // namespace epsilens::cli
