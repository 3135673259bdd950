#pragma once

#include <string>
#include <string_view>

namespace epsilens::report {

/// Text without anything that a document must not hold: line ends and tabs become blanks, control
/// characters and bytes that are no UTF-8 become U+FFFD.
[[nodiscard]] std::string oneLine(std::string_view text);

/// The same for XML and HTML, in elements and in quoted attributes.
[[nodiscard]] std::string xmlText(std::string_view text);

/// The same for the content of elements of HTML: the symbols N_w, S_w and K_w get a subscript.
[[nodiscard]] std::string htmlText(std::string_view text);

}  // namespace epsilens::report
