#include "core/text/tokeniser.h"

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>

#include <unicode/ubrk.h>
#include <unicode/uchar.h>
#include <unicode/utext.h>

#include "core/base/ascii.h"
#include "core/text/characters.h"

namespace epsilens::text {

namespace {

/// Scripts that are written with spaces between words end here. Behind it an address may stand
/// directly after running text (Chinese, Japanese, Thai), which must not become part of it.
constexpr char32_t kEndOfSpacedScripts = 0x0600;

constexpr std::string_view kRunPunctuation = "._%+-";

bool isLetterOrNumber(char32_t codePoint) {
    const CharacterClass kind = characterClass(codePoint);
    return kind == CharacterClass::letter || kind == CharacterClass::number;
}

/// Characters of host names and of the local part of mail addresses.
bool isRunCharacter(const Character& character) {
    if (!character.valid || character.codePoint >= kEndOfSpacedScripts) {
        return false;
    }
    if (character.codePoint >= 0x80) {
        return isLetterOrNumber(character.codePoint) ||
               characterClass(character.codePoint) == CharacterClass::mark;
    }
    const char byte = static_cast<char>(character.codePoint);
    return isAsciiLetter(byte) || isAsciiDigit(byte) ||
           kRunPunctuation.find(byte) != std::string_view::npos;
}

bool isTailCharacter(const Character& character) {
    if (!character.valid) {
        return false;
    }
    if (character.codePoint >= 0x80) {
        return isLetterOrNumber(character.codePoint) ||
               characterClass(character.codePoint) == CharacterClass::mark;
    }
    const char byte = static_cast<char>(character.codePoint);
    return byte > ' ' && byte < 0x7f &&
           std::string_view("<>\"`{}|\\^").find(byte) == std::string_view::npos;
}

bool isTrailingPunctuation(char byte) {
    return std::string_view(".,;:!?'*]").find(byte) != std::string_view::npos;
}

bool beginsWithWww(std::string_view run) {
    constexpr std::string_view prefix = "www.";
    return run.size() > prefix.size() &&
           std::equal(prefix.begin(), prefix.end(), run.begin(),
                      [](char a, char b) { return a == asciiLower(b); });
}

/// Finds web and mail addresses: scheme://rest, www.rest, host.tld/rest, name@host.tld.
///
/// Punctuation at the end (full stop, comma, unmatched closing bracket, …) is not part of an
/// address. A bare host name (example.com) is not an address but a word.
class AddressFinder {
public:
    explicit AddressFinder(std::string_view text) : m_text(text) {}

    /// End of the address that begins at `begin`, a letter or digit; `begin` if there is none.
    /// Positions must ascend from call to call; all calls together take time linear in the text.
    [[nodiscard]] std::size_t endOfAddress(std::size_t begin);

private:
    [[nodiscard]] std::size_t endOfRun(std::size_t begin) const;
    [[nodiscard]] std::size_t endOfTail(std::size_t begin) const;
    [[nodiscard]] std::size_t trimTail(std::size_t begin, std::size_t end) const;
    [[nodiscard]] bool isHost(std::size_t begin, std::size_t end) const;
    [[nodiscard]] std::size_t endOfMail(std::size_t at) const;

