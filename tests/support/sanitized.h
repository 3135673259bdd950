#pragma once

#include <cstdlib>

namespace epsilens::test {

/// Whether the program was built with the address or the thread sanitizer, under which it needs
/// more memory and more time. g++ and clang tell it in different ways.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif
#else
inline constexpr bool kSanitized = false;
#endif

/// How often a test repeats what shows a rare or a slow defect: `whole` times where
/// EPSILENS_LONG_TESTS is set, as `packaging/test.sh --full` does, a tenth of them elsewhere.
[[nodiscard]] inline int repetitions(int whole) {
    constexpr int kShorter = 10;
    // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing sets variables while tests run
    return std::getenv("EPSILENS_LONG_TESTS") != nullptr ? whole : whole / kShorter;
}

}  // namespace epsilens::test
