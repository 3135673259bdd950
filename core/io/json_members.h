#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace epsilens::io {

/// Names of the members of a JSON object in the order of the text, each once; none where the text
/// is no JSON object. In time linear in the text.
[[nodiscard]] std::vector<std::string> memberNames(std::string_view text);

}  // namespace epsilens::io
