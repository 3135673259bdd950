#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "tests/fuzz/fuzz_target.h"

namespace {

const epsilens::fuzz::Target* target = nullptr;

}  // namespace

/// The program fuzz-NAME runs the target NAME.
extern "C" int LLVMFuzzerInitialize(const int* /*count*/, char*** arguments) {
    const std::string_view program = **arguments;
    const auto& all = epsilens::fuzz::targets();
    const auto found = std::ranges::find_if(
        all, [&](const auto& one) { return program.substr(program.rfind('-') + 1) == one.name; });
    if (found == all.end()) {
        std::abort();
    }
    target = &*found;
    return 0;
}

/// What libFuzzer calls.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    target->run({reinterpret_cast<const char*>(bytes), size});
    return 0;
}
