#pragma once

namespace epsilens::ui {

/// Shares as whole numbers of 100 that add up to 100.
struct ShareCounts {
    int kept = 0;
    int near = 0;
    int far = 0;
};

/// The largest remainders are rounded up, so that the numbers add up.
///
/// kept, near, far  in [0, 1], with the sum 1
[[nodiscard]] ShareCounts countsOf(double kept, double near, double far);

}  // namespace epsilens::ui
