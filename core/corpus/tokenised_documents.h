#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/corpus/data_set.h"
#include "core/embedding/vocabulary.h"
#include "core/release/policies.h"
#include "core/text/tokenised_text.h"

namespace epsilens::corpus {

using embedding::Row;

/// Words of a released text that are no row of the vocabulary.
inline constexpr Row kMasked = -1;   ///< an unknown word that is masked, or kept as it is
inline constexpr Row kDropped = -2;  ///< an unknown word that is left out

/// Which words are replaced, and what happens to the others.
struct ReplacementPolicies {
    release::UnknownPolicy unknown = release::UnknownPolicy::mask;
    std::string mask = "<unk>";
    text::CasePolicy letterCase = text::CasePolicy::automatic;
    release::StopWordsHandle stopWords{};  ///< stay as they are; null: none
    release::StopWordsHandle onlyWords{};  ///< only these are replaced; null: all
};

/// What has to be said wherever ReplacementPolicies::onlyWords is set.
inline constexpr std::string_view kOnlyWordsNotice =
    "Only the words of a list are replaced: nothing else is protected, and which words were "
    "replaced is visible.";

/// The words of documents as numbers, found as a release finds them.
///
/// All arrays have an entry for each word, document after document in the order of the text.
class TokenisedDocuments {
public:
    /// words  V
    explicit TokenisedDocuments(Row words) : m_words(words), m_spellingsEnd(words) {}

    /// Adds a word to the document that endDocument() ends; as rows() and spellings() have it.
    void addWord(Row row, Row spelling, bool isReplaced);
    void endDocument() { m_starts.push_back(m_rows.size()); }

    /// Row of the vocabulary, or kMasked for an unknown word whatever the policy.
    [[nodiscard]] std::span<const Row> rows() const { return m_rows; }
    /// What was typed: rows of the vocabulary, and V + k for spelling k of the unknown ones.
    [[nodiscard]] std::span<const Row> spellings() const { return m_spellings; }
    /// Whether the mechanism replaces the word: a known one that no policy exempts.
    [[nodiscard]] bool isReplaced(std::size_t word) const { return m_isReplaced[word]; }

    [[nodiscard]] std::size_t documents() const { return m_starts.size() - 1; }
    /// The places of a document's words are from begin to before end.
    [[nodiscard]] std::size_t begin(std::size_t document) const { return m_starts[document]; }
    [[nodiscard]] std::size_t end(std::size_t document) const { return m_starts[document + 1]; }

    [[nodiscard]] std::int64_t tokens() const { return std::ssize(m_rows); }
    [[nodiscard]] std::int64_t knownTokens() const {
        return tokens() - std::ranges::count(m_rows, kMasked);
    }
    [[nodiscard]] std::int64_t replacedTokens() const {
        return std::ranges::count(m_isReplaced, true);
    }
    /// Different unknown words; in lower case where the policy looks words up so.
    [[nodiscard]] std::int64_t unknownSpellings() const { return m_spellingsEnd - m_words; }

private:
    std::vector<Row> m_rows{};
    std::vector<Row> m_spellings{};
    std::vector<bool> m_isReplaced{};
    std::vector<std::size_t> m_starts{0};
    Row m_words;
    Row m_spellingsEnd;
};

/// The words of a document with what is between them, found as a release finds them.
[[nodiscard]] text::TokenisedText tokeniseDocument(const std::string& text,
                                                   text::Tokeniser& tokeniser,
                                                   const text::Lookup& lookup,
                                                   const ReplacementPolicies& policies);

/// Finds the words of all documents.
///
/// threads  0: all
/// Fails with unsupported if no word is known or none is replaced, and with cancelled.
[[nodiscard]] Result<TokenisedDocuments> tokeniseDocuments(const std::vector<Document>& documents,
                                                           const embedding::Vocabulary& vocabulary,
                                                           const ReplacementPolicies& policies,
                                                           int threads = 0,
                                                           const JobContext& job = {});

/// How many words of a document are replaced; the losses of these add up.
struct TextLengths {
    std::int64_t median = 0;  ///< of two the longer
    std::int64_t longest = 0;
};

/// words  of at least one document
[[nodiscard]] TextLengths textLengths(const TokenisedDocuments& words);

/// Some of the tokens of documents: their words, each once, with how many of the tokens it is.
struct TokenSample {
    std::vector<Row> rows{};        ///< rising
    std::vector<double> weights{};  ///< one per row, whole numbers >= 1
    std::int64_t tokens = 0;        ///< sum of the weights
};

/// Evenly spaced ones of the replaced tokens, ordered by their rows: a word that is every tenth
/// token of the documents is every tenth of the sample, give or take one. All where there are no
/// more.
///
/// most  >= 1
[[nodiscard]] TokenSample sampleTokens(const TokenisedDocuments& words, std::int64_t most);

}  // namespace epsilens::corpus