    std::string_view m_text;
    /// No address begins before this byte. The characters after a run of host and name characters
    /// decide for all positions in the run, so that each run is checked once.
    std::size_t m_noneBefore = 0;
};

std::size_t AddressFinder::endOfRun(std::size_t begin) const {
    std::size_t end = begin;
    while (end < m_text.size()) {
        const Character character = decode(m_text, end);
        if (!isRunCharacter(character)) {
            break;
        }
        end = character.end;
    }
    return end;
}

std::size_t AddressFinder::trimTail(std::size_t begin, std::size_t end) const {
    const std::string_view tail = m_text.substr(begin, end - begin);
    const auto opened = std::ranges::count(tail, '(');
    auto closed = std::ranges::count(tail, ')');
    while (end > begin) {
        const char last = m_text[end - 1];
        if (last == ')' && closed > opened) {
            --closed;
        } else if (!isTrailingPunctuation(last)) {
            break;
        }
        --end;
    }
    return end;
}

std::size_t AddressFinder::endOfTail(std::size_t begin) const {
    std::size_t end = begin;
    while (end < m_text.size()) {
        const Character character = decode(m_text, end);
        if (!isTailCharacter(character)) {
            break;
        }
        end = character.end;
    }
    return trimTail(begin, end);
}

/// Whether a run ends like a host: a letter or digit, a period, and at least two letters.
bool AddressFinder::isHost(std::size_t begin, std::size_t end) const {
    const std::size_t period = m_text.substr(begin, end - begin).rfind('.');
    if (period == std::string_view::npos || period == 0) {
        return false;
    }
    const char before = m_text[begin + period - 1];
    if (isAscii(before) && !isAsciiLetter(before) && !isAsciiDigit(before)) {
        return false;
    }
    int letters = 0;
    for (std::size_t at = begin + period + 1; at < end; ++letters) {
        const Character character = decode(m_text, at);
        if (characterClass(character.codePoint) != CharacterClass::letter) {
            return false;
        }
        at = character.end;
    }
    return letters >= 2;
}

/// at  the position of an @ after a run
std::size_t AddressFinder::endOfMail(std::size_t at) const {
    std::size_t end = endOfRun(at + 1);
    while (end > at + 1 && kRunPunctuation.find(m_text[end - 1]) != std::string_view::npos) {
        --end;
    }
    return isHost(at + 1, end) ? end : at;
}

std::size_t AddressFinder::endOfAddress(std::size_t begin) {
    if (begin < m_noneBefore) {
        return begin;
    }
    const std::size_t run = endOfRun(begin);
    m_noneBefore = run;
    const std::string_view rest = m_text.substr(run);
    if (rest.starts_with("://")) {
        const std::size_t end = endOfTail(run + 3);
        return end > run + 3 ? end : begin;
    }
    if (beginsWithWww(m_text.substr(begin, run - begin))) {
        const std::size_t end = endOfTail(begin);
        return end > begin + 4 ? end : begin;
    }
    if (rest.starts_with("@")) {
        const std::size_t end = endOfMail(run);
        return end > run ? end : begin;
    }
    if (rest.starts_with("/") && isHost(begin, run)) {
        return endOfTail(begin);
    }
    return begin;
}

/// ICU counts in int32_t, so longer text goes through it in pieces of at most this many bytes.
constexpr std::size_t kPieceBytes = std::size_t{1} << 24;

enum class SegmentClass { gap, word, number, symbol };

void requireSuccess(UErrorCode status, const char* what) {
    if (status == U_MEMORY_ALLOCATION_ERROR) {
        throw std::bad_alloc();
    }
    if (U_FAILURE(status)) {
        throw std::runtime_error(std::string(what) + ": " + u_errorName(status));
    }
}

/// A piece ends after a line, else after a space, else between characters.
std::size_t endOfPiece(std::string_view text, std::size_t begin) {
    if (text.size() - begin <= kPieceBytes) {
        return text.size();
    }
    const std::string_view piece = text.substr(begin, kPieceBytes);
    for (const char separator : {'\n', ' '}) {
        const std::size_t last = piece.rfind(separator);
        if (last != std::string_view::npos) {
            return begin + last + 1;
        }
    }
    std::size_t end = begin + kPieceBytes;
    for (int step = 0; step < 3 && continuesCharacter(text[end]); ++step) {
        --end;
    }
    return end;
}

/// By content and not by ICU's rule status, which changes with its version: a run of underscores
/// has the status of a word, emoji have none.
SegmentClass classOfSegment(std::string_view segment) {
    SegmentClass found = SegmentClass::gap;
    CharacterClass before = CharacterClass::other;
    for (std::size_t at = 0; at < segment.size();) {
        const Character character = decode(segment, at);
        at = character.end;
        const bool isEmoji =
            before == CharacterClass::punctuation && makesEmoji(character.codePoint);
        before = isEmoji ? CharacterClass::symbol : characterClass(character.codePoint);
        switch (before) {
            case CharacterClass::letter:
                return SegmentClass::word;
            case CharacterClass::number:
                found = SegmentClass::number;
                break;
            case CharacterClass::symbol:
                found = found == SegmentClass::gap ? SegmentClass::symbol : found;
                break;
            case CharacterClass::mark:
            case CharacterClass::punctuation:
            case CharacterClass::other:
                break;
        }
    }
    return found;
}

/// Full stops, apostrophes and the like, which UAX #29 joins only between letters or digits.
bool isJoiner(char byte) {
    return std::string_view(".,:;'\"").find(byte) != std::string_view::npos;
}

/// Where the character begins that ends at a byte of valid UTF-8.
std::size_t startOfCharacter(std::string_view text, std::size_t end) {
    std::size_t begin = end - 1;
    while (begin > 0 && continuesCharacter(text[begin])) {
        --begin;
    }
    return begin;
}

/// Without joiners at the ends.
TextRange trimmed(std::string_view text, TextRange range) {
    while (range.begin < range.end && isJoiner(text[range.begin])) {
        ++range.begin;
    }
    while (range.begin < range.end && isJoiner(text[range.end - 1])) {
        --range.end;
    }
    return range;
}

/// Without spacing and marks of the writing direction at the ends. UAX #29 joins such marks, and
/// letters that combine, to whatever stands before them.
TextRange withoutLayout(std::string_view text, TextRange range) {
    while (range.begin < range.end) {
        const Character first = decode(text, range.begin);
        if (!u_isUWhiteSpace(static_cast<UChar32>(first.codePoint)) &&
            !isInvisibleLayout(first.codePoint)) {
            break;
        }
        range.begin = first.end;
    }
    while (range.begin < range.end && !isAscii(text[range.end - 1])) {
        const std::size_t last = startOfCharacter(text, range.end);
        if (!isInvisibleLayout(decode(text, last).codePoint)) {
            break;
        }
        range.end = last;
    }
    return range;
}

bool isSingleHyphen(std::string_view text) {
    if (text.empty() || text.size() > 3) {
        return false;
    }
    const Character character = decode(text, 0);
    return character.valid && character.end == text.size() && isHyphen(character.codePoint);
}

/// Puts segments together to tokens, in the order of the text.
class Assembler {
public:
    Assembler(std::string_view text, std::vector<Token>& tokens)
        : m_text(text), m_tokens(tokens), m_addresses(text) {}

