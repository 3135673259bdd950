#include "tests/fuzz/fuzz_target.h"

#include <cstdio>
#include <cstdlib>

namespace epsilens::fuzz {

std::vector<Target>& targets() {
    static std::vector<Target> all;
    return all;
}

void require(bool kept, std::string_view promise) {
    if (!kept) {
        std::fprintf(stderr, "broken promise: %.*s\n", static_cast<int>(promise.size()),
                     promise.data());
        std::abort();
    }
}

}  // namespace epsilens::fuzz
