#include "tests/support/repetitions.h"

#include <cstdlib>

namespace epsilens::test {

int repetitions(int whole) {
    constexpr int kShorter = 10;
    // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing sets variables while tests run
    return std::getenv("EPSILENS_LONG_TESTS") != nullptr ? whole : whole / kShorter;
}

}  // namespace epsilens::test