    /// The next segment of UAX #29. Bytes that are no UTF-8 part it: ICU joins them to an emoji
    /// behind a zero-width joiner.
    void addSegment(const TextRange& segment);

private:
    /// A segment of valid UTF-8. Some versions of ICU take @ for a letter; here it always parts.
    void addValid(const TextRange& whole);
    void add(const TextRange& segment, SegmentClass kind);
    void addSymbol(const TextRange& segment);
    [[nodiscard]] std::size_t covered() const {
        return m_tokens.empty() ? 0 : m_tokens.back().range.end;
    }
    [[nodiscard]] bool follows(std::initializer_list<TokenKind> kinds, std::size_t begin) const;
    [[nodiscard]] bool sigilBefore(std::size_t begin, char sigil) const;
    bool addAddress(const TextRange& segment);
    bool addSigil(const TextRange& segment, SegmentClass kind);
    bool continueToken(const TextRange& segment);

    std::string_view m_text;
    std::vector<Token>& m_tokens;
    AddressFinder m_addresses;
    std::size_t m_symbolSize = 0;  ///< of the symbol that the last token repeats, if it is one
};

/// Whether the last token has one of these kinds and ends where a segment begins.
bool Assembler::follows(std::initializer_list<TokenKind> kinds, std::size_t begin) const {
    return !m_tokens.empty() && m_tokens.back().range.end == begin &&
           std::ranges::find(kinds, m_tokens.back().kind) != kinds.end();
}

/// Whether @ or # stands directly before a segment, and no word directly before the sign.
bool Assembler::sigilBefore(std::size_t begin, char sigil) const {
    return begin > covered() && m_text[begin - 1] == sigil &&
           !follows({TokenKind::word, TokenKind::number, TokenKind::hyphenated, TokenKind::url},
                    begin - 1);
}

bool Assembler::addAddress(const TextRange& segment) {
    const std::size_t end = m_addresses.endOfAddress(segment.begin);
    if (end == segment.begin) {
        return false;
    }
    const bool mention = sigilBefore(segment.begin, '@');
    m_tokens.push_back({{segment.begin - (mention ? 1U : 0U), std::max(end, segment.end)},
                        mention ? TokenKind::mention : TokenKind::url});
    return true;
}

bool Assembler::addSigil(const TextRange& segment, SegmentClass kind) {
    if (kind != SegmentClass::word) {
        return false;
    }
    for (const auto& [sigil, tokenKind] :
         {std::pair{'@', TokenKind::mention}, std::pair{'#', TokenKind::hashtag}}) {
        if (sigilBefore(segment.begin, sigil)) {
            m_tokens.push_back({{segment.begin - 1, segment.end}, tokenKind});
            return true;
        }
    }
    return false;
}

/// Lengthens the last token where the segment goes on with it: the further segments of a hashtag or
/// mention in a script without spaces, and what follows a single hyphen.
bool Assembler::continueToken(const TextRange& segment) {
    if (m_tokens.empty()) {
        return false;
    }
    Token& last = m_tokens.back();
    if (follows({TokenKind::hashtag, TokenKind::mention}, segment.begin)) {
        last.range.end = segment.end;
        return true;
    }
    if (!isSingleHyphen(m_text.substr(last.range.end, segment.begin - last.range.end))) {
        return false;
    }
    switch (last.kind) {
        case TokenKind::word:
        case TokenKind::number:
        case TokenKind::hyphenated:
            last.kind = TokenKind::hyphenated;
            last.range.end = segment.end;
            return true;
        case TokenKind::mention:
            last.range.end = segment.end;
            return true;
        case TokenKind::symbol:
        case TokenKind::url:
        case TokenKind::hashtag:
            return false;
    }
    return false;
}

void Assembler::add(const TextRange& segment, SegmentClass kind) {
    if (kind == SegmentClass::gap || segment.end <= covered()) {
        return;
    }
    if (segment.begin < covered()) {
        // An address that ends inside a segment takes all of it: no letter is left outside a token.
        m_tokens.back().range.end = segment.end;
        return;
    }
    if (kind == SegmentClass::symbol) {
        addSymbol(segment);
        return;
    }
    if (addAddress(segment) || addSigil(segment, kind) || continueToken(segment)) {
        return;
    }
    m_tokens.push_back(
        {segment, kind == SegmentClass::number ? TokenKind::number : TokenKind::word});
}

void Assembler::addSymbol(const TextRange& segment) {
    if (follows({TokenKind::symbol}, segment.begin) && segment.size() == m_symbolSize &&
        m_text.substr(segment.begin - m_symbolSize, m_symbolSize) == segment.of(m_text)) {
        m_tokens.back().range.end = segment.end;
        return;
    }
    m_tokens.push_back({segment, TokenKind::symbol});
    m_symbolSize = segment.size();
}

void Assembler::addSegment(const TextRange& segment) {
    std::size_t begin = segment.begin;
    for (std::size_t at = begin; at < segment.end;) {
        const Character character = decode(m_text, at);
        if (!character.valid) {
            addValid({begin, at});
            begin = character.end;
        }
        at = character.end;
    }
    addValid({begin, segment.end});
}

void Assembler::addValid(const TextRange& whole) {
    const TextRange segment = withoutLayout(m_text, whole);
    const std::string_view spelling = segment.of(m_text);
    const SegmentClass kind = classOfSegment(spelling);
    std::size_t at = spelling.find('@');
    if (at == std::string_view::npos || kind == SegmentClass::symbol) {
        add(segment, kind);
        return;
    }
    std::size_t begin = 0;
    while (begin < spelling.size()) {
        const std::size_t end = std::min(at, spelling.size());
        const TextRange piece = trimmed(m_text, {segment.begin + begin, segment.begin + end});
        add(piece, classOfSegment(piece.of(m_text)));
        begin = end + 1;
        at = spelling.find('@', begin);
    }
}

std::vector<Token> partsOfHyphenated(std::string_view text, const TextRange& range) {
    std::vector<Token> parts;
    std::size_t begin = range.begin;
    const auto close = [&](std::size_t end) {
        if (end > begin) {
            const TextRange part{begin, end};
            const bool isWord = classOfSegment(part.of(text)) == SegmentClass::word;
            parts.push_back({part, isWord ? TokenKind::word : TokenKind::number});
        }
    };
    for (std::size_t at = range.begin; at < range.end;) {
        const Character character = decode(text, at);
        if (isHyphen(character.codePoint)) {
            close(at);
            begin = character.end;
        }
        at = character.end;
    }
    close(range.end);
    return parts;
}

}  // namespace

/// ICU's iterator and its view of the text; both are made once and reused.
struct Tokeniser::State {
    UBreakIterator* words = nullptr;
    UText text = UTEXT_INITIALIZER;

