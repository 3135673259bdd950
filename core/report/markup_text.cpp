#include "core/report/markup_text.h"

#include <algorithm>
#include <cctype>

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

bool isPartOfName(char letter) {
    const auto byte = static_cast<unsigned char>(letter);
    return (byte & 0x80U) != 0 || std::isalnum(byte) != 0 || letter == '_' || letter == '/' ||
           letter == '-';
}

/// Puts the subscript of each N_w, S_w and K_w that stands alone into markup.
std::string withSubscripts(const std::string& escaped) {
    constexpr std::string_view kWritten = "_w";
    std::string text;
    for (std::size_t at = 0; at < escaped.size(); ++at) {
        const char letter = escaped[at];
        const std::size_t behind = at + 1 + kWritten.size();
        const bool isSymbol = (letter == 'N' || letter == 'S' || letter == 'K') &&
                              (at == 0 || !isPartOfName(escaped[at - 1])) &&
                              std::string_view(escaped).substr(at + 1).starts_with(kWritten) &&
                              (behind >= escaped.size() || !isPartOfName(escaped[behind]));
        text += letter;
        if (isSymbol) {
            text += "<sub>w</sub>";
            at = behind - 1;
        }
    }
    return text;
}

}  // namespace

std::size_t displayWidth(std::string_view utf8) {
    return static_cast<std::size_t>(std::ranges::count_if(
        utf8, [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U; }));
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
    std::string escaped;
    for (const char letter : oneLine(text)) {
        switch (letter) {
            case '&':
                escaped += "&amp;";
                break;
            case '<':
                escaped += "&lt;";
                break;
            case '>':
                escaped += "&gt;";
                break;
            case '"':
                escaped += "&quot;";
                break;
            case '\'':
                escaped += "&#39;";
                break;
            default:
                escaped += letter;
        }
    }
    return escaped;
}

std::string htmlText(std::string_view text) {
    return withSubscripts(xmlText(text));
}

}  // namespace epsilens::report
