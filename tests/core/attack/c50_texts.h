#pragma once

#include <optional>
#include <string_view>

#include "core/attack/authorship.h"

namespace epsilens::test {

/// The texts of a file of the shared data with columns author and text, authors by their first
/// text; nothing when the data are absent.
[[nodiscard]] std::optional<attack::AuthoredTexts> authoredTexts(std::string_view file);

}  // namespace epsilens::test
