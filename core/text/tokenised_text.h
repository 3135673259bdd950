#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/embedding/vocabulary.h"
#include "core/text/letter_case.h"
#include "core/text/lookup.h"
#include "core/text/tokeniser.h"

namespace epsilens::text {

/// A token and its row in the vocabulary.
struct Word {
    Token token{};
    std::optional<embedding::Row> row{};  ///< nothing: unknown word
    CasePattern pattern = CasePattern::other;

    bool operator==(const Word&) const = default;
};

/// A text and its words. Rendering keeps everything between the words.
struct TokenisedText {
    std::string text{};
    std::vector<Word> words{};  ///< in the order of the text; they do not overlap

    [[nodiscard]] std::string_view spelling(std::size_t word) const {
        return words[word].token.range.of(text);
    }
    [[nodiscard]] std::size_t unknownWords() const;
};

/// Splits a text into words. A token in the vocabulary is one word. Other tokens are split as
/// follows:
///  - a run of one symbol: one word, that symbol, if known;
///  - letters with periods (U.S) followed by a period: one word with that period (u.s.), if known;
///  - a hyphenated run or a hashtag: its parts, each a word of its own, known or not, if at least
///  one
///    of them is known (# and hyphens are then punctuation between words);
///  - otherwise one unknown word.
[[nodiscard]] TokenisedText tokeniseText(std::string text, Tokeniser& tokeniser,
                                         const Lookup& lookup);
/// The same for a single text, with a temporary tokeniser.
[[nodiscard]] TokenisedText tokeniseText(std::string text, const Lookup& lookup);

/// Makes every occurrence of a phrase one unknown word, whatever the words in it, so that what
/// stands for unknown words is not taken apart when it is met again. Left alone are occurrences
/// that hold no word or begin or end inside of one, and a phrase that is itself a word of the
/// vocabulary.
void joinPhrase(TokenisedText& text, std::string_view phrase);

/// A text with replaced words.
struct RenderedText {
    std::string text{};
    std::vector<TextRange> words{};  ///< range of word i of the input; may be empty
};

/// Replaces word i by replacements[i] unchanged and keeps the rest byte for byte.
/// replacements  one for each word
[[nodiscard]] RenderedText render(const TokenisedText& text,
                                  std::span<const std::string_view> replacements);

/// Replaces word i by the vocabulary's word rows[i] in the case pattern of word i. A word whose row
/// does not change stays as typed, and so does a word with rows[i] = kAsTyped.
/// rows  one for each word, in [0, V) or kAsTyped
[[nodiscard]] RenderedText renderRows(const TokenisedText& text,
                                      const embedding::Vocabulary& vocabulary,
                                      std::span<const embedding::Row> rows);
inline constexpr embedding::Row kAsTyped = -1;

}  // namespace epsilens::text
