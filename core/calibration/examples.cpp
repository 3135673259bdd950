#include "core/calibration/examples.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "core/base/pass_on.h"
#include "core/calibration/cell_outputs.h"
#include "core/embedding/examples.h"
#include "core/text/letter_case.h"
#include "core/text/lookup.h"
#include "core/text/tokenised_text.h"

namespace epsilens::calibration {
namespace {

using text::TokenisedText;

text::Lookup lookupOf(const embedding::Vocabulary& vocabulary) {
    return {vocabulary, text::decideCasePolicy(text::CasePolicy::automatic, vocabulary)};
}

/// Its first words, in one line.
TokenisedText beginningOf(std::string text, const text::Lookup& lookup) {
    std::replace(text.begin(), text.end(), '\n', ' ');
    TokenisedText whole = text::tokeniseText(std::move(text), lookup);
    if (whole.words.size() > Example::kMostWords) {
        whole.words.resize(Example::kMostWords);
        whole.text = whole.text.substr(0, whole.words.back().token.range.end) + " …";
    }
    return whole;
}

/// The texts with a number for each distinct known word.
struct NumberedTexts {
    std::vector<TokenisedText> texts{};
    std::vector<Row> words{};
    std::map<Row, std::size_t> numbers{};
    std::size_t mostWords = 0;  ///< of one text

    void add(TokenisedText text) {
        for (const text::Word& word : text.words) {
            if (word.row && numbers.try_emplace(*word.row, words.size()).second) {
                words.push_back(*word.row);
            }
        }
        mostWords = std::max(mostWords, text.words.size());
        texts.push_back(std::move(text));
    }
};

/// Output k gives word i of the text draw k + i, so that its words are independent.
std::string outputOf(const TokenisedText& text, const NumberedTexts& all,
                     const embedding::Vocabulary& vocabulary,
                     const std::vector<std::vector<Row>>& outputs, std::size_t k) {
    std::vector<Row> rows;
    for (std::size_t i = 0; i < text.words.size(); ++i) {
        const auto& row = text.words[i].row;
        rows.push_back(row ? outputs[all.numbers.at(*row)][k + i] : text::kAsTyped);
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
    NumberedTexts all;
    for (const std::string& text : texts) {
        TokenisedText beginning = beginningOf(text, lookup);
        if (beginning.unknownWords() < beginning.words.size()) {
            all.add(std::move(beginning));
        }
    }
    std::vector<std::vector<Example>> examples(cells.size());
    if (all.texts.empty()) {
        return examples;
    }
    const int draws = Example::kOutputs + static_cast<int>(all.mostWords) - 1;
    ASSIGN_OR_RETURN(const auto outputs,
                     cellOutputs(space, mechanism, cells, all.words, draws, seed, job));
    for (std::size_t cell = 0; cell < cells.size(); ++cell) {
        for (const TokenisedText& text : all.texts) {
            Example& example = examples[cell].emplace_back(Example{text.text, {}});
            for (std::size_t k = 0; k < Example::kOutputs; ++k) {
                example.outputs.push_back(outputOf(text, all, vocabulary, outputs[cell], k));
            }
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
    std::stable_sort(texts.begin(), texts.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<std::string> best;
    for (std::size_t i = 0; i < std::min(kTexts, texts.size()); ++i) {
        best.push_back(std::move(texts[i].second));
    }
    return best;
}

}  // namespace epsilens::calibration