    State() {
        UErrorCode status = U_ZERO_ERROR;
        words = ubrk_open(UBRK_WORD, "", nullptr, 0, &status);
        requireSuccess(status, "the word rules of ICU cannot be opened");
    }
    ~State() {
        ubrk_close(words);
        utext_close(&text);
    }
    State(const State&) = delete;
    State& operator=(const State&) = delete;

    void open(std::string_view piece);
};

void Tokeniser::State::open(std::string_view piece) {
    UErrorCode status = U_ZERO_ERROR;
    utext_openUTF8(&text, piece.data(), std::ssize(piece), &status);
    requireSuccess(status, "ICU cannot read the text");
    ubrk_setUText(words, &text, &status);
    requireSuccess(status, "ICU cannot read the text");
}

Tokeniser::Tokeniser() : m_state(std::make_unique<State>()) {}
Tokeniser::~Tokeniser() = default;
Tokeniser::Tokeniser(Tokeniser&& other) noexcept = default;
Tokeniser& Tokeniser::operator=(Tokeniser&& other) noexcept = default;

std::vector<Token> Tokeniser::tokenise(std::string_view text) {
    std::vector<Token> tokens;
    Assembler assembler(text, tokens);
    for (std::size_t offset = 0; offset < text.size();) {
        const std::size_t pieceEnd = endOfPiece(text, offset);
        m_state->open(text.substr(offset, pieceEnd - offset));
        std::size_t begin = offset;
        for (std::int32_t next = ubrk_next(m_state->words); next != UBRK_DONE;
             next = ubrk_next(m_state->words)) {
            const std::size_t end = offset + static_cast<std::size_t>(next);
            assembler.addSegment({begin, end});
            begin = end;
        }
        offset = pieceEnd;
    }
    return tokens;
}

std::vector<Token> partsOf(std::string_view text, const Token& token) {
    if (token.kind == TokenKind::hyphenated) {
        return partsOfHyphenated(text, token.range);
    }
    if (token.kind == TokenKind::hashtag) {
        return {{{token.range.begin + 1, token.range.end}, TokenKind::word}};
    }
    return {};
}

std::string_view repeatedSymbol(std::string_view spelling) {
    for (std::size_t end = 0; end < spelling.size() / 2;) {
        end = decode(spelling, end).end;
        const std::string_view symbol = spelling.substr(0, end);
        // Equal to itself shifted by one symbol: every symbol is the one before.
        if (spelling.size() % end == 0 &&
            spelling.substr(end) == spelling.substr(0, spelling.size() - end)) {
            return symbol;
        }
    }
    return spelling;
}

}  // namespace epsilens::text
