#include "core/report/markup_text.h"

#include <cctype>

#include "core/io/utf8.h"
#include "core/report/text_table.h"

namespace epsilens::report {
namespace {

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

std::string oneLine(std::string_view text) {
    std::string valid;
    const bool broken = !io::isValidUtf8(text);
    for (const char letter : text) {
        if (broken && (static_cast<unsigned char>(letter) & 0x80U) != 0) {
            valid += kReplacement;
        } else {
            valid += letter == '\n' || letter == '\t' || letter == '\r' ? ' ' : letter;
        }
    }
    return printable(valid);
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
