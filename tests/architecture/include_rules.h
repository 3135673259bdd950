#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace epsilens::test {

/// Why the file may not have this include, or nothing when it may.
///
/// file     path from the root of the project, for example core/base/error.h
/// include  what stands between the quotes or angle brackets
/// quoted   whether it stands between quotes
[[nodiscard]] std::optional<std::string> includeViolation(std::string_view file,
                                                          std::string_view include, bool quoted);

/// Every include below root's app, core, resources, tests and ui that breaks a rule, as
/// "file:line: reason", in the order of the file names. Empty when all is well.
[[nodiscard]] std::vector<std::string> includeViolations(const std::filesystem::path& root);

/// What is missing at the top level of root, and what does not belong there; dot files and build
/// folders do. Sorted; empty when all is well.
[[nodiscard]] std::vector<std::string> wrongAtTopLevel(const std::filesystem::path& root);

}  // namespace epsilens::test
