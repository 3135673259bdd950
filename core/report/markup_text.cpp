#include "core/report/markup_text.h"

#include "core/io/utf8.h"
#include "core/report/text_table.h"

namespace epsilens::report {
namespace {

/// Without anything that a document must not hold; line ends and tabs become blanks.
std::string clean(std::string_view text) {
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

}  // namespace

std::string xmlText(std::string_view text) {
    std::string escaped;
    for (const char letter : clean(text)) {
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

std::string markdownText(std::string_view text) {
    constexpr std::string_view kActive = "\\`*_[]<>|#~&";
    std::string escaped;
    for (const char letter : clean(text)) {
        if (kActive.find(letter) != std::string_view::npos) {
            escaped += '\\';
        }
        escaped += letter;
    }
    return escaped;
}

}  // namespace epsilens::report
