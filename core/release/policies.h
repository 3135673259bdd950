#pragma once

#include <memory>
#include <stop_token>
#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/embedding/vocabulary.h"
#include "core/mechanism/guarantee.h"
#include "core/text/letter_case.h"
#include "core/text/lookup.h"

namespace epsilens::release {

/// What happens to a word that the vocabulary does not have, and that no mechanism can replace.
enum class UnknownPolicy {
    mask,    ///< the mask stands in for it
    random,  ///< any word of the vocabulary stands in for it, each equally likely
    drop,    ///< it is left out; what is around it stays
    keep     ///< it is left as it is: unprotected
};

/// Reads the names of --unknown: mask, random, drop, keep. Fails with invalidArgument.
[[nodiscard]] Result<UnknownPolicy> parseUnknownPolicy(std::string_view name);
/// The name that parseUnknownPolicy reads.
[[nodiscard]] std::string_view unknownPolicyName(UnknownPolicy policy);

/// Words that are left as they are, unprotected, whatever their letter case.
class StopWords {
public:
    /// words  in any letter case
    explicit StopWords(const embedding::Vocabulary& words);
    StopWords(const StopWords&) = delete;
    StopWords& operator=(const StopWords&) = delete;

    /// Whether a word is listed, found as text::Lookup finds words, in lower case. What nobody sees
    /// in a word could mark it: with a soft hyphen or a variation selector it is found only where a
    /// listed word has them in the same places.
    ///
    /// spelling  valid UTF-8
    [[nodiscard]] bool contains(std::string_view spelling) const;
    [[nodiscard]] std::int64_t size() const { return m_words.size(); }
    /// In lower case, each once.
    [[nodiscard]] const embedding::Vocabulary& words() const { return m_words; }

private:
    embedding::Vocabulary m_words{};
    text::Lookup m_lookup;
};

using StopWordsHandle = std::shared_ptr<const StopWords>;

/// Reads a file with a word a line. Fails with badFile and cancelled.
[[nodiscard]] Result<StopWordsHandle> readStopWords(const std::string& path,
                                                    std::stop_token stop = {});

/// How words that no mechanism replaces are treated, and letter case.
struct ReleasePolicies {
    UnknownPolicy unknown = UnknownPolicy::mask;
    std::string mask = "<unk>";  ///< UTF-8, without line separators
    text::CasePolicy letterCase = text::CasePolicy::automatic;
    StopWordsHandle stopWords{};  ///< null: none
    /// Equal words of a document get equal replacements, where the mechanism gives them.
    bool isConsistent = false;
};

/// What is wrong with the mask: it must be UTF-8 and leave the structure of lines alone, whatever
/// separates them for some reader. Fails with invalidArgument.
[[nodiscard]] Result<void> checkMask(std::string_view mask);

}  // namespace epsilens::release
