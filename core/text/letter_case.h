#pragma once

#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/embedding/vocabulary.h"

namespace epsilens::text {

/// How the letter case of a word is treated when the word is looked up.
enum class CasePolicy {
    automatic,  ///< lower if under 1 % of the vocabulary has capitals, else keep
    keep,       ///< look up as typed
    lower       ///< look up in lower case
};

/// Reads the names of --case: auto, keep, lower. Fails with invalidArgument.
[[nodiscard]] Result<CasePolicy> parseCasePolicy(std::string_view name);
/// The name that parseCasePolicy reads.
[[nodiscard]] std::string_view casePolicyName(CasePolicy policy);

/// Share of the words with at least one upper- or title-case letter, in [0, 1]; 0 if there are
/// none.
[[nodiscard]] double shareWithCapitals(const embedding::Vocabulary& vocabulary);
/// Replaces automatic by keep or lower. Takes one pass over the vocabulary.
[[nodiscard]] CasePolicy decideCasePolicy(CasePolicy policy,
                                          const embedding::Vocabulary& vocabulary);

/// Pattern of the capitals of a word.
enum class CasePattern {
    lower,        ///< no capitals, and at least one lower-case letter: paris, '90s
    capitalised,  ///< begins with a capital; others only after a sign: Paris, O'Brien, X-ray,
                  ///< I
    upper,        ///< at least two letters with case, all capitals: NATO, U.S
    other         ///< anything else: iPhone, McDonald, 42, ideographs
};

/// word  valid UTF-8
[[nodiscard]] CasePattern casePattern(std::string_view word);

/// Writes a word of the vocabulary in the pattern of the word it replaces: capitalised changes the
/// first letter to upper case, upper all letters. lower and other do not change the word, so that a
/// cased vocabulary keeps its names. Uses the full Unicode mappings of the root locale: ß becomes
/// SS.
[[nodiscard]] std::string applyCasePattern(std::string_view word, CasePattern pattern);

/// Full Unicode lower case of the root locale.
[[nodiscard]] std::string toLower(std::string_view word);

}  // namespace epsilens::text
