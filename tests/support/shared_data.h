#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace epsilens::test {

/// Path of a file of the shared real data, such as "data/glove-300d/…"; nothing when it is absent.
/// Tests that need it then write WARN("SKIPPED: …") and return.
[[nodiscard]] std::optional<std::string> sharedFile(std::string_view relativePath);

}  // namespace epsilens::test
