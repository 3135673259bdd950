#pragma once

#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"

namespace epsilens::document {

inline constexpr std::string_view kSidecarSchema = "epsilens.sanitize/1";

/// One sidecar for texts that were released one by one: counts and the total of the guarantee are
/// added, the guarantee of the longest line is the largest, and it is partial if one is. All else
/// must be the same. Fails with badFile, and with the file and the member that differ, and as
/// openJson.
[[nodiscard]] Result<std::string> sumSidecars(const std::vector<std::string>& paths,
                                              const std::stop_token& stop = {});

}  // namespace epsilens::document
