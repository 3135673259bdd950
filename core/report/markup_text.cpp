#include "core/report/markup_text.h"

#include <algorithm>
#include <array>
#include <regex>

#include "core/base/ascii.h"
#include "core/text/characters.h"

namespace epsilens::report {
namespace {

/// Whether a character would steer a terminal, reorder or break the line, or is none.
bool steers(const text::Character& character) {
    const char32_t code = character.codePoint;
    const bool isControl = code < 0x20 || (code >= 0x7F && code < 0xA0);
    const bool breaksLine = code == 0x2028 || code == 0x2029;
    return !character.valid || isControl || breaksLine || text::isInvisibleLayout(code);
}

}  // namespace

std::size_t displayWidth(std::string_view utf8) {
    return utf8.size() - static_cast<std::size_t>(std::ranges::count_if(utf8, continuesCharacter));
}

std::string printable(std::string_view utf8) {
    std::string text;
    text.reserve(utf8.size());
    for (std::size_t begin = 0; begin < utf8.size();) {
        const text::Character character = text::decode(utf8, begin);
        text += steers(character) ? kReplacement : utf8.substr(begin, character.end - begin);
        begin = character.end;
    }
    return text;
}

std::string oneLine(std::string_view text) {
    std::string line(text);
    std::replace_if(
        line.begin(), line.end(),
        [](char letter) { return letter == '\n' || letter == '\t' || letter == '\r'; }, ' ');
    return printable(line);
}

std::string xmlText(std::string_view text) {
    constexpr std::string_view kMarkup = "&<>\"'";
    constexpr std::array<std::string_view, 5> kEscapes{"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
    std::string escaped;
    for (const char letter : oneLine(text)) {
        const std::size_t place = kMarkup.find(letter);
        if (place == std::string_view::npos) {
            escaped += letter;
        } else {
            escaped += kEscapes.at(place);
        }
    }
    return escaped;
}

std::string htmlText(std::string_view text) {
    static const std::regex kSymbol("\\b([NSK])_w\\b");
    return std::regex_replace(xmlText(text), kSymbol, "$1<sub>w</sub>");
}

}  // namespace epsilens::report
