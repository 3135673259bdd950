#pragma once

#include <string>
#include <vector>

#include "core/report/verification.h"

namespace epsilens::report {

/// Document "epsilens.verification/1": whether all was confirmed, and every difference.
[[nodiscard]] std::string differencesJson(const std::vector<Difference>& differences);
/// A line per difference, columns place,stored,found.
[[nodiscard]] std::string differencesCsv(const std::vector<Difference>& differences);
/// For a terminal.
[[nodiscard]] std::string differencesText(const std::vector<Difference>& differences);

}  // namespace epsilens::report
