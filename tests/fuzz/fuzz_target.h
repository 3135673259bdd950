#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace epsilens::fuzz {

/// A function that takes any bytes; it must return, and abort where a promise is broken.
struct Target {
    std::string_view name;
    void (*run)(std::string_view input);
};

/// All targets.
[[nodiscard]] std::vector<Target>& targets();

struct TargetRegistration {
    explicit TargetRegistration(const Target& target) { targets().push_back(target); }
};

/// Aborts with the text, which a fuzzer reports as a crash, unless the promise is kept.
void require(bool kept, std::string_view promise);

}  // namespace epsilens::fuzz

/// Begins the body of a target: EPSILENS_FUZZ_TARGET(name) { … uses `input` … }
#define EPSILENS_FUZZ_TARGET(name)                                                              \
    static void name##Target(std::string_view input);                                           \
    static const epsilens::fuzz::TargetRegistration name##Registration({#name, &name##Target}); \
    static void name##Target([[maybe_unused]] std::string_view input)
