#pragma once

#include <optional>
#include <string_view>

#include "core/embedding/vocabulary.h"
#include "core/text/letter_case.h"

namespace epsilens::text {

/// Finds the row of a token's spelling.
///
/// Looked up are, in this order, until one is found: the spelling in the case the policy asks for;
/// the same with ’ as ', the hyphens U+2010 and U+2011 as -, soft hyphens and variation selectors
/// (text or emoji style) left out, and letters composed (NFC). Never looks at another case than the
/// policy's.
///
/// Refers to the vocabulary, which must outlive it. May be used from several threads.
class Lookup {
public:
    Lookup(const embedding::Vocabulary& vocabulary, CasePolicy policy);

    /// spelling  valid UTF-8
    [[nodiscard]] std::optional<embedding::Row> find(std::string_view spelling) const;

    [[nodiscard]] const embedding::Vocabulary& vocabulary() const { return *m_vocabulary; }
    /// keep or lower, never automatic.
    [[nodiscard]] CasePolicy casePolicy() const { return m_policy; }

private:
    [[nodiscard]] std::optional<embedding::Row> findInCase(std::string_view spelling) const;

    const embedding::Vocabulary* m_vocabulary;
    CasePolicy m_policy;
};

}  // namespace epsilens::text
