#pragma once

#include "core/io/text_decoder.h"

namespace epsilens::text {

using io::Character;
using io::decode;

/// Hyphens that join words: hyphen-minus, hyphen U+2010, non-breaking hyphen U+2011.
[[nodiscard]] constexpr bool isHyphen(char32_t codePoint) {
    return codePoint == U'-' || codePoint == U'\u2010' || codePoint == U'\u2011';
}

/// What a word may hold and nobody sees in it: soft hyphen, and the selectors of text and emoji
/// style.
[[nodiscard]] constexpr bool isUnseenInWord(char32_t codePoint) {
    return codePoint == U'\u00AD' || codePoint == U'\uFE0E' || codePoint == U'\uFE0F';
}

/// Sorts characters by what they mean for tokens.
enum class CharacterClass {
    letter,       ///< category L
    number,       ///< category N
    mark,         ///< category M
    symbol,       ///< category S: emoji, signs of mathematics and currency, skin tones; categories
                  ///< Co and Cn, private use and undefined; tag characters, which spell out text
                  ///< unseen. Not U+FFFD
    punctuation,  ///< category P
    other         ///< spacing, controls, U+FFFD
};
[[nodiscard]] CharacterClass characterClass(char32_t codePoint);

/// What makes an emoji of a punctuation mark in front of it: the selector of emoji style, and the
/// frame of a key.
[[nodiscard]] constexpr bool makesEmoji(char32_t codePoint) {
    return codePoint == U'\uFE0F' || codePoint == U'\u20E3';
}

/// Characters that place text, and are no part of the words they stand beside: marks of the writing
/// direction (Unicode's property Bidi_Control), zero-width space, word joiner and byte order mark.
[[nodiscard]] bool isInvisibleLayout(char32_t codePoint);

/// Characters that could carry a message unseen where they stand outside of a word: combining
/// marks, format characters (all of isInvisibleLayout among them, also a byte order mark at the
/// begin of a text), controls that are no spacing, and U+FFFD, which stands for bytes that were
/// lost.
[[nodiscard]] bool isHidden(char32_t codePoint);

}  // namespace epsilens::text
