#include "core/corpus/tokenised_documents.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "core/base/parallel.h"
#include "core/text/lookup.h"

namespace epsilens::corpus {
namespace {

constexpr std::size_t kDocumentsAtOnce = 2048;

/// A word before the unknown spellings are numbered.
struct FoundWord {
    Row row = kMasked;
    bool isReplaced = false;
    std::string spelling{};  ///< of an unknown word
};

std::vector<FoundWord> wordsOf(const std::string& text, text::Tokeniser& tokeniser,
                               const text::Lookup& lookup, const ReplacementPolicies& policies) {
    const text::TokenisedText tokenised = tokeniseDocument(text, tokeniser, lookup, policies);
    std::vector<FoundWord> words(tokenised.words.size());
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string_view spelling = tokenised.spelling(i);
        if (tokenised.words[i].row) {
            words[i].row = *tokenised.words[i].row;
            words[i].isReplaced = !(policies.stopWords && policies.stopWords->contains(spelling)) &&
                                  (!policies.onlyWords || policies.onlyWords->contains(spelling));
        } else {
            words[i].spelling = lookup.casePolicy() == text::CasePolicy::lower
                                    ? text::toLower(spelling)
                                    : std::string(spelling);
        }
    }
    return words;
}

}  // namespace

text::TokenisedText tokeniseDocument(const std::string& text, text::Tokeniser& tokeniser,
                                     const text::Lookup& lookup,
                                     const ReplacementPolicies& policies) {
    text::TokenisedText tokenised = text::tokeniseText(text, tokeniser, lookup);
    if (policies.unknown == release::UnknownPolicy::mask) {
        text::joinPhrase(tokenised, policies.mask);
    }
    return tokenised;
}

void TokenisedDocuments::addWord(Row row, Row spelling, bool isReplaced) {
    m_rows.push_back(row);
    m_spellings.push_back(spelling);
    m_isReplaced.push_back(isReplaced);
    m_spellingsEnd = std::max(m_spellingsEnd, spelling + 1);
}

Result<TokenisedDocuments> tokeniseDocuments(const std::vector<Document>& documents,
                                             const embedding::Vocabulary& vocabulary,
                                             const ReplacementPolicies& policies, int threads,
                                             const JobContext& job) {
    const text::Lookup lookup(vocabulary, policies.letterCase);
    const auto words = static_cast<Row>(vocabulary.size());
    std::unordered_map<std::string, Row> spellings;
    TokenisedDocuments result(words);
    for (std::size_t first = 0; first < documents.size(); first += kDocumentsAtOnce) {
        const std::size_t end = std::min(first + kDocumentsAtOnce, documents.size());
        std::vector<std::vector<FoundWord>> found(end - first);
        RETURN_IF_ERROR(inParallel(
            found.size(), threads, "Finding words", partOf(job, first, end, documents.size()),
            [](int) { return text::Tokeniser(); },
            [&](text::Tokeniser& tokeniser, std::size_t i) {
                found[i] = wordsOf(documents[first + i].text, tokeniser, lookup, policies);
            }));
        for (std::vector<FoundWord>& document : found) {
            for (FoundWord& word : document) {
                const auto next = static_cast<Row>(words + static_cast<Row>(spellings.size()));
                result.addWord(
                    word.row,
                    word.row != kMasked
                        ? word.row
                        : spellings.try_emplace(std::move(word.spelling), next).first->second,
                    word.isReplaced);
            }
            result.endDocument();
        }
    }
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

TextLengths textLengths(const TokenisedDocuments& words) {
    std::vector<std::int64_t> lengths(words.documents());
    for (std::size_t document = 0; document < lengths.size(); ++document) {
        for (std::size_t word = words.begin(document); word < words.end(document); ++word) {
            lengths[document] += words.isReplaced(word) ? 1 : 0;
        }
    }
    std::ranges::sort(lengths);
    return {lengths[lengths.size() / 2], lengths.back()};
}

TokenSample sampleTokens(const TokenisedDocuments& words, std::int64_t most) {
    std::vector<Row> tokens;
    for (std::size_t token = 0; token < words.rows().size(); ++token) {
        if (words.isReplaced(token)) {
            tokens.push_back(words.rows()[token]);
        }
    }
    std::ranges::sort(tokens);
    TokenSample sample;
    const auto all = std::ssize(tokens);
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
