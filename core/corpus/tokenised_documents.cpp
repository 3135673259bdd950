#include "core/corpus/tokenised_documents.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "core/base/parallel.h"
#include "core/text/lookup.h"

namespace epsilens::corpus {
namespace {

constexpr std::int64_t kDocumentsPerTask = 64;
constexpr std::int64_t kTasksAtOnce = 32;

/// A word before the unknown spellings are numbered.
struct FoundWord {
    Row row = kMasked;
    bool isReplaced = false;
    std::string spelling{};  ///< of an unknown word
};

using FoundWords = std::vector<FoundWord>;

}  // namespace

class DocumentTokeniser {
public:
    DocumentTokeniser(const embedding::Vocabulary& vocabulary, const ReplacementPolicies& policies)
        : m_lookup(vocabulary, policies.letterCase),
          m_policies(policies),
          m_tokenisers(kTasksAtOnce) {}

    /// Adds documents [first, first + count); count <= kTasksAtOnce kDocumentsPerTask.
    void add(const std::vector<Document>& documents, std::int64_t first, std::int64_t count,
             int threads) {
        std::vector<FoundWords> found(static_cast<std::size_t>(count));
        parallelFor((count + kDocumentsPerTask - 1) / kDocumentsPerTask, threads,
                    [&](std::int64_t task) {
                        const std::int64_t begin = task * kDocumentsPerTask;
                        const std::int64_t end = std::min(begin + kDocumentsPerTask, count);
                        for (std::int64_t i = begin; i < end; ++i) {
                            found[static_cast<std::size_t>(i)] =
                                wordsOf(documents[static_cast<std::size_t>(first + i)].text,
                                        m_tokenisers[static_cast<std::size_t>(task)]);
                        }
                    });
        for (FoundWords& words : found) {
            for (FoundWord& word : words) {
                append(std::move(word));
            }
            m_result.m_starts.push_back(m_result.m_rows.size());
        }
    }

    TokenisedDocuments finish() {
        m_result.m_unknownSpellings = static_cast<std::int64_t>(m_numbers.size());
        return std::move(m_result);
    }

private:
    FoundWords wordsOf(const std::string& text, text::Tokeniser& tokeniser) const {
        const text::TokenisedText tokenised =
            tokeniseDocument(text, tokeniser, m_lookup, m_policies);
        FoundWords words;
        words.reserve(tokenised.words.size());
        for (std::size_t i = 0; i < tokenised.words.size(); ++i) {
            const std::string_view spelling = tokenised.spelling(i);
            FoundWord word;
            if (tokenised.words[i].row) {
                word.row = *tokenised.words[i].row;
                word.isReplaced = isReplaced(spelling);
            } else {
                word.spelling = m_lookup.casePolicy() == text::CasePolicy::lower
                                    ? text::toLower(spelling)
                                    : std::string(spelling);
            }
            words.push_back(std::move(word));
        }
        return words;
    }

    [[nodiscard]] bool isReplaced(std::string_view spelling) const {
        return !(m_policies.stopWords && m_policies.stopWords->contains(spelling)) &&
               (!m_policies.onlyWords || m_policies.onlyWords->contains(spelling));
    }

    void append(FoundWord word) {
        const bool isKnown = word.row != kMasked;
        m_result.m_rows.push_back(word.row);
        m_result.m_isReplaced.push_back(word.isReplaced);
        m_result.m_spellings.push_back(isKnown ? word.row : numberOf(std::move(word.spelling)));
        m_result.m_knownTokens += isKnown ? 1 : 0;
        m_result.m_replacedTokens += word.isReplaced ? 1 : 0;
    }

    Row numberOf(std::string spelling) {
        const auto next = static_cast<Row>(m_lookup.vocabulary().size() +
                                           static_cast<std::int64_t>(m_numbers.size()));
        return m_numbers.try_emplace(std::move(spelling), next).first->second;
    }

    text::Lookup m_lookup;
    const ReplacementPolicies& m_policies;
    std::vector<text::Tokeniser> m_tokenisers;  ///< one per task
    std::unordered_map<std::string, Row> m_numbers{};
    TokenisedDocuments m_result{};
};

text::TokenisedText tokeniseDocument(const std::string& text, text::Tokeniser& tokeniser,
                                     const text::Lookup& lookup,
                                     const ReplacementPolicies& policies) {
    text::TokenisedText tokenised = text::tokeniseText(text, tokeniser, lookup);
    if (policies.unknown == release::UnknownPolicy::mask) {
        text::joinPhrase(tokenised, policies.mask);
    }
    return tokenised;
}

TokenisedDocuments TokenisedDocuments::ofWords(std::span<const std::vector<Row>> documents) {
    TokenisedDocuments result;
    for (const std::vector<Row>& words : documents) {
        result.m_rows.insert(result.m_rows.end(), words.begin(), words.end());
        result.m_starts.push_back(result.m_rows.size());
    }
    result.m_spellings = result.m_rows;
    result.m_isReplaced.assign(result.m_rows.size(), true);
    result.m_knownTokens = result.tokens();
    result.m_replacedTokens = result.tokens();
    return result;
}

Result<TokenisedDocuments> tokeniseDocuments(const std::vector<Document>& documents,
                                             const embedding::Vocabulary& vocabulary,
                                             const ReplacementPolicies& policies, int threads,
                                             const JobContext& job) {
    DocumentTokeniser tokeniser(vocabulary, policies);
    const auto count = static_cast<std::int64_t>(documents.size());
    constexpr std::int64_t kAtOnce = kTasksAtOnce * kDocumentsPerTask;
    for (std::int64_t first = 0; first < count; first += kAtOnce) {
        if (job.stopRequested()) {
            return fail(ErrorCode::cancelled, "cancelled");
        }
        tokeniser.add(documents, first, std::min(kAtOnce, count - first), threads);
        job.progress(static_cast<double>(first) / static_cast<double>(count), "Finding words");
    }
    TokenisedDocuments result = tokeniser.finish();
    if (result.knownTokens() == 0) {
        return fail(ErrorCode::unsupported,
                    "no word of the data set is in the vocabulary; is it of another language?");
    }
    if (result.replacedTokens() == 0) {
        return fail(ErrorCode::unsupported,
                    "the policies exempt every known word of the data set, so nothing would be "
                    "replaced");
    }
    return result;
}

TokenSample sampleTokens(const TokenisedDocuments& words, std::int64_t most) {
    std::vector<Row> tokens;
    for (std::size_t token = 0; token < words.rows().size(); ++token) {
        if (words.isReplaced(token)) {
            tokens.push_back(words.rows()[token]);
        }
    }
    std::sort(tokens.begin(), tokens.end());
    TokenSample sample;
    const auto all = static_cast<std::int64_t>(tokens.size());
    sample.tokens = std::min(most, all);
    for (std::int64_t i = 0; i < sample.tokens; ++i) {
        // The middle of the i-th of equal parts.
        const Row row = tokens[static_cast<std::size_t>((2 * i + 1) * all / (2 * sample.tokens))];
        if (sample.rows.empty() || sample.rows.back() != row) {
            sample.rows.push_back(row);
            sample.weights.push_back(0.0);
        }
        ++sample.weights.back();
    }
    return sample;
}

}  // namespace epsilens::corpus
