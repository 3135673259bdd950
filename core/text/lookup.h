#pragma once

#include <optional>
#include <string_view>

#include "core/embedding/vocabulary.h"
#include "core/text/letter_case.h"

namespace epsilens::text {

/// Finds the row of a token's spelling.
///
/// Looks up the spelling in the case that the policy requires. If it is not found, looks it up
/// again with ’ as ', the hyphens U+2010 and U+2011 as -, without soft hyphens and variation
/// selectors (text or emoji style), and with letters composed (NFC). Never tries another letter
/// case.
///
/// The vocabulary must outlive this object. Several threads may use it.
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
