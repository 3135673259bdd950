#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

namespace epsilens::text {

/// Bytes [begin, end) of a text.
struct TextRange {
    std::size_t begin = 0;
    std::size_t end = 0;

    [[nodiscard]] std::size_t size() const { return end - begin; }
    [[nodiscard]] std::string_view of(std::string_view text) const {
        return text.substr(begin, size());
    }
    bool operator==(const TextRange&) const = default;
};

enum class TokenKind {
    word,    ///< letters, with what UAX #29 joins to them: don't, U.S, foo_bar, example.com
    number,  ///< digits without letters: 3.14, 1,000, and signs such as ½ and ²
    symbol,  ///< a sign or a run of one and the same: +, €, ++, emoji, also those that Unicode
             ///< calls punctuation (‼️, #️⃣); characters that it does not define
    hyphenated,  ///< words or numbers joined by single hyphens: well-known, 2019-20
    url,         ///< web and mail addresses: https://a.org/b, www.a.org, a.org/b, me@a.org
    mention,     ///< @name, @name@host.org
    hashtag      ///< #word; #1 is a number after a punctuation mark
};

/// One unit of text that a mechanism may replace.
struct Token {
    TextRange range{};  ///< never empty, whole UTF-8 characters
    TokenKind kind = TokenKind::word;

    bool operator==(const Token&) const = default;
};

/// Splits UTF-8 text into tokens. What lies between tokens is spacing, punctuation, control
/// characters, NUL, marks of the writing direction, combining marks without a letter, U+FFFD, and
/// bytes that are not valid UTF-8; nothing is altered.
///
/// The segments are those of UAX #29 as ICU's word BreakIterator (root locale) finds them, with its
/// dictionaries for Thai, Chinese and the like. A segment is a token when it holds a letter, a
/// number, a symbol or an undefined character: whatever carries meaning is a token, so that nothing
/// but punctuation passes a release unseen. On top of it hyphenated runs, addresses, mentions,
/// hashtags and runs of one symbol are one token each.
///
/// Time is linear in the length of the text. An object is for one thread at a time; the first one
/// of a program loads ICU's rules, so keep one for many lines.
class Tokeniser {
public:
    /// Throws std::runtime_error where ICU's data are missing (a broken installation).
    Tokeniser();
    ~Tokeniser();
    Tokeniser(Tokeniser&& other) noexcept;
    Tokeniser& operator=(Tokeniser&& other) noexcept;

    /// Tokens in the order of the text; they do not overlap.
    [[nodiscard]] std::vector<Token> tokenise(std::string_view text);

private:
    struct State;
    std::unique_ptr<State> m_state;
};

/// Tokens that stand in for one that the vocabulary does not have: the words of a hyphenated run
/// (the hyphens are left between them), the word of a hashtag (without #). Empty for all other
/// kinds: an unknown address or mention is unknown as a whole.
[[nodiscard]] std::vector<Token> partsOf(std::string_view text, const Token& token);

/// The symbol that a token of symbols repeats; the whole spelling where it is a single one.
[[nodiscard]] std::string_view repeatedSymbol(std::string_view spelling);

}  // namespace epsilens::text
