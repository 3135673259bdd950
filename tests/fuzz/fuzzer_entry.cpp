#include <cstddef>
#include <cstdint>
#include <string_view>

#include "tests/fuzz/fuzz_target.h"

/// What libFuzzer calls; the program holds one target.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    epsilens::fuzz::targets().front().run({reinterpret_cast<const char*>(bytes), size});
    return 0;
}
