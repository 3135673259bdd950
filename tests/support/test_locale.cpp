// Puts the whole test program under the locale named by EPSILENS_TEST_LOCALE, before its first
// test. The core must not notice: it reads and writes numbers with a decimal point everywhere.

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <locale>

namespace {

bool useLocaleOfEnvironment() {
    const char* const name = std::getenv("EPSILENS_TEST_LOCALE");  // NOLINT(concurrency-mt-unsafe)
    if (name == nullptr) {
        return false;
    }
    try {
        std::locale::global(std::locale(name));
    } catch (const std::exception&) {
        std::fprintf(stderr, "the locale %s is not installed\n", name);
        std::exit(1);  // NOLINT(concurrency-mt-unsafe)
    }
    return true;
}

[[maybe_unused]] const bool kLocaleInUse = useLocaleOfEnvironment();

}  // namespace
