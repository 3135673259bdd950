#include <cstdlib>
#include <string_view>

#include <unistd.h>

// OpenBLAS starts its threads while it is loaded, before main, and takes their number from the
// environment only. They are never used (numeric/matrix_product.h), and where memory is short they
// keep the process from starting or from ending. A function of the program comes before that of the
// C library, so OpenBLAS asks this one.
extern "C" char* getenv(const char* name) {
    static char one[] = "1";
    const std::string_view wanted(name);
    for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
        const std::string_view text(*entry);
        if (text.size() > wanted.size() && text[wanted.size()] == '=' && text.starts_with(wanted)) {
            return *entry + wanted.size() + 1;
        }
    }
    return wanted == "OPENBLAS_NUM_THREADS" ? one : nullptr;
}
