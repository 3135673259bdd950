#pragma once

#include <string>
#include <string_view>

namespace epsilens::report {

/// Text for XML and HTML, in elements and in quoted attributes; control characters and bytes that
/// are no UTF-8 become U+FFFD.
[[nodiscard]] std::string xmlText(std::string_view text);

/// Text for Markdown, in paragraphs and table cells: nothing in it acts as markup, line ends become
/// blanks.
[[nodiscard]] std::string markdownText(std::string_view text);

}  // namespace epsilens::report
