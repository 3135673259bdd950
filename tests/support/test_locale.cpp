// Puts the whole test program under the locale named by EPSILENS_TEST_LOCALE, before its first
// test. The core must not notice: it reads and writes numbers with a decimal point everywhere.

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <locale>

#if defined(__SANITIZE_ADDRESS__)
#define EPSILENS_LEAKS_ARE_LOOKED_FOR
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define EPSILENS_LEAKS_ARE_LOOKED_FOR
#endif
#endif
#ifdef EPSILENS_LEAKS_ARE_LOOKED_FOR
#include <sanitizer/lsan_interface.h>
#endif

namespace {

/// glibc splits the folders of LOCPATH for every change of locale and never gives the list back.
/// A suppression would have to tell it by the name of a function, which only a machine with
/// llvm-symbolizer knows.
void useLocale(const char* name) {
#ifdef EPSILENS_LEAKS_ARE_LOOKED_FOR
    const __lsan::ScopedDisabler leaksOfGlibc;
#endif
    std::locale::global(std::locale(name));
}

bool useLocaleOfEnvironment() {
    const char* const name = std::getenv("EPSILENS_TEST_LOCALE");  // NOLINT(concurrency-mt-unsafe)
    if (name == nullptr) {
        return false;
    }
    try {
        useLocale(name);
    } catch (const std::exception&) {
        std::fprintf(stderr, "the locale %s is not installed\n", name);
        std::exit(1);  // NOLINT(concurrency-mt-unsafe)
    }
    return true;
}

[[maybe_unused]] const bool kLocaleInUse = useLocaleOfEnvironment();

}  // namespace
