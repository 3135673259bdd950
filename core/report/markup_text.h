#pragma once

#include <string>
#include <string_view>

namespace epsilens::report {

/// Text for XML and HTML, in elements and in quoted attributes; control characters and bytes that
/// are no UTF-8 become U+FFFD.
[[nodiscard]] std::string xmlText(std::string_view text);

/// The same for the content of elements of HTML: the symbols N_w, S_w and K_w get a subscript.
[[nodiscard]] std::string htmlText(std::string_view text);

/// Text for Markdown, in paragraphs and table cells: nothing in it acts as markup, line ends become
/// blanks. The symbols N_w, S_w and K_w get a subscript, by the HTML that Markdown allows.
[[nodiscard]] std::string markdownText(std::string_view text);

}  // namespace epsilens::report
