#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <catch2/catch.hpp>

namespace epsilens::test {

/// Path of a file of the shared real data, such as "data/glove-300d/…"; nothing when it is absent.
/// Tests that need it are skipped then.
[[nodiscard]] std::optional<std::string> sharedFile(std::string_view relativePath);
inline void skipForWantOfData() {
    WARN("SKIPPED: the shared data is absent");
}

}  // namespace epsilens::test
