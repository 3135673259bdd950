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
    std::vector<Treatment> treatments{};   ///< one for each token; replaced words are known
    std::vector<std::int64_t> lineEnds{};  ///< end of each line in words, rising, the last its size
    std::vector<std::int32_t> documents{};  ///< of each line, from 0, never falling
    corpus::SharedDraws draws{};            ///< of all tokens

    [[nodiscard]] std::int64_t tokens() const { return static_cast<std::int64_t>(words.size()); }
    [[nodiscard]] std::int64_t lines() const { return static_cast<std::int64_t>(lineEnds.size()); }
    [[nodiscard]] std::int64_t lineBegin(std::int64_t line) const {
        return line == 0 ? 0 : lineEnds[static_cast<std::size_t>(line - 1)];
    }
    [[nodiscard]] std::int64_t lineEnd(std::int64_t line) const {
        return lineEnds[static_cast<std::size_t>(line)];
    }
};

/// Tokens that the mechanism replaces, in the order of the text: the tokens of every success rate.
struct ReplacedTokens {
    std::vector<std::int64_t> tokens{};     ///< index of each among the tokens of the text
    std::vector<Row> words{};               ///< true word of each
    std::vector<std::int32_t> documents{};  ///< of each
    corpus::SharedDraws draws{};

    [[nodiscard]] std::size_t size() const { return tokens.size(); }
};

[[nodiscard]] ReplacedTokens replacedTokens(const AttackedText& text);

/// Whole documents of a text, taken in an order drawn from the seed until they hold at least
/// `tokens` replaced tokens or there are no more; in the order of the text.
[[nodiscard]] AttackedText sampleDocuments(const AttackedText& text, std::int64_t tokens,
                                           std::uint64_t seed);

}  // namespace epsilens::attack
