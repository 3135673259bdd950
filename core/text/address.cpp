#include "core/text/address.h"

#include <algorithm>

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

}  // namespace

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
    const auto opened = std::count(tail.begin(), tail.end(), '(');
    auto closed = std::count(tail.begin(), tail.end(), ')');
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

}  // namespace epsilens::text
