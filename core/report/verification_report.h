#pragma once

#include <string>
#include <vector>

#include "core/report/verification.h"

namespace epsilens::report {

/// What comparing a document with its repetition brought.
struct VerificationResult {
    std::vector<Difference> differences{};
    std::string statementsLeftOut{};  ///< as statementsLeftOut tells
};

/// Why statements in words were not compared, as a sentence without full stop; empty where they
/// were.
[[nodiscard]] std::string leftOutText(const VerificationResult& result);

/// Document "epsilens.verification/1": whether all numbers were confirmed, what was not compared,
/// and every difference.
[[nodiscard]] std::string differencesJson(const VerificationResult& result);
/// A line per difference, columns place,stored,found.
[[nodiscard]] std::string differencesCsv(const VerificationResult& result);
/// For a terminal.
[[nodiscard]] std::string differencesText(const VerificationResult& result);

}  // namespace epsilens::report
