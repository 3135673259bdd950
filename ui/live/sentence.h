#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <QString>

#include "core/calibration/output_distribution.h"
#include "core/release/policies.h"
#include "core/text/tokenised_text.h"
#include "ui/state/output_mark.h"

namespace epsilens::ui::live {

using embedding::Row;

/// Words of a text that Choose follows; of longer ones it shows the beginning, and says so.
constexpr std::size_t kMostWords = 2'000;
/// Put in the place of words the vocabulary does not have, unless another policy is chosen.
constexpr std::string_view kMask = "<unk>";

/// The outputs put in the place of a word of the sentence.
struct WordOutput {
    std::optional<Row> row{};  ///< nothing: not known yet
    calibration::OutputClass outputClass = calibration::OutputClass::kept;
};

/// A word in its place in the sampled sentence.
struct SampledWord {
    int begin = 0;  ///< in SampledSentence::text
    int length = 0;
    std::size_t word = 0;      ///< its entry among the distinct words
    QString typed{};           ///< what was typed in this place
    std::optional<Row> row{};  ///< of the typed word; nothing: not in the vocabulary
    WordOutput output{};
};

/// The sentence as the mechanism returned it once.
struct SampledSentence {
    QString text{};
    std::vector<SampledWord> words{};
    int changed = 0;  ///< of the known words, those with another word as output
    int known = 0;    ///< occurrences of words that the vocabulary has
    int unknown = 0;
    bool isStale = false;  ///< of earlier settings
};

/// What stands in a place of the sampled sentence.
[[nodiscard]] QString textOf(const SampledSentence& sentence, std::size_t place);
/// How a word of the sampled sentence is marked.
[[nodiscard]] OutputMark markOfWord(const SampledWord& word);

/// A typed text with outputs in the case of the words they replace.
///
/// entries  of each word of the text
/// outputs  of each word; of an unknown one the row that the policy random puts in its place
/// unknown  what stands for words that the vocabulary does not have: kMask or as it says
[[nodiscard]] SampledSentence render(const text::TokenisedText& text,
                                     std::span<const std::size_t> entries,
                                     std::span<const WordOutput> outputs,
                                     const embedding::Vocabulary& vocabulary,
                                     release::UnknownPolicy unknown);

}  // namespace epsilens::ui::live
