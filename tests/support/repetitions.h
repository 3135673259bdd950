#pragma once

namespace epsilens::test {

/// How often a test repeats what shows a rare or a slow defect: `whole` times where
/// EPSILENS_LONG_TESTS is set, as `packaging/test.sh --full` does, a tenth of them elsewhere.
[[nodiscard]] int repetitions(int whole);

}  // namespace epsilens::test
