#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/corpus/share.h"
#include "core/embedding/vocabulary.h"

namespace epsilens::attack {

using embedding::Row;

/// The row of a word that the vocabulary does not have.
inline constexpr Row kUnknownWord = -1;

/// What the mechanism and its policies do with a token, as the attacker can see.
enum class Treatment : std::uint8_t {
    replaced,  ///< the mechanism draws a word; the only tokens that are guessed
    kept,      ///< the attacker reads the word itself; an unknown one says nothing
    masked,    ///< a sign stands for it, which says nothing about the word
    dropped    ///< nothing stands for it, so that the attacker does not know it was there
};

/// The secret text: what an attacker tries to find out about, and what a success is measured on.
struct AttackedText {
    std::vector<Row> words{};  ///< of all tokens; kUnknownWord where the vocabulary lacks it
    std::vector<Treatment> treatments{};  ///< one for each token; replaced words are known
    /// End of each line in words, rising, the last its size; a line is a document.
    std::vector<std::size_t> lineEnds{};
    corpus::SharedDraws draws{};  ///< of all tokens

    [[nodiscard]] std::size_t tokens() const { return words.size(); }
    [[nodiscard]] std::size_t lines() const { return lineEnds.size(); }
    [[nodiscard]] std::size_t lineBegin(std::size_t line) const {
        return line == 0 ? 0 : lineEnds[line - 1];
    }
    [[nodiscard]] std::size_t lineEnd(std::size_t line) const { return lineEnds[line]; }
};

/// Tokens that the mechanism replaces, in the order of the text: the tokens of every success rate.
struct ReplacedTokens {
    std::vector<std::size_t> tokens{};      ///< index of each among the tokens of the text
    std::vector<Row> words{};               ///< true word of each
    std::vector<std::int32_t> documents{};  ///< of each: its line
    corpus::SharedDraws draws{};

    [[nodiscard]] std::size_t size() const { return tokens.size(); }
};

[[nodiscard]] ReplacedTokens replacedTokens(const AttackedText& text);

/// Whole documents, taken in an order drawn from the seed until they hold at least `tokens`
/// replaced tokens or there are no more. Returns which ones, rising.
///
/// replaced  tokens of each document
[[nodiscard]] std::vector<std::size_t> sampleDocuments(std::span<const std::int64_t> replaced,
                                                       std::int64_t tokens, std::uint64_t seed);

}  // namespace epsilens::attack
