#pragma once

#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/embedding/vocabulary.h"

namespace epsilens::text {

/// How the letter case of a text is treated when its words are looked up.
enum class CasePolicy {
    automatic,  ///< lower if under 1 % of the vocabulary has capitals, else keep
    keep,       ///< look up as typed
    lower       ///< look up in lower case
};

/// Reads the names of --case: auto, keep, lower. Fails with invalidArgument.
[[nodiscard]] Result<CasePolicy> parseCasePolicy(std::string_view name);
/// The name that parseCasePolicy reads.
[[nodiscard]] std::string_view casePolicyName(CasePolicy policy);

/// Part of the words that have at least one upper- or title-case letter, in [0, 1]; 0 for no words.
[[nodiscard]] double shareWithCapitals(const embedding::Vocabulary& vocabulary);
/// Puts keep or lower in the place of automatic. One pass over the vocabulary.
[[nodiscard]] CasePolicy decideCasePolicy(CasePolicy policy,
                                          const embedding::Vocabulary& vocabulary);

/// Which letters of a word are capitals.
enum class CasePattern {
    lower,        ///< no capitals, and at least one lower-case letter: paris, '90s
    capitalised,  ///< begins with a capital, further ones only after a sign: Paris, O'Brien, X-ray,
                  ///< I
    upper,        ///< at least two letters with case, all capitals: NATO, U.S
    other         ///< anything else: iPhone, McDonald, 42, ideographs
};

/// word  valid UTF-8
[[nodiscard]] CasePattern casePattern(std::string_view word);

/// A word of the vocabulary in the pattern of the word it replaces: capitalised raises the first
/// letter, upper raises all. lower and other leave the word as the vocabulary has it, so that a
/// cased vocabulary keeps its names. Full Unicode mappings of the root locale: ß becomes SS.
[[nodiscard]] std::string applyCasePattern(std::string_view word, CasePattern pattern);

/// Full Unicode lower case of the root locale.
[[nodiscard]] std::string toLower(std::string_view word);

}  // namespace epsilens::text
