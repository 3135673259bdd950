#include "tests/support/growth.h"

#include <algorithm>
#include <ctime>
#include <limits>

namespace epsilens::test {

double growth(std::size_t size, const std::function<void(std::size_t size)>& work) {
    const auto ticksOf = [&](std::size_t part) {
        std::clock_t least = std::numeric_limits<std::clock_t>::max();
        for (int run = 0; run < 3; ++run) {
            const std::clock_t start = std::clock();
            work(part);
            least = std::min(least, std::clock() - start);
        }
        return static_cast<double>(least);
    };
    return ticksOf(size) / std::max(1.0, ticksOf(size / 8));
}

}  // namespace epsilens::test
