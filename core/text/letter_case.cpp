#include "core/text/letter_case.h"

#include <algorithm>
#include <cstddef>

#include <unicode/bytestream.h>
#include <unicode/casemap.h>
#include <unicode/stringoptions.h>
#include <unicode/stringpiece.h>
#include <unicode/uchar.h>

#include "core/base/ascii.h"
#include "core/base/enum_names.h"
#include "core/text/characters.h"

namespace epsilens::text {

namespace {

constexpr EnumNames<CasePolicy, 3> kPolicies{
    {{"auto", CasePolicy::automatic}, {"keep", CasePolicy::keep}, {"lower", CasePolicy::lower}}};
constexpr const char* kRootLocale = "";
/// Under this share of words with capitals a vocabulary counts as lower-case.
constexpr double kCasedVocabularyShare = 0.01;

/// A word as one of ICU's maps of letter case makes it.
template <typename Map>
std::string mapped(std::string_view word, const Map& map) {
    const auto size = static_cast<std::int32_t>(word.size());
    std::string result;
    icu::StringByteSink<std::string> sink(&result, size);
    UErrorCode status = U_ZERO_ERROR;
    map(icu::StringPiece(word.data(), size), sink, status);
    return U_SUCCESS(status) ? result : std::string(word);
}

bool isCapital(char32_t codePoint) {
    const auto character = static_cast<UChar32>(codePoint);
    return u_isUUppercase(character) != 0 || u_istitle(character) != 0;
}

bool hasCapital(std::string_view word) {
    for (std::size_t at = 0; at < word.size();) {
        const Character character = decode(word, at);
        if (isCapital(character.codePoint)) {
            return true;
        }
        at = character.end;
    }
    return false;
}

/// What casePattern has to know of a word.
struct CaseCounts {
    std::size_t capitals = 0;
    std::size_t small = 0;
    bool firstIsCapital = false;  ///< of the letters with case
    bool capitalInside = false;   ///< a capital after another letter
};

CaseCounts countCase(std::string_view word) {
    CaseCounts counts;
    bool afterLetter = false;
    for (std::size_t at = 0; at < word.size();) {
        const Character character = decode(word, at);
        const bool capital = isCapital(character.codePoint);
        const bool small =
            !capital && u_isULowercase(static_cast<UChar32>(character.codePoint)) != 0;
        counts.firstIsCapital |= capital && counts.capitals + counts.small == 0;
        counts.capitalInside |= capital && afterLetter;
        counts.capitals += capital ? 1 : 0;
        counts.small += small ? 1 : 0;
        const CharacterClass kind = characterClass(character.codePoint);
        afterLetter =
            kind == CharacterClass::letter || (kind == CharacterClass::mark && afterLetter);
        at = character.end;
    }
    return counts;
}

}  // namespace

Result<CasePolicy> parseCasePolicy(std::string_view name) {
    return valueIn(kPolicies, name);
}

std::string_view casePolicyName(CasePolicy policy) {
    return nameIn(kPolicies, policy);
}

double shareWithCapitals(const embedding::Vocabulary& vocabulary) {
    const auto words = static_cast<embedding::Row>(vocabulary.size());
    embedding::Row withCapitals = 0;
    for (embedding::Row row = 0; row < words; ++row) {
        withCapitals += hasCapital(vocabulary.word(row)) ? 1 : 0;
    }
    return words > 0 ? static_cast<double>(withCapitals) / static_cast<double>(words) : 0.0;
}

CasePolicy decideCasePolicy(CasePolicy policy, const embedding::Vocabulary& vocabulary) {
    if (policy != CasePolicy::automatic) {
        return policy;
    }
    return shareWithCapitals(vocabulary) < kCasedVocabularyShare ? CasePolicy::lower
                                                                 : CasePolicy::keep;
}

CasePattern casePattern(std::string_view word) {
    const CaseCounts counts = countCase(word);
    if (counts.capitals == 0) {
        return counts.small > 0 ? CasePattern::lower : CasePattern::other;
    }
    if (counts.capitals >= 2 && counts.small == 0) {
        return CasePattern::upper;
    }
    return counts.firstIsCapital && !counts.capitalInside ? CasePattern::capitalised
                                                          : CasePattern::other;
}

std::string applyCasePattern(std::string_view word, CasePattern pattern) {
    switch (pattern) {
        case CasePattern::capitalised:
            return mapped(word, [](icu::StringPiece text, icu::ByteSink& sink, UErrorCode& status) {
                icu::CaseMap::utf8ToTitle(kRootLocale,
                                          U_TITLECASE_WHOLE_STRING | U_TITLECASE_NO_LOWERCASE,
                                          nullptr, text, sink, nullptr, status);
            });
        case CasePattern::upper:
            return mapped(word, [](icu::StringPiece text, icu::ByteSink& sink, UErrorCode& status) {
                icu::CaseMap::utf8ToUpper(kRootLocale, 0, text, sink, nullptr, status);
            });
        case CasePattern::lower:
        case CasePattern::other:
            break;
    }
    return std::string(word);
}

std::string toLower(std::string_view word) {
    if (isAscii(word)) {
        std::string result(word);
        std::ranges::transform(word, result.begin(), asciiLower);
        return result;
    }
    return mapped(word, [](icu::StringPiece text, icu::ByteSink& sink, UErrorCode& status) {
        icu::CaseMap::utf8ToLower(kRootLocale, 0, text, sink, nullptr, status);
    });
}

}  // namespace epsilens::text
