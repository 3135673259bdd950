#include "core/text/characters.h"

#include <cstdint>

#include <unicode/uchar.h>

namespace epsilens::text {

namespace {

constexpr char32_t kReplacementCharacter = U'\uFFFD';

bool isTag(char32_t codePoint) {
    return codePoint >= U'\U000E0000' && codePoint <= U'\U000E007F';
}

}  // namespace

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
