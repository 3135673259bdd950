#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/document/comparison.h"

namespace epsilens::report {

/// Document "epsilens.verification/1": whether everything was confirmed, every difference, and what
/// was not compared.
///
/// deviation  that was allowed
[[nodiscard]] nlohmann::ordered_json differencesJson(
    const std::vector<document::Difference>& differences,
    const document::Deviation& deviation = {});
/// For a terminal.
[[nodiscard]] std::string differencesText(const std::vector<document::Difference>& differences,
                                          const document::Deviation& deviation = {});

}  // namespace epsilens::report
