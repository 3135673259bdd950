#pragma once

#include <string>
#include <string_view>

namespace epsilens::report {

/// A word of a shell command, as a shell of Unix reads it: in quotes where it needs them.
///
/// word  without a zero byte
[[nodiscard]] std::string shellQuoted(std::string_view word);

/// The path of a file as an argument: one that begins as an option does is named from its folder.
[[nodiscard]] std::string fileArgument(const std::string& path);

}  // namespace epsilens::report
