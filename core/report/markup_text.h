#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace epsilens::report {

/// Characters of a UTF-8 text; what it takes up on a terminal unless it holds wide or combining
/// ones.
[[nodiscard]] std::size_t displayWidth(std::string_view utf8);

/// U+FFFD, in place of what cannot be shown.
inline constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

/// The text with U+FFFD for controls, marks of the writing direction, line separators, what is
/// unseen and bytes that are no UTF-8: words of a file must not steer a terminal or forge a line.
[[nodiscard]] std::string printable(std::string_view utf8);

/// Text without anything that a document must not hold: line ends and tabs become blanks, control
/// characters and bytes that are no UTF-8 become U+FFFD.
[[nodiscard]] std::string oneLine(std::string_view text);

/// The same for XML and HTML, in elements and in quoted attributes.
[[nodiscard]] std::string xmlText(std::string_view text);

/// The same for the content of elements of HTML: the symbols N_w, S_w and K_w get a subscript.
[[nodiscard]] std::string htmlText(std::string_view text);

}  // namespace epsilens::report
