#pragma once

#include <string>
#include <vector>

#include "core/document/comparison.h"

namespace epsilens::report {

/// Document "epsilens.verification/1": whether everything was confirmed, every difference, and what
/// was not compared.
///
/// deviation  that was allowed
[[nodiscard]] std::string differencesJson(const std::vector<document::Difference>& differences,
                                          const document::Deviation& deviation = {});
/// A line per difference, columns place,stored,found.
[[nodiscard]] std::string differencesCsv(const std::vector<document::Difference>& differences);
/// For a terminal.
[[nodiscard]] std::string differencesText(const std::vector<document::Difference>& differences,
                                          const document::Deviation& deviation = {});

}  // namespace epsilens::report
