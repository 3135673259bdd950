#include "core/base/ascii.h"
#include "core/text/tokeniser.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/text_decoder.h"
#include "core/text/characters.h"
#include "core/text/tokenised_text.h"
#include "tests/fuzz/fuzz_target.h"

using namespace epsilens;
using fuzz::require;

namespace {

embedding::Vocabulary someWords() {
    embedding::Vocabulary words;
    for (const char* word :
         {"the", "quick", "brown", "don't", "well", "known", "well-known", "u.s.", "a.b9.", "a-b9",
          "x.com", "#tag", "3.14", "été", "東京", "<unk>", "+"}) {
        words.add(word);
    }
    return words;
}

bool holdsLetterDigitOrSymbol(std::string_view gap) {
    return std::ranges::any_of(gap, [](char byte) {
        return isAsciiLetter(byte) || isAsciiDigit(byte) ||
               std::string_view("$+<=>^`|~").find(byte) != std::string_view::npos;
    });
}

void checkTokens(std::string_view input, const std::vector<text::Token>& tokens) {
    std::size_t end = 0;
    for (const text::Token& token : tokens) {
        require(token.range.begin >= end && token.range.end > token.range.begin &&
                    token.range.end <= input.size(),
                "tokens are in order, not empty, within the text");
        require(!holdsLetterDigitOrSymbol(input.substr(end, token.range.begin - end)),
                "no letter, digit or symbol lies between tokens");
        require(io::isValidUtf8(token.range.of(input)), "a token is valid UTF-8");
        for (const text::Token& part : text::partsOf(input, token)) {
            require(part.range.begin >= token.range.begin && part.range.end <= token.range.end,
                    "parts lie within their token");
        }
        end = token.range.end;
    }
    require(!holdsLetterDigitOrSymbol(input.substr(end)),
            "no letter, digit or symbol follows the last token");
}

/// What the rules of the tokeniser are about, and broken characters, as the bytes choose.
std::string piecesChosenBy(std::string_view bytes) {
    using namespace std::string_view_literals;
    static constexpr std::array kPieces{
        "a"sv,      "B9"sv,     "."sv,          "-"sv,    "@"sv,    "#"sv,        "/"sv,
        "://"sv,    "www."sv,   "_"sv,          "'"sv,    "’"sv,    " "sv,        "\n"sv,
        "("sv,      ")"sv,      "\xff"sv,       "\xe2"sv, "\x80"sv, "\xf0\x9f"sv, "\u0301"sv,
        "\u00AD"sv, "\u200D"sv, "\U0001F600"sv, "東"sv,   "ก"sv,    "ש"sv,        "ä"sv,
        "½"sv,      "12"sv,     "\u2010"sv,     "com"sv,  "+"sv,    "=="sv,       "€"sv,
        "<"sv,      "\u0338"sv, "\U0001F3FD"sv, "\0"sv};
    std::string text;
    for (const char byte : bytes) {
        text += kPieces.at(static_cast<unsigned char>(byte) % kPieces.size());
    }
    return text;
}

/// All words replaced by the first of the vocabulary and by themselves.
void checkRendering(const text::TokenisedText& text, const embedding::Vocabulary& vocabulary) {
    std::vector<std::string_view> spellings;
    std::vector<embedding::Row> rows;
    for (std::size_t i = 0; i < text.words.size(); ++i) {
        spellings.push_back(text.spelling(i));
        rows.push_back(i % 2 == 0 ? text::kAsTyped : text.words[i].row.value_or(text::kAsTyped));
    }
    require(text::render(text, spellings).text == text.text &&
                text::renderRows(text, vocabulary, rows).text == text.text,
            "a text without replaced words is the same");
    const std::vector<embedding::Row> first(text.words.size(), 0);
    const auto rendered = text::renderRows(text, vocabulary, first);
    require(rendered.words.size() == text.words.size(), "every word has its place");
    for (const text::TextRange& range : rendered.words) {
        require(range.begin <= range.end && range.end <= rendered.text.size(),
                "places lie within the text");
    }
}

}  // namespace

EPSILENS_FUZZ_TARGET(tokeniser) {
    static const embedding::Vocabulary vocabulary = someWords();
    static const text::Lookup lookup(vocabulary, text::CasePolicy::lower);
    static text::Tokeniser tokeniser;
    for (const std::string& source : {std::string(input), piecesChosenBy(input)}) {
        checkTokens(source, tokeniser.tokenise(source));
        auto text = text::tokeniseText(source, tokeniser, lookup);
        checkRendering(text, vocabulary);
        text::joinPhrase(text, "<unk>");
        checkRendering(text, vocabulary);
    }
}
