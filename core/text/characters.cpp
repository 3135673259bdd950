#include "core/text/characters.h"

#include <algorithm>

#include <unicode/uchar.h>
#include <unicode/utf8.h>
#include "core/base/ascii.h"

namespace epsilens::text {

namespace {

/// U8_NEXT counts in int32_t; no character is longer than this.
constexpr std::size_t kLongestCharacter = 4;

constexpr char32_t kReplacementCharacter = U'\uFFFD';

bool isTag(char32_t codePoint) {
    return codePoint >= U'\U000E0000' && codePoint <= U'\U000E007F';
}

}  // namespace

Character decode(std::string_view text, std::size_t begin) {
    if (isAscii(text[begin])) {
        return {static_cast<char32_t>(text[begin]), begin + 1, true};
    }
    const char* bytes = text.data() + begin;
    const auto length = static_cast<std::int32_t>(std::min(text.size() - begin, kLongestCharacter));
    std::int32_t offset = 0;
    UChar32 codePoint = 0;
    // The macro of ICU narrows int to uint8_t inside.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
    U8_NEXT(bytes, offset, length, codePoint);
#pragma GCC diagnostic pop
    const std::size_t end = begin + static_cast<std::size_t>(offset);
    if (codePoint < 0) {
        return {0, end, false};
    }
    return {static_cast<char32_t>(codePoint), end, true};
}

CharacterClass characterClass(char32_t codePoint) {
    if (codePoint == kReplacementCharacter) {
        return CharacterClass::other;
    }
    if (isTag(codePoint)) {
        return CharacterClass::symbol;
    }
    const std::uint32_t category = U_GET_GC_MASK(static_cast<UChar32>(codePoint));
    if ((category & U_GC_L_MASK) != 0) {
        return CharacterClass::letter;
    }
    if ((category & U_GC_N_MASK) != 0) {
        return CharacterClass::number;
    }
    if ((category & U_GC_M_MASK) != 0) {
        return CharacterClass::mark;
    }
    if ((category & (U_GC_S_MASK | U_GC_CO_MASK | U_GC_CN_MASK)) != 0) {
        return CharacterClass::symbol;
    }
    return (category & U_GC_P_MASK) != 0 ? CharacterClass::punctuation : CharacterClass::other;
}

bool isInvisibleLayout(char32_t codePoint) {
    return codePoint == U'\u200B' || codePoint == U'\u2060' || codePoint == U'\uFEFF' ||
           u_hasBinaryProperty(static_cast<UChar32>(codePoint), UCHAR_BIDI_CONTROL) != 0;
}

bool isHidden(char32_t codePoint) {
    const auto character = static_cast<UChar32>(codePoint);
    const std::uint32_t category = U_GET_GC_MASK(character);
    if ((category & U_GC_M_MASK) != 0 || codePoint == kReplacementCharacter) {
        return true;
    }
    return (category & (U_GC_CF_MASK | U_GC_CC_MASK)) != 0 && u_isUWhiteSpace(character) == 0;
}

}  // namespace epsilens::text
