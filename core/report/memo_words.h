#pragma once

#include <optional>
#include <string>

/// Numbers as people are told them.
namespace epsilens::report {

/// Whole numbers out of 100 that add up to 100.
struct Hundredths {
    int kept = 0;
    int near = 0;
    int far = 0;
};

/// Each is rounded down; what is missing goes to those that lost most by it.
///
/// kept, near, far  in [0, 1], with the sum 1
[[nodiscard]] Hundredths hundredthsOf(double kept, double near, double far);

/// "53 of 100"; what rounds to none or all says that it is neither.
///
/// rounded  the share out of 100
[[nodiscard]] std::string outOf100(int rounded, double share);

/// "×165", "10²⁸: no useful bound": the power of ten is rounded up.
///
/// loss  log of the factor by which odds change at most; nothing without a guarantee
[[nodiscard]] std::string oddsWords(const std::optional<double>& loss);

}  // namespace epsilens::report
