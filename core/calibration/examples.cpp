#include "core/calibration/run.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "core/engine/draw_sweep.h"
#include "core/engine/metric_space.h"
#include "core/engine/noise_series.h"
#include "core/engine/selection_draws.h"
#include "core/metric/word_metric.h"
#include "core/text/letter_case.h"
#include "core/text/lookup.h"
#include "core/text/tokenised_text.h"

namespace epsilens::calibration {
namespace {

using text::TokenisedText;

/// Outputs of some words under R draws at every cell of a run: cells x words x R.
using CellOutputs = std::vector<std::vector<std::vector<Row>>>;

/// Draws the outputs from streams of their own, so that no statistic of the run rests on them.
///
/// cells  of the mechanism, in any order
/// seed   of the first word; each further one has the next seed
/// Fails as the mechanism does where a cell is outside its range.
Result<CellOutputs> cellOutputs(const engine::SearchSpace& space,
                                const mechanism::Mechanism& mechanism, std::span<const Cell> cells,
                                std::span<const Row> words, std::uint64_t seed,
                                const JobContext& job) {
    std::map<double, std::vector<std::size_t>> byLambda;
    for (std::size_t cell = 0; cell < cells.size(); ++cell) {
        byLambda[cells[cell].lambda].push_back(cell);
    }
    CellOutputs outputs(cells.size());
    for (const auto& [lambda, places] : byLambda) {
        std::vector<double> epsilons;
        std::vector<mechanism::TruncatedExponential> laws;
        for (const std::size_t place : places) {
            epsilons.push_back(cells[place].epsilon);
            ASSIGN_OR_RETURN(
                const auto law,
                mechanism::TruncatedExponential::create(
                    cells[place].epsilon,
                    cells[place].gamma.value_or(std::numeric_limits<double>::infinity())));
            laws.push_back(law);
        }
        std::optional<engine::MetricSpace> metric;
        engine::NoiseSeriesHandle series;
        if (mechanism.isExact()) {
            ASSIGN_OR_RETURN(metric,
                             metric::WordMetric::create(space.handle(), mechanism.metric(), lambda)
                                 .and_then([](metric::WordMetric&& ready) {
                                     return engine::MetricSpace::create(std::move(ready));
                                 }));
        } else {
            ASSIGN_OR_RETURN(series, engine::createSeries(space, mechanism, {lambda}));
        }
        for (std::size_t word = 0; word < words.size(); ++word) {
            const auto row = words.subspan(word, 1);
            const engine::SelectionOptions options{Example::kOutputs, seed + word, 1, 0};
            ASSIGN_OR_RETURN(auto drawn,
                             metric ? engine::drawSelections(*metric, row, laws, options, job)
                                    : engine::drawOutputs(*series, row, epsilons, options, job));
            for (std::size_t i = 0; i < places.size(); ++i) {
                outputs[places[i]].push_back(std::move(drawn.front().outputs[i]));
            }
        }
    }
    return outputs;
}

text::Lookup lookupOf(const embedding::Vocabulary& vocabulary) {
    return {vocabulary, text::decideCasePolicy(text::CasePolicy::automatic, vocabulary)};
}

/// Its first words, in one line.
TokenisedText beginningOf(std::string text, const text::Lookup& lookup) {
    std::ranges::replace(text, '\n', ' ');
    TokenisedText whole = text::tokeniseText(std::move(text), lookup);
    if (whole.words.size() > Example::kMostWords) {
        whole.words.resize(Example::kMostWords);
        whole.text = whole.text.substr(0, whole.words.back().token.range.end) + " …";
    }
    return whole;
}

/// The text under output k. Words that the vocabulary lacks are masked.
///
/// outputs  of the known words, in their order
std::string outputOf(const TokenisedText& text, const embedding::Vocabulary& vocabulary,
                     std::span<const std::vector<Row>> outputs, std::size_t k) {
    std::vector<Row> rows;
    std::size_t known = 0;
    for (const text::Word& word : text.words) {
        rows.push_back(word.row ? outputs[known++][k] : text::kAsTyped);
    }
    text::RenderedText rendered = text::renderRows(text, vocabulary, rows);
    for (std::size_t i = text.words.size(); i-- > 0;) {
        if (!text.words[i].row) {
            rendered.text.replace(rendered.words[i].begin, rendered.words[i].size(),
                                  Example::kUnknown);
        }
    }
    return std::move(rendered.text);
}

}  // namespace

Result<std::vector<std::vector<Example>>> examplesOf(const engine::SearchSpace& space,
                                                     const mechanism::Mechanism& mechanism,
                                                     std::span<const Cell> cells,
                                                     std::span<const std::string> texts,
                                                     std::uint64_t seed, const JobContext& job) {
    const embedding::Vocabulary& vocabulary = space.embedding().vocabulary();
    const text::Lookup lookup = lookupOf(vocabulary);
    std::vector<TokenisedText> shown;
    std::vector<Row> words;
    for (const std::string& text : texts) {
        TokenisedText beginning = beginningOf(text, lookup);
        if (beginning.unknownWords() == beginning.words.size()) {
            continue;
        }
        for (const text::Word& word : beginning.words) {
            if (word.row) {
                words.push_back(*word.row);
            }
        }
        shown.push_back(std::move(beginning));
    }
    std::vector<std::vector<Example>> examples(cells.size());
    // A metric of a large vocabulary takes seconds to prepare.
    if (words.empty()) {
        return examples;
    }
    ASSIGN_OR_RETURN(const auto outputs, cellOutputs(space, mechanism, cells, words, seed, job));
    for (std::size_t cell = 0; cell < cells.size(); ++cell) {
        std::span<const std::vector<Row>> rest = outputs[cell];
        for (const TokenisedText& text : shown) {
            Example& example = examples[cell].emplace_back(Example{text.text});
            for (std::size_t k = 0; k < Example::kOutputs; ++k) {
                example.outputs.push_back(outputOf(text, vocabulary, rest, k));
            }
            rest = rest.subspan(text.words.size() - text.unknownWords());
        }
    }
    return examples;
}

std::vector<std::string> builtInTexts(const embedding::Vocabulary& vocabulary) {
    constexpr std::size_t kTexts = 2;
    const text::Lookup lookup = lookupOf(vocabulary);
    std::vector<std::pair<double, std::string>> texts;
    for (const std::string_view sentence : embedding::exampleSentences()) {
        const TokenisedText text = text::tokeniseText(std::string(sentence), lookup);
        const double unknown =
            static_cast<double>(text.unknownWords()) / static_cast<double>(text.words.size());
        if (unknown <= 0.5) {
            texts.emplace_back(unknown, sentence);
        }
    }
    std::ranges::stable_sort(texts, [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<std::string> best;
    for (std::size_t i = 0; i < std::min(kTexts, texts.size()); ++i) {
        best.push_back(std::move(texts[i].second));
    }
    return best;
}

}  // namespace epsilens::calibration
