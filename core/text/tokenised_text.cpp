#include "core/text/tokenised_text.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace epsilens::text {

namespace {

/// Adds the words of one token after the other to a text.
class WordCollector {
public:
    WordCollector(TokenisedText& result, const Lookup& lookup)
        : m_result(result), m_lookup(lookup) {}

    /// next  where the next token begins, or the text ends
    void add(const Token& token, std::size_t next);

private:
    [[nodiscard]] Word resolved(const Token& token) const;
    [[nodiscard]] std::optional<Word> abbreviation(const Token& token, std::size_t next) const;
    bool addParts(const Token& token);

    TokenisedText& m_result;
    const Lookup& m_lookup;
};

Word WordCollector::resolved(const Token& token) const {
    const std::string_view spelling = token.range.of(m_result.text);
    std::optional<embedding::Row> row = m_lookup.find(spelling);
    if (!row && token.kind == TokenKind::symbol) {
        row = m_lookup.find(repeatedSymbol(spelling));
    }
    return {token, row, casePattern(spelling)};
}

// The period may begin the next token, where a joiner ties it to what follows.
std::optional<Word> WordCollector::abbreviation(const Token& token, std::size_t next) const {
    const std::string_view text = m_result.text;
    const std::size_t end = token.range.end;
    if (token.kind != TokenKind::word || end >= next || text[end] != '.' ||
        token.range.of(text).find('.') == std::string_view::npos) {
        return std::nullopt;
    }
    const Word word = resolved({{token.range.begin, end + 1}, token.kind});
    return word.row.has_value() ? std::optional<Word>(word) : std::nullopt;
}

bool WordCollector::addParts(const Token& token) {
    const std::size_t before = m_result.words.size();
    bool anyKnown = false;
    for (const Token& part : partsOf(m_result.text, token)) {
        m_result.words.push_back(resolved(part));
        anyKnown = anyKnown || m_result.words.back().row.has_value();
    }
    if (!anyKnown) {
        m_result.words.resize(before);
    }
    return anyKnown;
}

void WordCollector::add(const Token& token, std::size_t next) {
    const Word word = resolved(token);
    if (!word.row.has_value()) {
        if (const std::optional<Word> longer = abbreviation(token, next); longer.has_value()) {
            m_result.words.push_back(*longer);
            return;
        }
        if (addParts(token)) {
            return;
        }
    }
    m_result.words.push_back(word);
}

}  // namespace

std::size_t TokenisedText::unknownWords() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(words, [](const Word& word) { return !word.row.has_value(); }));
}

TokenisedText tokeniseText(std::string text, Tokeniser& tokeniser, const Lookup& lookup) {
    TokenisedText result{std::move(text), {}};
    const std::vector<Token> tokens = tokeniser.tokenise(result.text);
    result.words.reserve(tokens.size());
    WordCollector collector(result, lookup);
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const bool isLast = i + 1 == tokens.size();
        collector.add(tokens[i], isLast ? result.text.size() : tokens[i + 1].range.begin);
    }
    return result;
}

TokenisedText tokeniseText(std::string text, const Lookup& lookup) {
    Tokeniser tokeniser;
    return tokeniseText(std::move(text), tokeniser, lookup);
}

void joinPhrase(TokenisedText& text, std::string_view phrase) {
    const std::string_view source = text.text;
    std::vector<Word> words;
    auto next = text.words.begin();
    std::size_t at = phrase.empty() ? std::string_view::npos : source.find(phrase);
    while (at != std::string_view::npos) {
        const TextRange place{at, at + phrase.size()};
        for (; next != text.words.end() && next->token.range.end <= place.begin; ++next) {
            words.push_back(*next);
        }
        const auto end = std::find_if(next, text.words.end(), [&](const Word& word) {
            return word.token.range.begin >= place.end;
        });
        const bool isCut = next != end && (next->token.range.begin < place.begin ||
                                           std::prev(end)->token.range.end > place.end);
        const bool isKnown = next != end && next->token.range == place && next->row.has_value();
        if (next == end || isCut || isKnown) {
            at = source.find(phrase, at + 1);
            continue;
        }
        words.push_back({{place, TokenKind::symbol}, std::nullopt, CasePattern::other});
        next = end;
        at = source.find(phrase, place.end);
    }
    words.insert(words.end(), next, text.words.end());
    text.words = std::move(words);
}

RenderedText render(const TokenisedText& text, std::span<const std::string_view> replacements) {
    assert(text.words.size() == replacements.size());
    RenderedText result;
    result.text.reserve(text.text.size());
    result.words.reserve(text.words.size());
    const std::string_view source = text.text;
    std::size_t copied = 0;
    for (std::size_t i = 0; i < text.words.size(); ++i) {
        const TextRange& range = text.words[i].token.range;
        result.text += source.substr(copied, range.begin - copied);
        const std::size_t begin = result.text.size();
        result.text += replacements[i];
        result.words.push_back({begin, result.text.size()});
        copied = range.end;
    }
    result.text += source.substr(copied);
    return result;
}

RenderedText renderRows(const TokenisedText& text, const embedding::Vocabulary& vocabulary,
                        std::span<const embedding::Row> rows) {
    assert(text.words.size() == rows.size());
    std::vector<std::string> substitutes(rows.size());
    std::vector<std::string_view> replacements(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const Word& word = text.words[i];
        if (rows[i] == kAsTyped || rows[i] == word.row) {
            replacements[i] = text.spelling(i);
        } else {
            substitutes[i] = applyCasePattern(vocabulary.word(rows[i]), word.pattern);
            replacements[i] = substitutes[i];
        }
    }
    return render(text, replacements);
}

}  // namespace epsilens::text
